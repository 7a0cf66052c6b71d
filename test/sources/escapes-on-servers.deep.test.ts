/** The arguments that try to leave the root, on real servers: each is refused, or is the literal name that it is. */
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, openWorkspace, type Workspace } from '../../src/index.ts';
import { ARGUMENTS, type Kind, PROJECT } from '../hardening/escape-arguments.ts';
import { makeBucket, putObjects, s3Server, sshServer } from '../support/servers.ts';
import { addTree, makeTree } from '../support/tree.ts';

const ssh = await sshServer();
const s3 = await s3Server();

const CODES: Readonly<Record<Kind, string>> = {
  outside: 'ACCESS_DENIED',
  missing: 'NOT_FOUND',
  malformed: 'INVALID_PARAM',
};

/** What stands beside the root, and in no answer. */
const OUTSIDE = { 'outside/SECRET': 'SECRET', 'outside/deep/deeper/SECRET': '', 'root-sibling/SECRET': '' };

/** What comes of each argument of some kind; `isThorough` asks in further dialects, too. */
async function outcomes(
  workspace: Workspace,
  root: string,
  args: readonly string[],
  isThorough: boolean,
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const argument of args) {
    const path = argument.replaceAll('{ROOT}', root).replaceAll('{ABOVE}', dirname(root));
    const answer = await call('standard', { path }, workspace);
    const others = isThorough
      ? [
          await call('mycode', { path, recursive: true }, workspace),
          await call('codex', { dir_path: path.startsWith('/') ? path : `${root}/${path}` }, workspace),
        ]
      : [];
    const told = JSON.stringify([answer, others]).replaceAll(JSON.stringify(path).slice(1, -1), '');
    expect(told, argument).not.toContain('SECRET');
    found.push([argument, answer.error?.code ?? 'listed']);
  }
  return found;
}

describe.skipIf(ssh === null)('through SFTP', () => {
  it.each(Object.entries(ARGUMENTS))('nothing leaves the root: %s', async (_, [kind, args]) => {
    const root = makeTree(PROJECT);
    chmodSync(dirname(root), 0o755);
    addTree(dirname(root), OUTSIDE);
    const workspace = await openWorkspace(`ssh://${ssh?.user}@127.0.0.1:${ssh?.port}${root}`);
    expect(await outcomes(workspace, root, args, true)).toEqual(args.map((argument) => [argument, CODES[kind]]));
    workspace.close();
  });
});

describe.skipIf(s3 === null)('through S3', () => {
  // There are no links in a bucket: what would lead out by one is missing, and with `..` behind it the root.
  const REFUSED = [CODES.outside, CODES.missing];

  it('nothing leaves the root', async () => {
    await makeBucket('agent-ls-escapes');
    const files = Object.entries(PROJECT).flatMap(([path, content]) =>
      typeof content === 'string' ? [[join('root', path), content] as const] : [],
    );
    await putObjects(s3 as NonNullable<typeof s3>, 'agent-ls-escapes', [...files, ...Object.entries(OUTSIDE)]);
    const workspace = await openWorkspace('s3://agent-ls-escapes/root');
    for (const [about, [kind, args]] of Object.entries(ARGUMENTS)) {
      for (const [argument, code] of await outcomes(workspace, workspace.realPath, args, false)) {
        if (kind !== 'outside') expect([argument, code]).toEqual([argument, CODES[kind]]);
        else if (about !== 'links') expect(REFUSED, argument).toContain(code);
      }
    }
    workspace.close();
  });
});
