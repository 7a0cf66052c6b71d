/** The second thread of a large walk: answers each directory with what is below it, until nobody asks any more. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Query } from '../../listing/query.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import { inJson } from '../../workspace/quote.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import type { Answer, Question } from './second-thread.ts';
import { walkPart } from './walk-job.ts';

const { root, query } = workerData as { root: Bytes; query: Query };

const opened = openWorkspace(inJson(root)).then((workspace) => {
  // It must be the very root that was checked, and no link that was put in its place.
  if (workspace.realPath !== root) throw new Error('the root was replaced');
  return workspace;
});

parentPort?.on('message', async ({ id, directory, depth }: Question) => {
  const part = await opened.then((workspace) => walkPart(query, workspace, directory, depth)).catch(() => null);
  const answer: Answer = { id, part };
  parentPort?.postMessage(answer, part === null ? [] : [part.output.buffer as ArrayBuffer]);
});
