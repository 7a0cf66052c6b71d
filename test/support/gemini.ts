/** `list_directory`, asked, and the messages that it has. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { gemini, type ListDirectoryResult } from '../../src/dialects/gemini.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import type { CallOptions } from '../../src/listing/query.ts';

export async function ask(root: string, params: unknown, options: CallOptions = {}): Promise<ListDirectoryResult> {
  const workspace = await openWorkspace(root);
  const { answer, text, isError } = await gemini.call(params, workspace, options);
  workspace.close();
  expect(text).toBe(answer.llmContent);
  expect(isError).toBe(answer.returnDisplay.startsWith('Error: '));
  return answer;
}

/** The lines that the model reads of a directory, given by its path from the root. */
export async function lines(root: string, directory = '', params: object = {}): Promise<string[]> {
  const { llmContent, returnDisplay } = await ask(root, { path: join(root, directory), ...params });
  const shown = llmContent.split('\n');
  // A summary stands on a line of its own, also behind a list that is empty.
  const entries = shown.filter((line) => line !== '' && !line.endsWith(' items hidden)'));
  expect(returnDisplay).toBe(`Listed ${entries.length} items`);
  return shown;
}

export const failed = (llmContent: string, display: string) => ({ llmContent, returnDisplay: `Error: ${display}` });
export const invalid = (reason: string) =>
  failed(`Error: Invalid parameters provided. Reason: ${reason}`, 'Failed to execute tool.');
