/** Reads `.geminiconfig` in the workspace's root: the project's filter settings, which a call can override. */
import { textOf } from '../names/bytes.ts';
import { shownAsGiven } from '../names/quote.ts';
import { type Fields, isFields } from '../protocol/plain.ts';
import { SkippedFile } from '../workspace/source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isListOfStrings } from './parameters.ts';

/** The default filters of `list_directory`. A call can override the booleans. */
export interface FileFiltering {
  /** Added to a call's own `ignore`. */
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

/** In characters. No pattern for a name needs nearly as many, even with braces. */
const LONGEST_PATTERN = 4096;

/** Thrown for a `.geminiconfig` that cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Returns the settings in the file. Throws a ConfigError if the file cannot be used. */
export function projectFiltering(workspace: Workspace): Partial<FileFiltering> {
  const content = workspace.readFile(CONFIG_NAME);
  if (content === null) return {};
  if (content instanceof SkippedFile) throw complaint(`it ${content.reason}`);
  const config = parsed(textOf(content));
  if (!isFields(config)) throw complaint('it must hold a JSON object');
  const filtering = config.fileFiltering ?? {};
  if (!isFields(filtering)) throw complaint('fileFiltering must be an object');
  const found = filteringIn(filtering, complaint);
  if (found.defaultIgnorePatterns?.some(({ length }) => length > LONGEST_PATTERN))
    throw complaint(`a pattern is longer than ${LONGEST_PATTERN} characters`);
  return found;
}

/** Returns the settings that are set; `null` and undefined mean unset. Throws `complain(reason)` for an invalid one. */
export function filteringIn(filtering: Fields, complain: (reason: string) => Error): Partial<FileFiltering> {
  const patterns = filtering.defaultIgnorePatterns ?? null;
  if (patterns !== null && !isListOfStrings(patterns))
    throw complain('fileFiltering.defaultIgnorePatterns must be a list of strings');
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

/** An unclosed comment or string extends to the end, even if that is a lone backslash: no text is read twice. */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|\/\/[^\n]*|\/\*.*?(?:\*\/|$)/gs;
const STRING_OR_LAST_COMMA = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|,(?=\s*[}\]])/gs;

/** Removes comments and trailing commas, which people write into settings. */
function plainJson(text: string): string {
  const kept = (found: string) => (found.startsWith('"') ? found : ' ');
  return text.replace(STRING_OR_COMMENT, kept).replace(STRING_OR_LAST_COMMA, kept);
}

function complaint(reason: string): ConfigError {
  return new ConfigError(`${CONFIG_NAME} cannot be used: ${reason}`);
}
