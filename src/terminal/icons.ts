/**
 * Icons before names: those of a Nerd Font, or the user's own, written as in `LS_COLORS`:
 *
 *     AGENT_LS_ICONS='di=📁:ln=🔗:ex=🚀:fi=:*.md=📝'
 *
 * An empty one is none.
 */
import type { Entry } from '../listing/query.ts';
import { bytesOf } from '../names/bytes.ts';
import { isExecutable } from '../text/metadata.ts';

/** By kind, then by language and by use. */
const NERD_FONT = [
  'di=\uf07b:ln=\uf0c1:ex=\uf489:fi=\uf15b',
  '*.ts=\ue628:*.tsx=\ue7ba:*.js=\ue74e:*.py=\ue73c:*.rs=\ue7a8:*.go=\ue627:*.rb=\ue739:*.java=\ue738:*.c=\ue61e',
  '*.cpp=\ue61d:*.sh=\uf489:*.html=\ue736:*.css=\ue749:*.json=\ue60b:*.yml=\ue615:*.yaml=\ue615:*.toml=\ue615',
  '*.md=\uf48a:*.txt=\uf15c:*.lock=\uf023:*.zip=\uf410:*.tar=\uf410:*.gz=\uf410:*.png=\uf1c5:*.jpg=\uf1c5:*.svg=\uf1c5',
].join(':');

/** One or two characters. Nothing that could control a terminal or be invisible there is taken from the variable. */
const ENTRY = /^(?:\*\.(?<extension>[^=]+)|(?<kind>di|ln|ex|fi))=(?<icon>[^\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}]{0,2})$/u;

/** Returns a function that makes an entry's icon, with a trailing space. */
export function iconsFrom(variable: string | undefined): (entry: Entry) => string {
  const icons = new Map<string, string>();
  for (const entry of `${NERD_FONT}:${variable ?? ''}`.split(':')) {
    const { extension, kind = '', icon } = ENTRY.exec(entry)?.groups ?? {};
    if (icon !== undefined) icons.set(extension === undefined ? kind : `.${bytesOf(extension)}`, icon);
  }
  const iconOf = ({ name, type, metadata }: Entry) => {
    if (type === 'dir' || type === 'link') return icons.get(type === 'dir' ? 'di' : 'ln');
    const known = icons.get(name.slice(Math.max(name.lastIndexOf('.'), 0)).toLowerCase());
    return known ?? icons.get(isExecutable(metadata?.mode ?? 0) ? 'ex' : 'fi');
  };
  return (entry) => {
    const icon = iconOf(entry);
    return icon ? `${icon} ` : '';
  };
}
