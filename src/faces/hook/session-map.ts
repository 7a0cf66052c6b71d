/** The map that a session starts with: few tokens, and the same bytes for the same tree, so that prompt caches hold. */
import { tree } from '../../dialects/tree.ts';
import { openWorkspace } from '../library/open-workspace.ts';

/** In tokens, with the heading. */
const BUDGET = 300;

const HEADING = 'Map of the working directory by agent-ls, at the start of the session. Tree, Find and LS show more.\n';

/** Returns null if there is nothing to show, or no time to show all of it: half a map would not be the same bytes. */
export async function sessionMap(directory: string, timeLimit: number): Promise<string | null> {
  // Without git: how much of its history could be read in time would change the bytes.
  const workspace = await openWorkspace(directory, { git: false });
  const sentAs = (text: string) => `${HEADING}${text}`;
  const started = performance.now();
  const { text, isError } = await tree.call({ budget: BUDGET }, workspace, { timeLimit, sentAs, cache: false });
  workspace.close();
  const isCut = performance.now() - started >= timeLimit || /^#.*, incomplete: [a-z ]+$/m.test(text);
  return isError || isCut || text.startsWith('# .: 0 files') ? null : sentAs(text);
}
