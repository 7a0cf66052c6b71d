/** What a map is narrowed to: a glob, or a plain word that a name holds somewhere, in any case. */
import { compiledPattern } from '../listing/select.ts';
import type { Select } from '../listing/walk.ts';
import type { Effort } from '../rules/rule.ts';
import { type Bytes, textOf } from '../workspace/bytes.ts';

const GLOB = /[*?[{]|[!+@]\(/;

/** With a `/` it is tried on the path relative to the listed directory, otherwise on the name. */
export async function selectorFor(match: string, effort: Effort): Promise<Select> {
  if (GLOB.test(match)) {
    // Dotfiles are shown, so they match, too.
    const pattern = await compiledPattern(match, { dot: true });
    return (name, path) => pattern.matches(name, path, effort);
  }
  const word = match.toLowerCase();
  const holds = (bytes: Bytes) => (textOf(bytes) ?? bytes).toLowerCase().includes(word);
  return match.includes('/') ? (_, path) => holds(path) : (name) => holds(name);
}
