/** Links of pages lead to files, and to headings, that are there; commands for developers name scripts that are there. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { allPages, blocksOf, DEVELOPERS_PAGES, PROJECT, read } from './pages.ts';

/** As the sites that show Markdown name a heading. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(`${PROJECT}${target}`)) return true;
  return anchor !== undefined && (statSync(`${PROJECT}${target}`).isDirectory() || !anchorsOf(target).includes(anchor));
}

it.each(allPages())('%s', (page) => {
  const prose = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const local = links.filter((link) => !/^https:/.test(link));
  expect(local.filter((link) => isBroken(page, link))).toEqual([]);
});

it('every page of docs/ is in its index', () => {
  const index = read('docs/README.md');
  const pages = allPages().filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  expect(pages.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
});

it.each(DEVELOPERS_PAGES)('%s has commands that are there', (page) => {
  const { scripts } = JSON.parse(read('package.json'));
  const commands = blocksOf(page).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
  const missing = commands.filter((command) => {
    const [, script, file] = /^(?:nice -n \d+ )?(?:npm run (\S+)|node (\S+))/.exec(command) ?? [];
    if (script !== undefined) return !(script in scripts);
    return file !== undefined && !existsSync(`${PROJECT}${file}`);
  });
  expect(missing).toEqual([]);
});
