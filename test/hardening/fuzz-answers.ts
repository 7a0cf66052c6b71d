/** The exact shape of each dialect's answers, whatever was asked. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { ListDirResult } from '../../src/dialects/codex.ts';
import type { ListDirectoryResult } from '../../src/dialects/gemini.ts';
import type { LSOutput } from '../../src/dialects/mycode.ts';
import type { DialectName } from '../../src/dialects/table.ts';
import { type ToolResponse, validateResponse } from '../../src/index.ts';
import { UNSEEN } from './fuzz-inputs.ts';

/** Perf: a million answers are checked, and `expect` costs as much as a call; it is asked only where something is wrong. */
function same(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted);
}

const SHAPES: Readonly<Record<DialectName, (answer: never) => void>> = {
  standard: (answer: ToolResponse) => {
    same(validateResponse(answer).violations, []);
    const isError = answer.status === 'error';
    same(Object.keys(answer).sort(), ['context', 'data', ...(isError ? ['error'] : []), 'stats', 'status', 'text']);
    if (isError) same(answer.data, {});
  },
  gemini: ({ llmContent, returnDisplay, debug, ...others }: ListDirectoryResult) => {
    same(others, {});
    same(typeof llmContent, 'string');
    if (!/^(Listed \d+ items|Directory is empty\.)$/.test(returnDisplay)) {
      expect(returnDisplay).toMatch(
        /^Error: (Failed to execute tool|Directory not found or inaccessible|Path is not a directory|Permission denied accessing directory|Failed to access directory)\.$/,
      );
      expect(llmContent).toMatch(/^Error/);
    }
  },
  mycode: (answer: LSOutput) => {
    const { success, path, entries, error, summary, truncated, unreadable, ...others } = answer;
    same(others, {});
    same([typeof path, Array.isArray(entries)], ['string', true]);
    same(
      [typeof error, typeof truncated, typeof success],
      success ? ['undefined', 'boolean', 'boolean'] : ['string', 'undefined', 'boolean'],
    );
    if (!success) same(entries, []);
    for (const entry of entries) same(['file', 'directory', 'symlink', 'other'].includes(entry.type), true);
  },
  codex: ({ content, success, ...others }: ListDirResult) => {
    same(others, {});
    same(content.startsWith('Absolute path: '), success);
  },
};

/** That an answer has its dialect's shape, survives JSON, and tells nothing of what is outside. */
export function expectAnswer(dialect: DialectName, answer: unknown, text: unknown): void {
  SHAPES[dialect](answer as never);
  same(typeof text, 'string');
  const written = JSON.stringify(answer) + text;
  if (written.includes(UNSEEN)) expect(written).not.toContain(UNSEEN);
}
