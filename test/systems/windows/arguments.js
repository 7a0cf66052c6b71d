/** Roots and arguments in every spelling that people and models write. */
import { dirname } from 'node:path';
import { list, openWorkspace } from '../../../dist/index.js';

export async function* argumentCases({ top, root }) {
  const slashes = (path) => path.replaceAll('\\', '/');
  const bare = (path) => path.slice(2);
  const other = (path) => path[0].toLowerCase() + path.slice(1).toUpperCase();
  const pathOf = async (path, workspace) =>
    list({ path }, workspace).then(
      (listing) => listing.path,
      (error) => error.kind,
    );
  const src = `${root}\\src`;

  const roots = {
    'as it is stored': root,
    'with slashes': slashes(root),
    'with a small drive letter': root[0].toLowerCase() + root.slice(1),
    'in capitals': root.toUpperCase(),
    'in small letters': root.toLowerCase(),
    'with a separator at its end': `${root}\\`,
    'with a slash at its end': `${slashes(root)}/`,
    'through ..': `${root}\\src\\..`,
    'through .': `${root}\\.\\`,
    'without its drive': bare(root),
    'without its drive, with slashes': slashes(bare(root)),
    literal: `\\\\?\\${root}`,
    'literal, in capitals': `\\\\?\\${root.toUpperCase()}`,
  };
  process.chdir(top);
  Object.assign(roots, {
    relative: 'proj',
    'relative, in capitals': 'PROJ',
    'relative to the drive': `${root.slice(0, 2)}proj`,
    'relative, with a dot': '.\\proj',
  });
  for (const [spelling, given] of Object.entries(roots)) {
    const opening = openWorkspace(given);
    yield [`a root ${spelling} has its stored name`, opening.then(({ realPath }) => realPath), root];
    const workspace = await opening.catch(() => null);
    if (workspace === null) continue;
    yield [`in a root ${spelling}, src is found`, pathOf('src', workspace), 'src'];
    yield [`in a root ${spelling}, its absolute path is found`, pathOf(src, workspace), 'src'];
    workspace.close();
  }
  const accented = await openWorkspace(`${root}\\SRC\\CAFÉ`);
  yield ['a root with an accent has its stored name', accented.realPath, `${root}\\src\\café`];
  process.chdir(`${root}\\src\\café`);
  const relative = await openWorkspace('.');
  yield ['a relative root where the path has an accent', relative.realPath, `${root}\\src\\café`];
  yield ['names in it', list({}, relative).then(({ entries }) => entries.map(({ name }) => name)), ['Ñandú.txt']];
  process.chdir(top);

  const workspace = await openWorkspace(root);
  const deep = {
    'src\\Deep': 'src/Deep',
    'src/Deep': 'src/Deep',
    'src/Deep/': 'src/Deep',
    'src\\Deep\\': 'src/Deep',
    '.\\src\\.\\Deep': 'src/Deep',
    'src//Deep': 'src/Deep',
    SRC: 'src',
    'SRC\\DEEP': 'src/Deep',
    'src/deep/INNER': 'src/Deep/Inner',
    'src/CAFÉ': 'src/café',
    'src\\..\\docs': 'docs',
    'missing\\..\\docs': 'docs',
    'src\\Deep\\..\\..\\DOCS': 'docs',
    '..\\proj\\src': 'src',
    '..\\PROJ\\SRC': 'src',
    '..': 'outside',
    '..\\proj-sibling': 'outside',
    '..\\proj-missing': 'outside',
    'src\\..\\..': 'outside',
    [src]: 'src',
    [slashes(src)]: 'src',
    [other(src)]: 'src',
    [slashes(other(src))]: 'src',
    [bare(src)]: 'src',
    [slashes(bare(src))]: 'src',
    [`\\\\?\\${src}`]: 'src',
    [`//?/${slashes(src)}`]: 'src',
    [`"${src.replaceAll('\\', '\\\\')}"`]: 'src',
    [`${root}-sibling`]: 'outside',
    [`${root}-missing`]: 'outside',
    [dirname(top)]: 'outside',
    [`${top}\\outside`]: 'outside',
    [`${top}\\OUTSIDE`]: 'outside',
    [root.slice(0, 3)]: 'outside',
    '\\': 'outside',
    '/': 'outside',
    '/etc': 'outside',
    'C:': 'outside',
    'C:src': 'outside',
    'Z:\\': 'outside',
    'q:/src': 'outside',
    '\\\\attacker.example\\share': 'outside',
    '\\\\attacker.example\\share\\x': 'outside',
    '//attacker.example/share/x': 'outside',
    '/\\attacker.example\\share': 'outside',
    '"\\\\\\\\attacker.example\\\\share"': 'outside',
    '\\\\?\\UNC\\attacker.example\\share': 'outside',
    '\\\\.\\C:\\': 'outside',
    '\\\\.\\PhysicalDrive0': 'outside',
    '\\\\.\\pipe\\x': 'outside',
    '\\\\?\\GLOBALROOT\\Device\\Null': 'outside',
    '\\??\\C:\\': 'outside',
    'src:stream': 'outside',
    'src::$INDEX_ALLOCATION': 'outside',
    'README.md::$DATA': 'outside',
    'src.': 'missing',
    'src ': 'missing',
    'src\\Deep.': 'missing',
    'src...': 'missing',
    nul: 'missing',
    'NUL.txt': 'missing',
    'src\\CON': 'missing',
    aux: 'missing',
    com1: 'missing',
    'LPT9.x': 'missing',
    'COM¹': 'missing',
    conin$: 'missing',
    'README.md': 'not-a-directory',
    'readme.MD': 'not-a-directory',
    'README.md\\x': 'missing',
    'a*b': 'missing',
    'a?b': 'missing',
    'a|b': 'missing',
    '<': 'missing',
    '%TEMP%': 'missing',
    '~': 'missing',
    '$env:TEMP': 'outside',
  };
  for (const [argument, expected] of Object.entries(deep)) {
    yield [`the argument ${argument}`, pathOf(argument, workspace), expected];
  }
  // Windows tells the two forms apart, Wine does not.
  yield ['a decomposed name', pathOf('src/cafe\u0301', workspace), /^(?:missing|src\/caf\u00e9)$/];
  yield ['the argument with a NUL', pathOf('src\0', workspace), 'outside'];
  const inner = await openWorkspace(root, { cwd: 'SRC\\deep' });
  yield ['a cwd in another spelling', inner.cwd, 'src/Deep'];
  yield ['a path from that cwd', pathOf('..\\..\\DOCS', inner), 'docs'];
  for (const one of [workspace, inner, accented, relative]) one.close();
}
