/** A text as the model reads it, on demand with every space and invisible character made visible. */

/** The most characters to show. Of a longer text, only the number of the others is shown. */
const MOST = 200_000;

const VISIBLE: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '¶\n', '\u00a0': '⍽' };

/** Matches what could be mistaken for something else: spaces, controls, formats, escapes. */
const DOUBTFUL = /([\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]|\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[ntrbf"\\]))/u;

interface ModelTextProps {
  readonly text: string;
  readonly marksInvisible: boolean;
  /** The lines of other answers, by `lineKey`: any other line is marked. Null marks none. */
  readonly common?: ReadonlySet<string> | null;
  readonly isBusy?: boolean;
}

export function ModelText({ text, marksInvisible, common = null, isBusy = false }: ModelTextProps) {
  const drawn = text.slice(0, MOST);
  const draw = (part: string) => (marksInvisible ? marked(part) : part);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keys
    <pre class={isBusy ? 'model-text busy' : 'model-text'} tabIndex={0}>
      {common === null
        ? draw(drawn)
        : (drawn.match(/.*\n|.+$/g) ?? []).map((line, at) => (
            <span key={at} class={common.has(lineKey(line)) ? '' : 'differs'}>
              {draw(line)}
            </span>
          ))}
      {text.length > MOST ? `\n… ${text.length - MOST} characters more` : ''}
    </pre>
  );
}

/** Returns the name that a line is about, as in `[DIR] src`, `lib/src/` and `  src`. */
export function lineKey(line: string): string {
  const name = line
    .trim()
    .replace(/^\[DIR\] |^- /, '')
    .replace(/[/@]$/, '');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Every second part of the text is one that is doubtful. */
function marked(text: string) {
  const draw = (part: string, at: number) => (at % 2 === 0 ? part : <span class="invisible">{visible(part)}</span>);
  return text.split(DOUBTFUL).map(draw);
}

function visible(character: string): string {
  if (character.startsWith('\\')) return character;
  return VISIBLE[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
