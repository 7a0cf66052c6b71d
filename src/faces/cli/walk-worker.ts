/** The second thread of a large listing: does one job after the other, until nobody asks any more. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Query } from '../../listing/query.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import { inJson } from '../../workspace/quote.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import type { Answer, Job, Question } from './second-thread.ts';
import { describePart, type ListFormat, walkPart } from './walk-job.ts';

/** False where this is the first thread. */
export function workForFirstThread(): boolean {
  if (parentPort === null) return false;
  const first = parentPort;
  const { root, query, format } = workerData as { root: Bytes; query: Query; format: ListFormat };
  const opened = openWorkspace(inJson(root)).then((workspace) => {
    // It must be the very root that was checked, and no link that was put in its place.
    if (workspace.rootBytes !== root) throw new Error('the root was replaced');
    return workspace;
  });
  const done = async (job: Job): Promise<Answer['result']> => {
    const workspace = await opened;
    if (job.kind === 'walk') return walkPart(query, workspace, job.directory, job.depth, format);
    return describePart(query, workspace, job.names.split('\0') as Bytes[], format);
  };
  first.on('message', async ({ id, job }: Question) => {
    const result = await done(job).catch(() => null);
    const answer: Answer = { id, result };
    const output = result === null || result instanceof Uint8Array ? result : result.output;
    first.postMessage(answer, output === null ? [] : [output.buffer as ArrayBuffer]);
  });
  return true;
}
