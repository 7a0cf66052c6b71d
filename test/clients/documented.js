/** What `docs/mcp.md` tells a user to write into a client's configuration, with the two places filled in. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** The first block of code below a client's heading. */
export function documented(client, words) {
  const page = readFileSync(`${PROJECT}/docs/mcp.md`, 'utf8');
  const [, section] = page.split(`\n### ${client}\n`);
  const block = /```\w+\n([\s\S]*?)```/.exec(section ?? '')?.[1];
  if (block === undefined) throw new Error(`docs/mcp.md has no block for ${client}`);
  return placed(block, words);
}

/** `words` stand in place of the one root: none, another one, options. */
function placed(block, words) {
  const isShell = block.startsWith('claude ');
  const inPlace = isShell ? words.join(' ') : words.map((word) => JSON.stringify(word)).join(', ');
  const text = block.replaceAll('/abs/agent-ls', PROJECT);
  return isShell
    ? text.replace('/abs/project', inPlace)
    : text.replace(/,\s*"\/abs\/project"/, inPlace && `, ${inPlace}`);
}
