import { counted } from '../../text/count.ts';

const FOR_NOTE = 200;

/** Cuts a text at the end of a line, and adds a note. `form` returns it as it will be sent, in `most` characters. */
export function cutToLines(text: string, form: (text: string) => string, most: number, advice: string): string {
  // Perf: a listing may be megabytes long.
  if (text.length <= most && form(text).length <= most) return text;
  for (let room = most - FOR_NOTE; ; room = Math.floor(room * 0.9)) {
    const end = Math.max(text.lastIndexOf('\n', room), 0);
    let lines = 0;
    for (let at = end; at >= 0 && at < text.length; at = text.indexOf('\n', at + 1)) lines++;
    const note = `[Cut at ${most} characters: ${counted(lines, 'more line')}. ${advice}]`;
    const cut = end === 0 ? note : `${text.slice(0, end)}\n${note}`;
    if (form(cut).length <= most || end === 0) return cut;
  }
}
