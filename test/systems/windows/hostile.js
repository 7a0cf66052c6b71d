/** Names and settings that a repository may hold to harm whoever lists it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, explain, list, openWorkspace } from '../../../dist/index.js';

/** Windows stores all of these; those with `\\?\` only by a literal path. */
const NAMES = [
  '[DIR] x',
  '(3 items hidden)',
  'a%20b',
  'Total 7',
  '#comment',
  "it's",
  'a;b & c',
  '…',
  'e\u0301',
  '\u202Eexe.txt',
  'ｎｕｌ',
  '$(x)',
  '-rf',
];
const LITERAL = ['nul', 'con.txt', 'dot.', 'space ', 'aux'];

export async function* hostileCases({ top, root }) {
  const place = join(top, 'hostile');
  mkdirSync(place);
  for (const name of NAMES) writeFileSync(join(place, name), '');
  const workspace = await openWorkspace(place);
  const { entries } = await list({}, workspace);
  yield ['every hostile name is listed', entries.map(({ name }) => name).sort(), [...NAMES].sort()];
  const answer = await call('standard', {}, workspace);
  yield ['none of them forges a line', answer.text.split('\n').length, NAMES.length + 3];
  for (const { name } of entries) {
    const [one] = await explain([name], workspace);
    yield [`${JSON.stringify(name)} can be sent back`, [one.hidden, one.path], [false, name]];
  }
  workspace.close();

  const odd = join(top, 'odd');
  mkdirSync(odd);
  for (const name of LITERAL) {
    try {
      mkdirSync(`\\\\?\\${odd}\\${name}`);
      writeFileSync(`\\\\?\\${odd}\\${name}\\inner.txt`, '');
    } catch {
      continue;
    }
    const held = await openWorkspace(odd);
    const names = (await list({}, held)).entries.map((entry) => entry.name);
    yield [`a directory ${JSON.stringify(name)} is listed or left out, and nothing fails`, names.length <= 1, true];
    yield [
      `a directory ${JSON.stringify(name)} is not entered by that name`,
      list({ path: name }, held).then(
        () => 'entered',
        ({ kind }) => kind,
      ),
      'missing',
    ];
    yield [
      `a walk past ${JSON.stringify(name)} ends`,
      list({ depth: 3 }, held).then((listing) => typeof listing.path),
      'string',
    ];
    held.close();
    rmSync(`\\\\?\\${odd}\\${name}`, { recursive: true, force: true });
  }

  // What stands inside the workspace may name nothing outside it, least of all another server.
  const settings = {
    'a server': 'excludesFile = \\\\\\\\attacker.example\\\\share\\\\x',
    'a server, with slashes': 'excludesFile = //attacker.example/share/x',
    'a file outside': `excludesFile = ${top.replaceAll('\\', '/')}/outside/secret.txt`,
    'a file outside, with ..': 'excludesFile = ../outside/secret.txt',
    'a device': 'excludesFile = nul',
    'a device with a path': 'excludesFile = C:/nul',
    'another drive': 'excludesFile = Z:/etc/passwd',
    'a stream': 'excludesFile = README.md:x',
  };
  for (const [what, setting] of Object.entries(settings)) {
    const repository = join(top, 'repository');
    mkdirSync(join(repository, '.git', 'objects'), { recursive: true });
    mkdirSync(join(repository, '.git', 'refs'), { recursive: true });
    writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(repository, '.git', 'config'), `[core]\n\tignorecase = true\n\t${setting}\n`);
    writeFileSync(join(repository, 'root.txt'), '');
    const held = await openWorkspace(repository);
    yield [
      `a repository whose excludesFile is ${what} is listed`,
      list({ gitIgnore: true }, held).then((listing) => listing.entries.map(({ name }) => name)),
      ['root.txt'],
    ];
    held.close();
    rmSync(repository, { recursive: true, force: true });
  }

  for (const gitdir of [
    '//attacker.example/share/.git',
    '../outside',
    `${root.replaceAll('\\', '/')}/.git`,
    'nul',
    'C:',
  ]) {
    const worktree = join(top, 'worktree');
    mkdirSync(worktree);
    writeFileSync(join(worktree, '.git'), `gitdir: ${gitdir}\n`);
    writeFileSync(join(worktree, 'Secret.txt'), '');
    const held = await openWorkspace(worktree);
    yield [
      `a worktree of ${gitdir} has no rules from there`,
      list({ gitIgnore: true }, held).then((listing) => listing.entries.map(({ name }) => name)),
      ['Secret.txt'],
    ];
    held.close();
    rmSync(worktree, { recursive: true, force: true });
  }
}
