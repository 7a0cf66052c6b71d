// Resolves the limits on a tool's output, and where full outputs are saved: options, then environment, then defaults.
import { isAbsolute, normalize, sep } from 'node:path';
import { UsageError } from './usage-error.ts';

/** The limits of the truncator, and where it saves full outputs. */
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
   * The end of the output that is kept. Environment: `TOOL_OUTPUT_TRUNCATE_DIRECTION`.
   * @default 'head'
   */
  direction?: 'head' | 'tail';
  /**
   * The directory for full outputs, relative to the root or absolute. Environment: `TOOL_OUTPUT_DIR`.
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

/** A setting, and the name of the option or variable that it came from. */
type Given = { name: string; value: unknown };

/** Throws a UsageError that names the first invalid option or variable. */
export function resolveLimits(options: LimitOptions): Limits {
  return {
    maxLines: positiveInteger(given('maxLines', options.maxLines, 'TOOL_OUTPUT_MAX_LINES', 2000)),
    maxBytes: positiveInteger(given('maxBytes', options.maxBytes, 'TOOL_OUTPUT_MAX_BYTES', 51_200)),
    direction: headOrTail(given('direction', options.direction, 'TOOL_OUTPUT_TRUNCATE_DIRECTION', 'head')),
    directory: directoryPath(given('directory', options.directory, 'TOOL_OUTPUT_DIR', 'tool-output')),
    retentionDays: days(given('retentionDays', options.retentionDays, 'TOOL_OUTPUT_RETENTION_DAYS', 7)),
  };
}

/** Checks a root or a tool's name: any text that can be part of a path. */
export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0')) return value;
  throw invalidSetting({ name, value }, 'text that is not empty and holds no NUL');
}

/** An option wins over the environment; an empty variable counts as unset. */
function given(option: string, value: unknown, variable: string, otherwise: unknown): Given {
  if (value !== undefined && value !== null) return { name: option, value };
  const setting = process.env[variable];
  return setting ? { name: variable, value: setting } : { name: option, value: otherwise };
}

function positiveInteger(setting: Given): number {
  return numberIn(setting, (number) => Number.isSafeInteger(number) && number >= 1, 'a whole number of at least 1');
}

function days(setting: Given): number {
  return numberIn(setting, (number) => Number.isFinite(number) && number >= 0, 'a number of days, 0 or more');
}

/** A variable is text: plain decimals are accepted, other number formats of JavaScript (`0x10`, `1e3`) are not. */
function numberIn(setting: Given, isRight: (number: number) => boolean, right: string): number {
  const { value } = setting;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
  if (isNumber && isRight(Number(value))) return Number(value);
  throw invalidSetting(setting, right);
}

/** Ignores case, because the variable is often written by hand. */
function headOrTail(setting: Given): 'head' | 'tail' {
  const direction = typeof setting.value === 'string' ? setting.value.toLowerCase() : null;
  if (direction === 'head' || direction === 'tail') return direction;
  throw invalidSetting(setting, '"head" or "tail"');
}

function directoryPath(setting: Given): string {
  const path = requireText(setting.name, setting.value);
  if (isAbsolute(path) || normalize(path).split(sep)[0] !== '..') return path;
  throw invalidSetting(setting, 'a directory below the root, or an absolute path');
}

function invalidSetting({ name, value }: Given, right: string): UsageError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new UsageError(`${name} must be ${right}, not ${shown}.`);
}
