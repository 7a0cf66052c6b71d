/** What a person may type as a path by mistake, and what the command says then. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentLs } from '../support/command-line.ts';
import { makeTree } from '../support/tree.ts';

const ARCHIVES = 'Of archives, only .zip, .tar, .tar.gz, .tgz and .tar.zst can be listed.';

it.each(['app.7z', 'app.tar.xz', 'app.RAR'])(
  '%s is a file, and as a directory an archive that cannot be read',
  async (name) => {
    const path = join(makeTree({ [name]: '' }), name);
    expect(await agentLs([path])).toEqual({ status: 0, out: path, err: '' });
    for (const words of [[`${path}/`], ['tree', path], ['find', 'x', '--path', path]]) {
      expect(await agentLs(words)).toMatchObject({
        status: 1,
        err: expect.stringContaining(`: not a directory\n${ARCHIVES}`),
      });
    }
  },
);

it.each([
  ['http://example.com/x', 'An address begins with git:, s3:// or ssh://. Anything else is a path of this machine.'],
  ['s3:/b', "Did you mean 's3://b'?"],
  ['gti:.', "Did you mean 'git:.'?"],
  ['gti:/no/where@HEAD', "Did you mean 'git:/no/where@HEAD'?"],
  ['ssh:host/x', "Did you mean 'ssh://host/x'?"],
])('%s is not an address', async (path, hint) => {
  expect(await agentLs([path])).toEqual({
    status: 1,
    out: '',
    err: `agent-ls: cannot open '${path}': no such file or directory\n${hint}`,
  });
  expect((await agentLs(['tree', path])).err).toBe(`agent-ls: cannot open '${path}': no such directory\n${hint}`);
});

it('a root that cannot be opened is what the error is about, with the same hints', async () => {
  for (const words of [[], ['tree'], ['find', 'x'], ['call', '--text']]) {
    expect((await agentLs([...words, '--root', 'gti:.'])).err).toBe(
      "agent-ls: cannot open 'gti:.': no such directory\nDid you mean 'git:.'?",
    );
    expect((await agentLs([...words, '--root', '/nowhere'])).err).toBe(
      "agent-ls: cannot open '/nowhere': no such directory",
    );
  }
});

it('an address that is spelt right is not suggested again', async () => {
  const root = `git:${makeTree({ 'a.txt': '' })}@HEAD`;
  const { err } = await agentLs(['--root', root]);
  expect(err).toMatch(/^agent-ls: .+/);
  expect(err).not.toContain('Did you mean');
});

it('a path inside an archive names it as the root', async () => {
  const path = join(makeTree({ 'app.zip': '' }), 'app.zip');
  expect((await agentLs([`${path}/src`])).err).toContain(`An archive is a root: agent-ls --root '${path}' 'src'`);
});

it('a revision without a repository', async () => {
  const hint = "there is no git repository at 'HEAD~1'; a revision of the one around you is git:.@HEAD~1";
  expect((await agentLs(['git:HEAD~1'])).err).toContain(hint);
  expect((await agentLs(['git:nowhere@HEAD~1'])).err).not.toContain('around you');
});

it('a path without a scheme gets no hint about addresses, and neither does a Windows drive', async () => {
  for (const path of ['nothing-here', 'C:\\nothing-here']) {
    expect((await agentLs([path])).err).toMatch(/^agent-ls: cannot open '.*': no such file or directory$/);
  }
});

it('a file that is not a trace', async () => {
  const file = join(makeTree({}), 'README.md');
  for (const text of ['', '# Title\n\nText.\n']) {
    writeFileSync(file, text);
    const { status, out, err } = await agentLs(['replay', file]);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain(`'${file}' holds no calls; agent-ls mcp --trace FILE records them`);
  }
});

it('help names no command that does not exist', async () => {
  const { status, err } = await agentLs(['help', 'foo']);
  expect(status).toBe(2);
  expect(err).toMatch(/^agent-ls: Unknown command 'foo'\. Known: tree, find, /);
});

it('a command with the name of a directory says how to list it, on a terminal alone', async () => {
  const root = makeTree({ 'schema/a': '' });
  const here = process.cwd();
  process.chdir(root);
  try {
    const hint = "agent-ls: 'schema' is a command here; 'agent-ls ./schema' lists the directory.";
    expect((await agentLs(['schema'], { isTerminal: true })).err).toBe(hint);
    expect((await agentLs(['schema'])).err).toBe('');
    expect((await agentLs(['help'], { isTerminal: true })).err).toBe('');
  } finally {
    process.chdir(here);
  }
});
