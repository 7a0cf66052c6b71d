// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the source of templates is what is changed here

// Breaks the dialects and what they lean on, one clause at a time, in a copy of the project, and expects the
// tests to notice each time: `npm run mutate`, or `npm run mutate -- WORD` for the files with that word in their path.
// A mutation that survives is a clause that no test holds.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STANDARD = 'src/dialects/standard.ts';
const GEMINI = 'src/dialects/gemini.ts';
const MYCODE = 'src/dialects/mycode.ts';
const CODEX = 'src/dialects/codex.ts';
const IGNORE_FILES = 'src/rules/ignore-files.ts';

/** File, what stands there, what it is changed to. */
const MUTATIONS = [
  [STANDARD, 'offset < 0', 'offset < -1'],
  [STANDARD, 'limit < 1 ||', 'limit < 0 ||'],
  [STANDARD, 'const MAX_LIMIT = 200', 'const MAX_LIMIT = 201'],
  [STANDARD, 'const DEFAULT_LIMIT = 100', 'const DEFAULT_LIMIT = 99'],
  [STANDARD, '?? false;\n  if (typeof includeHidden', '?? true;\n  if (typeof includeHidden'],
  [STANDARD, "typeof includeHidden !== 'boolean'", 'false'],
  ['src/dialects/parameters.ts', "every((item) => typeof item === 'string')", 'every(() => true)'],
  [STANDARD, 'refuseUnknown(given, PARAMETERS);', ''],
  [STANDARD, "[{ kind: 'dotfiles' }, { kind: 'builtin-names' }]", "[{ kind: 'dotfiles' }]"],
  [STANDARD, "[{ kind: 'dotfiles' }, { kind: 'builtin-names' }]", "[{ kind: 'builtin-names' }]"],
  [STANDARD, 'totals.file + totals.other', 'totals.file'],
  [STANDARD, "type === 'other' ? 'file' : type", 'type as never'],
  [STANDARD, 'listing.stopped !== null || (', '('],
  [STANDARD, 'listing.end < total', 'listing.end <= total'],
  [STANDARD, "lines.push('', ...entries", 'lines.push(...entries'],
  [STANDARD, 'Use offset=${end}', 'Use offset=${end + 1}'],
  [STANDARD, '${total - end} more items', '${total} more items'],
  [STANDARD, 'Math.max(1, ', 'Math.max(0, '],
  [STANDARD, 'checkCursor(listing, call);', ''],
  [STANDARD, 'if (offset === 0) return bookmark;', 'return bookmark;'],
  [STANDARD, 'listing.stopped !== null || !hasMore', '!hasMore'],
  ['src/listing/list.ts', 'await collector.positionAfter(after, patience)', 'page.offset'],
  ['src/listing/name-collector.ts', '(name > mark.name ? 1 : -1)', '1'],
  [STANDARD, "code: 'NOT_FOUND'", "code: 'INTERNAL_ERROR'"],
  [STANDARD, 'Permission denied accessing', 'No permission for'],
  [STANDARD, "case 'timeout':\n    case 'aborted':", "case 'timeout':"],
  [STANDARD, 'call.params === undefined ? {} : call.params', '{}'],
  ['src/rules/builtin.ts', "'venv',", ''],
  ['src/rules/builtin.ts', '=== 0x2e', '=== 0x2f'],
  ['src/rules/ignore-argument.ts', "pattern.startsWith('**/')", 'false'],
  ['src/rules/ignore-argument.ts', ' || matches(whole, effort)', ''],
  ['src/rules/fnmatch.ts', 'points[at] === 0x21', 'points[at] === 0x5e'],
  ['src/listing/name-order.ts', 'byte + 32', 'byte'],
  ['src/listing/contents.ts', "(type === 'link' && followed(name))", 'false'],
  ['src/workspace/resolve.ts', "if (this.#here.path === '' && step.fromLink) throw outside();", ''],
  ['src/workspace/argument.ts', "if (path.includes('\\0')) throw outside();", ''],
  ['src/workspace/quote.ts', "text === text.normalize('NFC')", 'true'],
  [GEMINI, 'if (!isAbsolute(bytes))', 'if (false)'],
  [GEMINI, "order: 'english'", "order: 'folded'"],
  [GEMINI, "name.startsWith('[DIR] ') || ", ''],
  [GEMINI, ' && hidden.size === 0', ''],
  [GEMINI, '[...filtering.defaultIgnorePatterns, ...ignore]', '[...ignore]'],
  [GEMINI, 'respectGitIgnore ?? filtering.respectGitIgnore', 'filtering.respectGitIgnore'],
  [IGNORE_FILES, 'if (inDotGit || this.#isDotGit(name)) return DOT_GIT;', ''],
  [IGNORE_FILES, '(ruling?.ignored && wish.ignored)', 'false'],
  [IGNORE_FILES, 'git === null || isBack ? null', 'git === null ? null'],
  [IGNORE_FILES, 'if (repository?.workTree === directory) {', 'if (false) {'],
  ['src/rules/git-rules.ts', '/info/exclude`', '/info/excluded`'],
  ['src/rules/git-rules.ts', 'if (excludesFile !== null)', 'if (false)'],
  ['src/listing/cache.ts', ' && before.ctimeNs === after.ctimeNs', ''],
  ['src/listing/cache.ts', 'isSettled(stamp, Date.now())', 'true'],
  ['src/listing/cache.ts', ' || !leadAsBefore(known.contents.links, directory)', ''],
  ['src/listing/english-collector.ts', '(a.entry.name < b.entry.name ? -1 : 1)', '0'],
  [MYCODE, 'depth: recursive ? depth : 1', 'depth'],
  [MYCODE, "rules: all ? [] : [{ kind: 'dotfiles' }]", 'rules: []'],
  [MYCODE, 'const MOST_ENTRIES = 1000', 'const MOST_ENTRIES = 999'],
  [MYCODE, 'const DEEPEST = 10', 'const DEEPEST = 11'],
  [MYCODE, 'if (directoriesOnly && filesOnly) {', 'if (false) {'],
  ['src/listing/sinks.ts', " || type === 'dir' || type === 'link' ? 0", ' ? 0'],
  ['src/listing/sinks.ts', 'const sign = this.#reverse ? -1 : 1;', 'const sign = 1;'],
  ['src/listing/level-reader.ts', 'if (reverse) passed.names.reverse();', ''],
  [
    'src/listing/walk.ts',
    'const parked = this.#levels.at(-HELD - 1);',
    'const parked = undefined as OpenLevel | undefined;',
  ],
  [CODEX, 'offset: offset - 1', 'offset'],
  [CODEX, "order: 'path'", "order: 'name'"],
  [CODEX, 'if (listing.end < total)', 'if (listing.end <= total)'],
  [CODEX, 'error.isThroughFile ? NOT_A_DIRECTORY : ', ''],
];

const [word = ''] = process.argv.slice(2);
const chosen = MUTATIONS.filter(([file]) => file.includes(word));

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
  for (const [file, from, to] of chosen) {
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
console.log(`${chosen.length - survivors} of ${chosen.length} mutations were noticed.`);
process.exitCode = survivors === 0 ? 0 : 1;
