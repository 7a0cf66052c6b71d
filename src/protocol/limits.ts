// How much of a tool's output may enter the history, and where the rest is kept: options, then environment, then defaults.
import { isAbsolute, normalize, sep } from 'node:path';
import { UsageError } from './usage-error.ts';

export interface LimitOptions {
  /**
   * The most lines that pass. Environment: `TOOL_OUTPUT_MAX_LINES`.
   * @default 2000
   */
  maxLines?: number;
  /**
   * The most bytes of UTF-8 that pass. Environment: `TOOL_OUTPUT_MAX_BYTES`.
   * @default 51200
   */
  maxBytes?: number;
  /**
   * Which end is kept. Environment: `TOOL_OUTPUT_TRUNCATE_DIRECTION`.
   * @default 'head'
   */
  direction?: 'head' | 'tail';
  /**
   * Where full outputs are saved, relative to the root or absolute. Environment: `TOOL_OUTPUT_DIR`.
   * @default 'tool-output'
   */
  directory?: string;
  /**
   * Days after which a saved output is removed. Environment: `TOOL_OUTPUT_RETENTION_DAYS`.
   * @default 7
   */
  retentionDays?: number;
}

export type Limits = Readonly<Required<LimitOptions>>;

export const LIMIT_NAMES = ['maxLines', 'maxBytes', 'direction', 'directory', 'retentionDays'] as const;

/** A setting that was given, and the name under which it was. */
interface Given {
  name: string;
  value: unknown;
}

/** Throws a UsageError that names the first option or variable which makes no sense. */
export function resolveLimits(options: LimitOptions): Limits {
  return {
    maxLines: wholeNumber(given('maxLines', options.maxLines, 'TOOL_OUTPUT_MAX_LINES', 2000)),
    maxBytes: wholeNumber(given('maxBytes', options.maxBytes, 'TOOL_OUTPUT_MAX_BYTES', 51_200)),
    direction: headOrTail(given('direction', options.direction, 'TOOL_OUTPUT_TRUNCATE_DIRECTION', 'head')),
    directory: directoryPath(given('directory', options.directory, 'TOOL_OUTPUT_DIR', 'tool-output')),
    retentionDays: days(given('retentionDays', options.retentionDays, 'TOOL_OUTPUT_RETENTION_DAYS', 7)),
  };
}

/** A root or a tool's name: any text that can be part of a path. */
export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0')) return value;
  throw senseless({ name, value }, 'text that is not empty and holds no NUL');
}

/** An option wins over the environment; a variable that is set to nothing is not set. */
function given(option: string, value: unknown, variable: string, otherwise: unknown): Given {
  if (value !== undefined && value !== null) return { name: option, value };
  const setting = process.env[variable];
  return setting === undefined || setting === ''
    ? { name: option, value: otherwise }
    : { name: variable, value: setting };
}

function wholeNumber(setting: Given): number {
  const number = asNumber(setting.value);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw senseless(setting, 'a whole number of at least 1');
}

function days(setting: Given): number {
  const number = asNumber(setting.value);
  if (Number.isFinite(number) && number >= 0) return number;
  throw senseless(setting, 'a number of days, 0 or more');
}

/** A variable is text: plain decimals count, what only JavaScript calls a number (`0x10`, `1e3`) does not. */
function asNumber(value: unknown): number {
  if (typeof value === 'string') return /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return typeof value === 'number' ? value : Number.NaN;
}

function headOrTail(setting: Given): 'head' | 'tail' {
  if (setting.value === 'head' || setting.value === 'tail') return setting.value;
  throw senseless(setting, '"head" or "tail"');
}

function directoryPath(setting: Given): string {
  const path = requireText(setting.name, setting.value);
  if (isAbsolute(path) || normalize(path).split(sep)[0] !== '..') return path;
  throw senseless(setting, 'a directory below the root, or an absolute path');
}

function senseless({ name, value }: Given, right: string): UsageError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new UsageError(`${name} must be ${right}, not ${shown}.`);
}
