/** Colours as a terminal reads them: `01;34` is bold and blue. */

/** The parameters of one SGR sequence; '' is none. */
export type Sgr = string;

export const FAINT: Sgr = '2';

export function painted(text: string, sgr: Sgr): string {
  return sgr === '' ? text : `\x1b[${sgr}m${text}\x1b[0m`;
}
