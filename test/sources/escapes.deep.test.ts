/** The arguments that try to leave a root, at roots that are not on the disk: none does. */
import { describe, expect, it } from 'vitest';
import { call, ListingError, list, tree } from '../../src/index.ts';
import { ARGUMENTS, PROJECT } from '../hardening/escape-arguments.ts';
import { isolateGit } from '../support/repository.ts';
import { ARCHIVES, FILE_SYSTEM, REVISION, SANDBOX_KINDS } from '../support/sources.ts';

isolateGit();

const WITHOUT_GIT = Object.fromEntries(Object.entries(PROJECT).filter(([path]) => !path.startsWith('.git/')));
const WITHOUT_LINKS = Object.fromEntries(
  Object.entries(PROJECT).filter(([, content]) => content === null || typeof content === 'string'),
);

const KINDS = [
  [FILE_SYSTEM, PROJECT],
  [REVISION, WITHOUT_GIT],
  ...SANDBOX_KINDS.map((kind) => [kind, WITHOUT_LINKS] as const),
  ...ARCHIVES.filter(({ name }) => name === 'pax' || name === '7-Zip').map((kind) => [kind, PROJECT] as const),
] as const;

describe.each(KINDS.map(([kind, project]) => [kind.name, kind, project] as const))('%s', (_, kind, project) => {
  it('is left by no argument', async () => {
    const workspace = await kind.open(project);
    const root = workspace.realPath;
    const above = root.replace(/\/[^/]*$/, '');
    const wrong: unknown[] = [];
    for (const [expected, paths] of Object.values(ARGUMENTS)) {
      for (const argument of paths) {
        // Where there is no link, nothing leads out by way of it.
        if (project === WITHOUT_LINKS && argument === 'leaves/..') continue;
        const path = argument.replaceAll('{ROOT}', root).replaceAll('{ABOVE}', above);
        const found = await list({ path }, workspace).then(
          () => 'listed',
          (error) => (error instanceof ListingError ? error.kind : String(error)),
        );
        const answer = await call('standard', { path }, workspace);
        if (answer.status !== 'error') wrong.push([argument, 'listed']);
        const map = await tree({ path }, workspace);
        // A map's own patterns are no paths.
        if (map.status !== 'error' && !/^\.?\*$/.test(argument)) wrong.push([argument, 'mapped']);
        // Where nothing lies around the root, a name outside may as well be one that is not there.
        if (found !== expected && !(expected === 'outside' && found === 'missing'))
          wrong.push([argument, found, expected]);
      }
    }
    workspace.close();
    expect(wrong).toEqual([]);
  });
});
