/** Roots that are not a disk, and hold names, paths and depths that no disk would. */
import { appendFileSync, realpathSync, utimesSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ForgedRepository, hostileStore, pax, sendKeys, tarEntry, writeTarGz } from './hostile-trees.ts';
import type { Case, Step } from './stall-attack.ts';
import { KILOBYTE, MEGABYTE } from './stall-builders.ts';

/** These take half a minute each: a part of them, for which the client waits less long, runs with the others. */
const LONG = ['an archive of 500,000 directories', 'an object store of deep, long keys'];

/** One case at the size that was seen to do harm, and one of ten times that. */
function twice(name: string, of: (size: number) => Omit<Case, 'name' | 'isHeavy' | 'hasOwnServer'>): Case[] {
  const isHeavy = LONG.includes(name);
  return [
    ...(isHeavy ? [{ name: `${name}, a fifth`, hasOwnServer: true, ...of(0.2) }] : []),
    { name, hasOwnServer: true, isPatient: true, isHeavy, ...of(1) },
    { name: `${name}, ten times`, isHeavy: true, hasOwnServer: true, ...of(10) },
  ];
}

const asked = (path: string): Step[] => [
  { tool: 'Tree', params: { path } },
  { tool: 'LS', params: { path } },
];

/** An archive is read anew by each call, since it has changed. */
function archive(name: string, partsOf: (size: number) => Iterable<Buffer>): Case[] {
  return twice(`an archive of ${name}`, (size) => {
    const pathIn = (root: string) => join(root, 'a.tar.gz');
    return {
      build: (root) => writeTarGz(pathIn(root), partsOf(size)),
      address: pathIn,
      calls: (root) =>
        asked(realpathSync(pathIn(root))).map((call) => ({
          label: `${'tool' in call ? call.tool : ''} of ${name}`,
          session: async ({ ask }, signal) => {
            utimesSync(pathIn(root), new Date(), new Date(Date.now() - Math.random() * 1e9));
            if ('tool' in call) await ask(call.tool, call.params, signal);
          },
        })),
    };
  });
}

function* repeated(count: number, part: (i: number) => Buffer): Generator<Buffer> {
  for (let i = 0; i < count; i++) yield part(i);
}

const DIRECTORIES_AT_ONCE = 20_000;
const someDirectories = (from: number) =>
  Buffer.concat(Array.from({ length: DIRECTORIES_AT_ONCE }, (_, i) => tarEntry(`directory-${from + i}/`, '5')));

function repository(name: string, treeOf: (repository: ForgedRepository, size: number) => Buffer): Case[] {
  return twice(`a revision of ${name}`, (size) => ({
    build: (root) => {
      const forged = new ForgedRepository();
      forged.write(join(root, 'r.git'), treeOf(forged, size));
    },
    address: (root) => `git:${join(root, 'r.git')}@main`,
    calls: (root) => asked(`${realpathSync(join(root, 'r.git'))}@main`),
  }));
}

/** The settings of a repository are read before its trees. */
function settings(name: string, contentOf: (size: number) => string): Case[] {
  return repository(`a repository with settings of ${name}`, (forged) =>
    forged.tree([['100644', 'a', forged.blob()]]),
  ).map((one, i) => ({
    ...one,
    build: async (root) => {
      await one.build(root);
      appendFileSync(join(root, 'r.git/config'), contentOf(10 ** i));
    },
  }));
}

function chain(repository: ForgedRepository, levels: number): Buffer {
  let tree = repository.tree([['100644', 'end', repository.blob()]]);
  for (let i = 0; i < levels; i++) tree = repository.tree([['40000', 'd', tree]]);
  return tree;
}

/** The address is answered, so that the root can be opened; what comes then is hostile. */
function store(name: string, answer: (response: ServerResponse, request: number, size: number) => void): Case[] {
  return twice(`an object store of ${name}`, (size) => ({
    build: () =>
      hostileStore((response, request) => {
        if (request === 0) sendKeys(response, ['a/b'], 'x');
        else answer(response, request, size);
      }),
    address: () => 's3://bucket',
    calls: () => asked('/bucket'),
  }));
}

/** Keys of a kilobyte with 400 levels each, that have nothing in common. */
const deepKeys = (request: number, size: number) =>
  Array.from({ length: 1000 }, (_, i) => `${request}-${i}/${'a/'.repeat(400)}${'b'.repeat(100 * size)}`);

export const ELSEWHERE: readonly Case[] = [
  ...archive('62 paths of a megabyte that lead out', (size) =>
    repeated(62 * size, (i) =>
      Buffer.concat([pax({ path: `../${i}${'/.'.repeat(MEGABYTE / 2 - KILOBYTE)}` }), tarEntry('x')]),
    ),
  ),
  ...archive('a path of 500 long names', (size) =>
    repeated(size, (i) => Buffer.concat([pax({ path: `${i}${'n'.repeat(2090)}/`.repeat(500) }), tarEntry('x')])),
  ),
  ...archive('a name of 30,000 bytes', (size) =>
    repeated(1, () => Buffer.concat([pax({ path: '{,'.repeat(15_000 * size) }), tarEntry('x')])),
  ),
  ...archive('500,000 directories', (size) =>
    repeated((500_000 * size) / DIRECTORIES_AT_ONCE, (i) => someDirectories(i * DIRECTORIES_AT_ONCE)),
  ),
  ...archive('200 links of a megabyte', (size) =>
    repeated(200 * size, (i) =>
      Buffer.concat([tarEntry('k', 'K', 'l/'.repeat(MEGABYTE / 2)), tarEntry(`link-${i}`, '2')]),
    ),
  ),
  ...archive('100 headers of tiny records', (size) => {
    const header = tarEntry('pax', 'x', '5 a=\n'.repeat(200_000));
    return repeated(100 * size, (i) => Buffer.concat([header, tarEntry(`file-${i}`)]));
  }),
  ...repository('62 names of a megabyte', (forged, size) =>
    forged.tree(
      Array.from({ length: size }, (_, d) => [
        '40000',
        `d${d}`,
        forged.tree(
          Array.from({ length: 62 }, (_, i) => ['100644', `${d}-${i}${'n'.repeat(MEGABYTE)}`, forged.blob()]),
        ),
      ]),
    ),
  ),
  ...settings('100 KB of line breaks', (size) => '\n'.repeat(100 * KILOBYTE * size)),
  ...repository('60,000 levels', (forged, size) => chain(forged, 60_000 * size)),
  ...store('deep, long keys', (response, request, size) => sendKeys(response, deepKeys(request, size), `${request}`)),
  ...store('an error without end', (response) => {
    response.writeHead(403, { 'content-type': 'application/xml' });
    response.write('<Error><Code>AccessDenied</Code>');
    const send = () => {
      while (response.writable && response.write('<Message>x</Message>'.repeat(10_000)));
    };
    response.on('drain', send);
    send();
  }),
];
