/** `agent-ls explain PATH` agrees with what each tool shows. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentLs } from '../support/command-line.ts';
import { makeRepositoryTree } from '../support/repository.ts';
import { makeTree } from '../support/tree.ts';

const project = () =>
  makeRepositoryTree({ '.gitignore': '*.log\n!keep.log\n', 'app.log': '', 'keep.log': '', '.env': '', 'src/a.ts': '' });

describe('agent-ls explain without a dialect', () => {
  it('says what each tool does with a path, and which rule of which file decides', async () => {
    const { status, out, err } = await agentLs(['explain', 'app.log', '.env', 'keep.log', '--root', project()]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'app.log',
      '  agent-ls        shown; --git-ignore hides it',
      '  LS              shown; no rule matches it',
      '  Tree            hidden by the rule *.log (.gitignore, line 1); respect_git_ignore=false shows it',
      '  Find            hidden by the rule *.log (.gitignore, line 1); respect_git_ignore=false shows it',
      '  list_directory  hidden by the rule *.log (.gitignore, line 1); respect_git_ignore=false shows it',
      '  LS (mycode)     shown; no rule matches it',
      '  list_dir        shown; no rule matches it',
      '.env',
      '  agent-ls        hidden by the rule for dotfiles .*; -a shows it',
      '  LS              hidden by the rule for dotfiles .*; include_hidden=true shows it',
      '  Tree            shown; no rule matches it',
      '  Find            shown; no rule matches it',
      '  list_directory  shown; no rule matches it',
      '  LS (mycode)     hidden by the rule for dotfiles .*; all=true shows it',
      '  list_dir        shown; no rule matches it',
      'keep.log',
      '  agent-ls        shown; no rule matches it',
      '  LS              shown; no rule matches it',
      '  Tree            shown by the rule !keep.log (.gitignore, line 2)',
      '  Find            shown by the rule !keep.log (.gitignore, line 2)',
      '  list_directory  shown by the rule !keep.log (.gitignore, line 2)',
      '  LS (mycode)     shown; no rule matches it',
      '  list_dir        shown; no rule matches it',
    ]);
  });

  it('asks for an address as the root', async () => {
    const { status, out, err } = await agentLs(['explain', 'git:.@HEAD:src']);
    expect([status, out]).toEqual([1, '']);
    expect(err).toBe(
      "agent-ls: cannot explain 'git:.@HEAD:src': an address is a root; name it with --root, and as PATH what is inside it",
    );
  });

  it('agrees with the listings', async () => {
    const root = project();
    const names = ['app.log', '.env', 'keep.log', 'src'];
    const { out } = await agentLs(['explain', ...names, '--root', root]);
    const isShown = (tool: string) =>
      [...out.matchAll(new RegExp(`^  ${tool} +(shown|hidden)`, 'gm'))].map((match) => match[1] === 'shown');
    const lists = async (...words: string[]) => {
      const text = (await agentLs([...words, '--root', root])).out;
      return names.map((name) => text.split(/[\s/]+/).includes(name));
    };
    expect(isShown('agent-ls')).toEqual(await lists());
    expect(isShown('LS')).toEqual(await lists('call', '--text'));
    expect(isShown('Tree')).toEqual(await lists('call', '--tool', 'Tree', '--text'));
    const params = JSON.stringify({ path: root });
    expect(isShown('list_directory')).toEqual(await lists('call', params, '--dialect', 'gemini', '--text'));
  });

  it('takes the repository that a path lies in for the root, wherever it is asked from', async () => {
    const root = project();
    const { status, out } = await agentLs(['explain', join(root, 'app.log')]);
    expect(status).toBe(0);
    expect(out).toContain(`app.log (root: ${root})\n`);
    expect(out).toContain('Tree            hidden by the rule *.log (.gitignore, line 1)');
  });

  it('takes the directory of a path for the root that lies in no repository', async () => {
    const root = makeTree({ 'inner/.env': '' });
    expect((await agentLs(['explain', join(root, 'inner/.env')])).out).toContain(`(root: ${join(root, 'inner')})`);
  });

  it('says that nothing is there, and what may have been meant', async () => {
    const root = project();
    expect((await agentLs(['explain', join(root, 'ap.log')])).out).toContain(
      `: nothing is there. Did you mean '${join(root, 'app.log')}'? A file of that name would be:\n`,
    );
    const { out } = await agentLs(['explain', join(root, 'dist/none/')]);
    expect(out).toContain(': nothing is there. A directory of that name would be:\n');
  });
});
