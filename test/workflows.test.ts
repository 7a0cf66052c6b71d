/** The workflows: what they run is pinned, and they may do no more than they have to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DIRECTORY = fileURLToPath(new URL('../.github/workflows', import.meta.url));
const read = (file: string) => readFileSync(join(DIRECTORY, file), 'utf8');
const files = readdirSync(DIRECTORY);

/** The text of a job: its line, and all that is indented below it. */
function jobsIn(text: string): Map<string, string> {
  const jobs = text.slice(text.indexOf('\njobs:\n') + '\njobs:\n'.length);
  const found = [...jobs.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)*)/gm)];
  return new Map(found.map(([, name, body]) => [name as string, body as string]));
}

describe.each(files)('%s', (file) => {
  const text = read(file);

  it('pins each action by its commit, and says which version that is', () => {
    const used = [...text.matchAll(/\buses\b.*/g)].map(([line]) => line);
    expect(used.length).toBeGreaterThan(0);
    for (const line of used) expect(line).toMatch(/^uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('says what it may do, and keeps no credentials', () => {
    expect(text).toMatch(/^permissions:( \{\}|\n {2}contents: read)$/m);
    expect(text).not.toMatch(/write-all|pull_request_target|secrets\./);
    const checkouts = text.match(/actions\/checkout@/g)?.length ?? 0;
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts);
  });
});

describe('a release', () => {
  const jobs = jobsIn(read('release.yml'));
  const having = (words: string) => [...jobs].filter(([, body]) => body.includes(words)).map(([name]) => name);

  it('is made of a version tag, and checked and tested before', () => {
    expect(read('release.yml')).toMatch(/^on:\n {2}push:\n {4}tags: \['v/m);
    for (const words of ['npm ci', 'npm run check', 'npm test', 'npm run test:deep', 'npm pack'])
      expect(having(words)).toEqual(['build']);
    expect([...jobs.keys()]).toEqual(['build', 'publish', 'attach']);
    expect(jobs.get('publish')).toContain('needs: build');
    expect(jobs.get('attach')).toContain('needs: publish');
  });

  it('has an SBOM, which is attached', () => {
    expect(having('npm sbom --sbom-format cyclonedx > release/')).toEqual(['build']);
    expect(jobs.get('attach')).toMatch(/gh release create .* release\/\*/);
  });

  it('is published with provenance, by a job that may do nothing else and runs none of our code', () => {
    expect(having('npm publish --provenance')).toEqual(['publish']);
    expect(having('id-token: write')).toEqual(['publish']);
    expect(having('contents: write')).toEqual(['attach']);
    for (const words of ['npm ci', 'npm run', 'npm test', 'actions/checkout']) {
      expect(jobs.get('publish')).not.toContain(words);
      expect(jobs.get('attach')).not.toContain(words);
    }
  });
});
