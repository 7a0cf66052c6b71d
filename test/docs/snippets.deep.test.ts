/**
 * Every block of code in the pages for users, run.
 *
 *     console    commands behind `$ `, and what they print
 *     sh         commands that succeed; what they print is not shown
 *     js         a program that compiles under `strict` and ends well; a block `output` right behind it is what it prints
 *     json, toml settings of a program that starts agent-ls (see clients.test.ts), or any JSON
 *     text       nothing that can be run
 *
 * What is printed is compared with the page. `npx vitest run test/docs -u` writes it into the page instead.
 */
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, PROJECT, usersPages, withTexts } from './pages.ts';
import { checkPrograms, run } from './programs.ts';
import { makeSample, type Sample } from './sample-project.ts';

const LANGUAGES = ['console', 'sh', 'js', 'output', 'json', 'toml', 'text'];
/** What sets the project up has a test of its own: first-steps.test.ts. */
const isSetUp = ({ page, text }: Block) => page === 'README.md' && text.startsWith('npm ci');

/** Its commands are those of somebody who stands in a clone. */
const EXAMPLES = 'examples/README.md';

const blocks = usersPages().flatMap(blocksOf);

it('has no block of an unknown kind', () => {
  const unknown = blocks.filter(({ language }) => !LANGUAGES.includes(language));
  expect(unknown.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
});

it('has no output but of a program right before it', () => {
  const stray = blocks.filter(({ language }, i) => language === 'output' && blocks[i - 1]?.language !== 'js');
  expect(stray.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

describe('shows what commands print', () => {
  it.each(usersPages().filter((page) => blocksOf(page).some(({ language }) => language === 'console')))(
    '%s',
    async (page) => {
      const texts = new Map<Block, string>();
      for (const block of blocksOf(page)) {
        if (block.language === 'console') texts.set(block, session(block, makeSample()));
      }
      await expect(withTexts(page, texts)).toMatchFileSnapshot(`${PROJECT}${page}`);
    },
  );
});

describe('has commands that succeed', () => {
  it.each(blocks.filter((block) => block.language === 'sh' && !isSetUp(block)).map(titled))('%s', (_, { text }) => {
    const { status, output } = shell(`set -e\n${text}`, makeSample());
    expect(status, output).toBe(0);
  });
});

it('has programs that compile, run, and print what is shown', () => checkPrograms(usersPages(), makeSample()));

describe('has JSON that can be read', () => {
  it.each(blocks.filter(({ language }) => language === 'json').map(titled))('%s', (_, { text }) => {
    expect(JSON.parse(text)).toBeInstanceOf(Object);
  });
});

function titled(block: Block): [string, Block] {
  return [`${block.page}:${block.line}`, block];
}

/** The commands of a block with what they really print. */
function session({ page, text }: Block, sample: Sample): string {
  // A line that ends in `|` goes on in the next, behind `> `.
  const commands = [...text.matchAll(/^\$ (.*(?:(?<=\|)\n> .*)*)/gm)].map(([, command = '']) => command);
  return commands
    .map((command) => {
      const { output } = shell(command.replaceAll(/^> /gm, ''), sample, page === EXAMPLES ? PROJECT : sample.root);
      return `$ ${command}\n${sample.normalised(output)}`.replace(/\n*$/, '\n');
    })
    .join('\n');
}

function shell(script: string, sample: Sample, cwd = sample.root) {
  return run('bash', ['-c', `exec 2>&1\n${sample.placed(script)}`], sample, cwd);
}
