/** `.geminiconfig` in the workspace's root: what the project wishes to be filtered, where a call does not say. */
import { type Fields, isFields } from '../protocol/plain.ts';
import { textOf } from '../workspace/bytes.ts';
import { shownAsGiven } from '../workspace/quote.ts';
import { SkippedFile } from '../workspace/source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isListOfStrings } from './parameters.ts';

/** What `list_directory` leaves out where a call does not say. */
export interface FileFiltering {
  /** Joined with a call's own `ignore`. */
  readonly defaultIgnorePatterns: readonly string[];
  readonly respectGitIgnore: boolean;
  readonly respectGeminiIgnore: boolean;
}

export const DEFAULT_FILTERING: FileFiltering = {
  defaultIgnorePatterns: [],
  respectGitIgnore: true,
  respectGeminiIgnore: true,
};

const CONFIG_NAME = '.geminiconfig';

/** No name is nearly as long, even with braces. */
const LONGEST_PATTERN = 4096;

/** A `.geminiconfig` that cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The settings that the file has. Throws a ConfigError for one that cannot be used. */
export function projectFiltering(workspace: Workspace): Partial<FileFiltering> {
  const content = workspace.readFile(CONFIG_NAME);
  if (content === null) return {};
  if (content instanceof SkippedFile) throw complaint(`it ${content.reason}`);
  const config = parsed(textOf(content));
  if (!isFields(config)) throw complaint('it must hold a JSON object');
  const filtering = config.fileFiltering ?? {};
  if (!isFields(filtering)) throw complaint('fileFiltering must be an object');
  const found = filteringIn(filtering, complaint);
  if (found.defaultIgnorePatterns?.some(({ length }) => length > LONGEST_PATTERN)) {
    throw complaint(`a pattern is longer than ${LONGEST_PATTERN} characters`);
  }
  return found;
}

/** The settings that are there: `null` and undefined are unset. One that makes no sense is thrown as `complain` says. */
export function filteringIn(filtering: Fields, complain: (reason: string) => Error): Partial<FileFiltering> {
  const patterns = filtering.defaultIgnorePatterns ?? null;
  if (patterns !== null && !isListOfStrings(patterns)) {
    throw complain('fileFiltering.defaultIgnorePatterns must be a list of strings');
  }
  const flag = (name: 'respectGitIgnore' | 'respectGeminiIgnore') => {
    const value = filtering[name] ?? null;
    if (value === null) return {};
    if (typeof value !== 'boolean') throw complain(`fileFiltering.${name} must be true or false`);
    return { [name]: value };
  };
  return {
    ...(patterns === null ? {} : { defaultIgnorePatterns: patterns }),
    ...flag('respectGitIgnore'),
    ...flag('respectGeminiIgnore'),
  };
}

function parsed(text: string | null): unknown {
  if (text === null) throw complaint('it is not valid UTF-8');
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(plainJson(text.replace(/^\ufeff/, '')));
  } catch (error) {
    // The message quotes the file, line breaks included.
    throw complaint(`it is not valid JSON (${shownAsGiven((error as Error).message)})`);
  }
}

/** A comment or string that is not closed ends with the text, so that no text takes long to read. */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|\/\/[^\n]*|\/\*.*?(?:\*\/|$)/gs;
const STRING_OR_LAST_COMMA = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|,(?=\s*[}\]])/gs;

/** Without comments and trailing commas, which people write into settings. */
function plainJson(text: string): string {
  const kept = (found: string) => (found.startsWith('"') ? found : ' ');
  return text.replace(STRING_OR_COMMENT, kept).replace(STRING_OR_LAST_COMMA, kept);
}

function complaint(reason: string): ConfigError {
  return new ConfigError(`${CONFIG_NAME} cannot be used: ${reason}`);
}
