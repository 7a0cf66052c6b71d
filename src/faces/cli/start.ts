#!/usr/bin/env node
/**
 * The start of the command. What V8 makes of its code is written beside it by the build (`scripts/compile.js`), for the
 * V8 that the build ran on: there nothing has to be parsed and compiled again. Elsewhere Node loads the same files itself.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Script } from 'node:vm';

declare const require: NodeJS.Require;
declare const module: NodeJS.Module;
declare const __dirname: string;

const COMMAND = 'command.cjs';

type Wrapper = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

const modules = new Map<string, { exports: unknown }>();

/** What was compiled, by its file. */
export const scripts = new Map<string, Script>();

/** Where the build writes what V8 made of a file. It is of no use to another V8, and does not bear its name. */
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

/** As `require` does it, for a file of the command. */
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
  (script.runInThisContext() as Wrapper)(loading.exports, requireHere, loading, filename, __dirname);
  return loading.exports;
}

if (require.main === module) {
  const command = existsSync(compiledFile(COMMAND)) ? load(COMMAND) : require(`./${COMMAND}`);
  (command as typeof import('./main.ts')).main(process.argv.slice(2));
}
