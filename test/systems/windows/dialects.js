/** Answers of the four dialects: stored names whatever was written, paths in the form of each contract. */
import { call, explain, find, list, openWorkspace, tree } from '../../../dist/index.js';

export async function* dialectCases({ root }) {
  const workspace = await openWorkspace(root);
  const standard = async (params) => {
    const answer = await call('standard', params, workspace);
    return answer.data?.entries?.map(({ path }) => path) ?? answer.error.code;
  };
  const gemini = (params) => call('gemini', params, workspace).then(({ llmContent }) => llmContent);
  const mycode = (params) => call('mycode', params, workspace);
  const codex = (params) => call('codex', params, workspace);
  const spellings = ['src/Deep', 'SRC\\DEEP', `${root}\\src\\Deep`, `${root}\\SRC\\deep`.toLowerCase()];

  for (const path of spellings) {
    yield [`standard shows stored names for ${path}`, standard({ path }), ['src/Deep/Inner', 'src/Deep/b.ts']];
    yield [
      `mycode for ${path}`,
      mycode({ path }).then(({ entries }) => entries.map(({ name }) => name)),
      ['b.ts', 'Inner'],
    ];
  }
  for (const path of spellings.slice(2)) {
    yield [`gemini lists ${path}`, gemini({ path }), '[DIR] Inner\nb.ts'];
    yield [
      `codex shows stored names for ${path}`,
      codex({ dir_path: path }).then(({ content }) => content),
      `Absolute path: ${path}\nInner/\n  a.ts\nb.ts`,
    ];
  }
  yield ['gemini refuses what is outside', gemini({ path: `${root}-sibling` }), /must be within|outside/];
  yield ['gemini refuses a relative path', gemini({ path: 'src' }), /absolute/];
  yield [
    'gemini hides by .gitignore and .geminiignore, whatever the case',
    gemini({ path: root }),
    /5 git-ignored, 1 gemini-ignored/,
  ];
  yield [
    'an ignore argument is not evaded',
    gemini({ path: `${root}\\SRC`, ignore: ['Deep'] }),
    '[DIR] café\nindex.ts',
  ];
  yield ['standard refuses what is outside', standard({ path: '..\\outside' }), 'ACCESS_DENIED'];
  yield ['standard refuses a server', standard({ path: '\\\\attacker.example\\share' }), 'ACCESS_DENIED'];
  yield ['standard does not find a device', standard({ path: 'nul' }), 'NOT_FOUND'];
  yield ['codex refuses what is outside', codex({ dir_path: `${root}-sibling` }).then(({ success }) => success), false];
  yield ['mycode refuses what is outside', mycode({ path: '..\\outside' }).then(({ success }) => success), false];

  // Pages of a directory whose path is written differently each time.
  const first = await call('standard', { path: 'MANY', limit: 100 }, workspace);
  yield ['a first page', first.data.entries.at(-1).path, 'Many/File-099.txt'];
  const second = await call('standard', { path: 'many', limit: 100, offset: 100 }, workspace);
  yield ['a second page', second.data.entries.map(({ path }) => path).at(0), 'Many/File-100.txt'];
  const next = await call('standard', { path: 'mANY', cursor: first.data.next_cursor }, workspace);
  yield ['a cursor', next.data.entries[0].path, 'Many/File-100.txt'];

  const maps = await tree({}, workspace);
  const text = maps.text;
  yield ['Tree leaves out what git ignores', /Build|Secret|debug|From-Info|draft-1/.test(text), false];
  yield ['Tree shows the rest', /docs\/ .*Guide\.md/.test(text) && text.includes('Inner/ a.ts'), true];
  yield [
    'Tree of a path in another case',
    tree({ path: 'SRC\\DEEP' }, workspace).then((map) => map.text),
    /^# src\/Deep: 2 files/,
  ];
  yield [
    'Find finds by words',
    find({ query: 'guide' }, workspace).then(({ data }) => data.entries.map(({ path }) => path)),
    ['docs/Guide.md'],
  ];
  yield ['Find finds by a glob', find({ query: 'src/**/*.ts' }, workspace).then(({ data }) => data.entries.length), 3];
  yield [
    'Find finds by the end of a path, with backslashes',
    find({ query: 'Deep\\Inner\\a.ts' }, workspace).then(({ data }) => data.entries[0]?.path),
    'src/Deep/Inner/a.ts',
  ];

  const hidden = async (path, options) => {
    const [one] = await explain([path], workspace, options);
    return [one.hidden, one.source, one.line];
  };
  yield ['explain: a rule of git', hidden('Build/out.js'), [true, '.gitignore', 1]];
  yield ['explain: in another case', hidden('BUILD\\OUT.js'), [true, '.gitignore', 1]];
  yield ['explain: an absolute path', hidden(`${root.toLowerCase()}\\secret.TXT`), [true, '.gitignore', 3]];
  yield ['explain: a pattern in another case', hidden('debug.LOG'), [true, '.gitignore', 2]];
  yield ['explain: a file in a directory', hidden('DOCS/draft-1.md'), [true, 'docs/.gitignore', 1]];
  yield ['explain: .git/info/exclude', hidden('from-info.txt'), [true, '.git/info/exclude', 1]];
  yield ['explain: .geminiignore', hidden('PRIVATE\\keys.txt'), [true, '.geminiignore', 1]];
  yield ['explain: what is shown', hidden('src\\index.ts'), [false, null, null]];

  const scanned = await list({ path: 'SRC', depth: 5, metadata: true }, workspace);
  yield [
    'list: all names below',
    scanned.entries.map(({ path }) => path).sort(),
    ['Deep', 'Deep/Inner', 'Deep/Inner/a.ts', 'Deep/b.ts', 'café', 'café/Ñandú.txt', 'index.ts'],
  ];
  yield ['list: no owner is made up', scanned.entries.every(({ metadata }) => metadata.owner === '?'), true];
  yield ['list: sizes', scanned.entries.find(({ name }) => name === 'index.ts').metadata.size, 1];
  const git = await list({ gitIgnore: true }, workspace);
  yield [
    'list: what git shows',
    git.entries.map(({ name }) => name),
    ['docs', 'Many', 'Private', 'src', '.geminiignore', '.gitignore', 'README.md', 'run.cmd'],
  ];
  workspace.close();
}
