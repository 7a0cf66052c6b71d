// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the source of templates is what is changed here

// Breaks the standard dialect and what it leans on, one clause at a time, in a copy of the project, and expects the
// tests to notice each time: `npm run mutate`. A mutation that survives is a clause that no test holds.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STANDARD = 'src/dialects/standard.ts';

/** File, what stands there, what it is changed to. */
const MUTATIONS = [
  [STANDARD, 'offset < 0', 'offset < -1'],
  [STANDARD, 'limit < 1 ||', 'limit < 0 ||'],
  [STANDARD, 'const MAX_LIMIT = 200', 'const MAX_LIMIT = 201'],
  [STANDARD, 'const DEFAULT_LIMIT = 100', 'const DEFAULT_LIMIT = 99'],
  [STANDARD, '?? false;\n  if (typeof includeHidden', '?? true;\n  if (typeof includeHidden'],
  [STANDARD, "typeof includeHidden !== 'boolean'", 'false'],
  [STANDARD, "every((item) => typeof item === 'string')", 'every(() => true)'],
  [STANDARD, 'refuseUnknown(given, PARAMETERS);', ''],
  [STANDARD, 'includeHidden ? [] : [dotfiles, builtinNames]', 'includeHidden ? [] : [dotfiles]'],
  [STANDARD, 'includeHidden ? [] : [dotfiles, builtinNames]', 'includeHidden ? [] : [builtinNames]'],
  [STANDARD, 'totals.file + totals.other', 'totals.file'],
  [STANDARD, "type === 'other' ? 'file' : type", 'type as never'],
  [STANDARD, 'listing.stopped !== null || (', '('],
  [STANDARD, 'listing.end < total', 'listing.end <= total'],
  [STANDARD, "lines.push('', ...entries", 'lines.push(...entries'],
  [STANDARD, 'Use offset=${end}', 'Use offset=${end + 1}'],
  [STANDARD, '${total - end} more items', '${total} more items'],
  [STANDARD, 'Math.max(1, ', 'Math.max(0, '],
  [STANDARD, "code: 'NOT_FOUND'", "code: 'INTERNAL_ERROR'"],
  [STANDARD, 'Permission denied accessing', 'No permission for'],
  [STANDARD, "case 'timeout':\n    case 'aborted':", "case 'timeout':"],
  [STANDARD, 'call.params === undefined ? {} : call.params', '{}'],
  ['src/rules/builtin.ts', "'venv',", ''],
  ['src/rules/builtin.ts', '=== 0x2e', '=== 0x2f'],
  ['src/rules/ignore-argument.ts', "pattern.startsWith('**/')", 'false'],
  ['src/rules/ignore-argument.ts', '(one.withPath && matches(path, effort))', 'false'],
  ['src/rules/fnmatch.ts', 'points[at] === 0x21', 'points[at] === 0x5e'],
  ['src/listing/name-order.ts', 'byte + 32', 'byte'],
  ['src/listing/list.ts', "(type === 'link' && amongDirectories(name))", 'false'],
  ['src/workspace/resolve.ts', "if (this.#here.path === '' && step.fromLink) throw outside();", ''],
  ['src/workspace/argument.ts', "if (path.includes('\\0')) throw outside();", ''],
  ['src/workspace/quote.ts', "text === text.normalize('NFC')", 'true'],
];

const project = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'agent-ls-mutate-'));
for (const name of ['src', 'test', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
  cpSync(join(project, name), join(copy, name), { recursive: true });
}
symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'), 'junction');

const folders = ['contract', 'rules', 'listing', 'workspace'].map((name) => join('test', name));
const testsPass = () =>
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...folders], { cwd: copy })
    .status === 0;

let survivors = 0;
try {
  if (!testsPass()) throw new Error('The tests fail before anything was changed.');
  for (const [file, from, to] of MUTATIONS) {
    const path = join(copy, file);
    const original = readFileSync(path, 'utf8');
    if (!original.includes(from)) throw new Error(`${file} no longer holds: ${from}`);
    writeFileSync(
      path,
      original.replace(from, () => to),
    );
    const noticed = !testsPass();
    writeFileSync(path, original);
    if (!noticed) survivors++;
    console.log(`${noticed ? 'noticed ' : 'SURVIVED'}  ${file}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${MUTATIONS.length - survivors} of ${MUTATIONS.length} mutations were noticed.`);
process.exitCode = survivors === 0 ? 0 : 1;
