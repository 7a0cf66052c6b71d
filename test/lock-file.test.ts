/** What is installed is what was tested: every package is pinned by its content, and by no registry's address. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

describe.each(['', 'bench/', 'test/frameworks/', 'test/frameworks/file-systems/'])('%spackage-lock.json', (folder) => {
  const { packages } = read(`${folder}package-lock.json`) as { packages: Record<string, Locked> };
  const { '': project, ...installed } = packages;

  it('has a strong checksum of every package, and where none comes from', () => {
    const all = Object.entries(installed);
    expect(all.length).toBeGreaterThan(0);
    const loose = all.filter(
      ([, { integrity = '', resolved, link }]) =>
        !/^sha512-/.test(integrity) || resolved !== undefined || link === true,
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('is of the versions that package.json names, each of them exact', () => {
    const { dependencies, devDependencies, optionalDependencies } = read(`${folder}package.json`);
    const named = { dependencies, devDependencies, optionalDependencies };
    expect({ ...project, ...named }).toEqual(project);
    for (const [name, version] of Object.values(named).flatMap((group) => Object.entries(group ?? {}))) {
      // `npm:ai@5.0.1` is a version under another name.
      expect([name, String(version).replace(/^npm:.*@/, '')]).toEqual([
        name,
        installed[`node_modules/${name}`]?.version,
      ]);
    }
  });
});

it('releases are published with their provenance', () => {
  expect(read('package.json').publishConfig).toEqual({ access: 'public', provenance: true });
});
