/** The built library in a program of its own, under Node or another runtime: it answers there as it does here. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/tools.ts';
import { call, explain, list, scan, tree } from '../../src/index.ts';
import { makeRepository } from '../support/git.ts';
import { RUNTIME, RUNTIME_OPTIONS } from '../support/runtime.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

const DIST = new URL('../../dist/', import.meta.url);

/** The same questions here and there; what differs from call to call is left out. */
const QUESTIONS = `async ({ call, explain, list, scan, tools, tree }, root) => {
  const found = [];
  for await (const { path } of scan({ pattern: ['*.ts', '!b*'], gitIgnore: true }, root)) found.push(path);
  const [ls, , find] = await tools(root);
  return JSON.parse(JSON.stringify([
    (await call('standard', { include_hidden: true }, root)).data,
    await call('gemini', { path: root }, root),
    await call('mycode', { recursive: true, pattern: '**/*.ts' }, root),
    await call('codex', { dir_path: root }, root),
    (await call('standard', { path: 'none' }, root)).error,
    (await call('standard', { path: 'out' }, root)).error,
    (await tree({ budget: 300 }, root)).text,
    (await list({ metadata: true, order: 'size' }, root)).entries.map(({ name, metadata }) => [name, metadata.size]),
    await explain(['dist/x', 'src'], root),
    (await ls.execute({ path: 'src' })).text,
    (await find.execute({ query: 'lib' })).text,
    found,
  ]));
}`;

it('answers as it does here', async () => {
  const root = emptyDirectory();
  addTree(root, {
    ...{ 'src/a.ts': '1', 'src/b.ts': '', 'src/lib/é.ts': '12', 'dist/x': '', '.gitignore': 'dist/\n', 'a b': '' },
    ...{ link: { link: 'src' }, broken: { link: 'nowhere' }, out: { link: '/' }, 'many/x': null },
  });
  for (let i = 0; i < 300; i++) writeFileSync(join(root, 'many', `f${i}`), '');
  makeRepository(root);
  const program = join(emptyDirectory(), 'program.mjs');
  writeFileSync(
    program,
    `import * as library from ${JSON.stringify(new URL('index.js', DIST).href)};
     import { tools } from ${JSON.stringify(new URL('faces/adapters/tools.js', DIST).href)};
     const ask = ${QUESTIONS};
     console.log(JSON.stringify(await ask({ ...library, tools }, ${JSON.stringify(root)})));`,
  );
  const { stdout, stderr } = spawnSync(RUNTIME, [...RUNTIME_OPTIONS, program], { encoding: 'utf8' });
  const ask = new Function(`return ${QUESTIONS}`)();
  expect(stdout, stderr).not.toBe('');
  expect(JSON.parse(stdout)).toEqual(await ask({ call, explain, list, scan, tools, tree }, root));
});
