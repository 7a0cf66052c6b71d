/** docs/errors.md, made from real calls. `npx vitest run test/docs -u` writes it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DialectName, dialects, openWorkspace, tree } from '../../src/index.ts';
import { PROJECT } from './pages.ts';
import { makeSample, NAMED } from './sample-project.ts';

type Ask = readonly [what: string, params: unknown, options?: { readonly signal: AbortSignal }];

const aborted = { signal: AbortSignal.abort() };

const GALLERY: readonly (readonly [heading: string, dialect: DialectName | 'Tree', asks: readonly Ask[]])[] = [
  [
    '`LS` of the standard dialect',
    'standard',
    [
      ['a path that leads out', { path: '../other' }],
      ['an absolute path outside, there or not', { path: '/etc/passwd' }],
      ['a name that is misspelt', { path: 'src/util' }],
      ['a file', { path: 'package.json' }],
      ['a page that is too large', { limit: 1000 }],
      ['a page that starts before the first', { offset: -1 }],
      ['a pattern that is not a list', { ignore: '*.log' }],
      ['a parameter that does not exist', { recursive: true }],
      ['a parameter that is misspelt', { include_hiden: true }],
      ['a quoted name that is broken off', { path: '"src' }],
      ['parameters that are not an object', ['src']],
      ['a call that is cancelled before anything was read', {}, aborted],
    ],
  ],
  [
    '`Tree`',
    'Tree',
    [
      ['a budget that is too small', { budget: 50 }],
      ['a fold that is not there', { path: 'src/zz*' }],
      ['a path that leads out', { path: '..' }],
    ],
  ],
  [
    '`list_directory` of the gemini dialect',
    'gemini',
    [
      ['a relative path', { path: 'src' }],
      ['a path outside', { path: '/etc' }],
      ['nothing', {}],
      ['a name that does not exist', { path: `${NAMED}/source` }],
      ['a file', { path: `${NAMED}/package.json` }],
      ['a pattern that is not a list', { path: NAMED, ignore: '*.log' }],
    ],
  ],
  [
    '`LS` of the mycode dialect',
    'mycode',
    [
      ['a path outside', { path: '/etc' }],
      ['a name that is misspelt', { path: 'scr' }],
      ['a file', { path: 'package.json' }],
      ['more levels than there may be', { recursive: true, depth: 20 }],
      ['an order that does not exist', { sort: 'date' }],
      ['directories only, and files only', { directories_only: true, files_only: true }],
      ['a parameter that is misspelt', { recursiv: true }],
    ],
  ],
  [
    '`list_dir` of the codex dialect',
    'codex',
    [
      ['a relative path', { dir_path: 'src' }],
      ['a path outside', { dir_path: '/etc' }],
      ['a name that does not exist', { dir_path: `${NAMED}/source` }],
      ['a file', { dir_path: `${NAMED}/package.json` }],
      ['an offset of 0, where the first is 1', { dir_path: NAMED, offset: 0 }],
      ['a page past the end', { dir_path: `${NAMED}/src`, offset: 100 }],
      ['a number as text', { dir_path: NAMED, limit: '10' }],
    ],
  ],
];

const INTRODUCTION = `# Errors

Each section shows a call and the error that answers it: what happened, why, and what to do next. The first line is worded
as the contract says. Over MCP some of these calls succeed: there, parameters that a client adds are ignored, and \`"5"\` is
read as 5. A test makes this page from real calls in a sample project; \`/abs/project\` is its root.

On the command line, the exit status is 1 if the answer is an error. In a program, \`call\`, \`tree\` and
\`find\` answer with the failure; \`list\`, \`scan\` and \`explain\` throw a \`ListingError\`. Wrong options and errors of your
own functions are always thrown.`;

it('docs/errors.md shows what is really answered', async () => {
  const sample = makeSample();
  const workspace = await openWorkspace(sample.root);
  const sections = [INTRODUCTION];
  for (const [heading, dialect, asks] of GALLERY) {
    sections.push(`## ${heading}`);
    for (const [what, params, options] of asks) {
      const placed = JSON.parse(sample.placed(JSON.stringify(params)));
      const text = await (dialect === 'Tree' ? mapText : callText(dialect))(placed, workspace, options);
      sections.push(
        `${capitalised(what)}: \`${JSON.stringify(params)}\``,
        `\`\`\`text\n${sample.normalised(text)}\n\`\`\``,
      );
    }
  }
  workspace.close();
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot(join(PROJECT, 'docs/errors.md'));
});

type Called = (
  params: unknown,
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
  options: Ask[2],
) => Promise<string>;

const mapText: Called = async (params, workspace, options) => {
  const answer = await tree(params, workspace, options);
  expect(answer.status).toBe('error');
  return answer.text;
};

function callText(name: DialectName): Called {
  return async (params, workspace, options) => {
    const { answer, text, isError } = await dialects[name].call(params, workspace, options ?? {});
    expect(isError, JSON.stringify(answer)).toBe(true);
    return text;
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
