#!/usr/bin/env node
/**
 * The entry point of the command. The build stores V8's code cache beside each file (`scripts/compile.js`). The V8 that
 * the build ran on need not parse and compile the code again. For any other V8, Node loads the same files itself.
 */
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { Script } from 'node:vm';
import { VERSION } from '../../version.ts';

declare const require: NodeJS.Require;
declare const module: NodeJS.Module;
declare const __dirname: string;

const COMMAND = 'command.cjs';

const modules = new Map<string, { exports: unknown }>();

/** The loaded scripts, by file. */
export const scripts = new Map<string, Script>();

/** Returns the path of a file's code cache. Its name contains the version of V8, because no other V8 can use it. */
export function compiledFile(file: string): string {
  const { versions, platform, arch } = process;
  return `${__dirname}/${file}.${versions.v8}-${platform}-${arch}`;
}

function compiled(file: string): Buffer | undefined {
  try {
    return readFileSync(compiledFile(file));
  } catch {
    return undefined;
  }
}

/** Works like `require`, for a file of the command. */
export function load(file: string): unknown {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const cachedData = compiled(file);
  const filename = `${__dirname}/${file}`;
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(filename, 'utf8')}\n})`;
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  const loading = { exports: {} };
  modules.set(file, loading);
  scripts.set(file, script);
  const requireHere = (id: string) => (id.startsWith('./') ? load(id.slice('./'.length)) : require(id));
  const wrapper = script.runInThisContext() as (...parts: unknown[]) => void;
  wrapper(loading.exports, requireHere, loading, filename, __dirname);
  return loading.exports;
}

/** Perf: a program that asks for the version at each start need not wait for the command. */
function hasPrintedVersion([word, ...others]: readonly string[]): boolean {
  try {
    return word === '--version' && others.length === 0 && writeSync(1, `${VERSION}\n`) > 0;
  } catch {
    // The command knows what to do with a reader that is slow, or gone.
    return false;
  }
}

if (require.main === module && !hasPrintedVersion(process.argv.slice(2))) {
  const command = existsSync(compiledFile(COMMAND)) ? load(COMMAND) : require(`./${COMMAND}`);
  (command as typeof import('./run.ts')).main(process.argv.slice(2));
}
