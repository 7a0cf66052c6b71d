/** The package as `npm pack` makes it, installed into an empty project without a network. `npm test` builds it first. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const described = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const entries = Object.keys(described.exports).filter((entry) => entry !== './package.json');

/** An empty project; what is installed there is nothing but the package, without the optional library of MCP. */
const place = mkdtempSync(join(tmpdir(), 'agent-ls-package-'));
const installed = join(place, 'node_modules', 'agent-ls');

const THERE = { cwd: place, encoding: 'utf8' } as const;
/** On Windows a command of npm is a script. */
const SCRIPT = { ...THERE, shell: process.platform === 'win32' } as const;

beforeAll(() => {
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  // Without `prepare`, which would build into the directory that other tests run from.
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', project], SCRIPT);
  const alone = ['--offline', '--cache', 'empty-cache', '--omit=optional', '--silent'];
  execFileSync('npm', ['install', ...alone, `./agent-ls-${VERSION}.tgz`], SCRIPT);
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What a program in that project prints, as JSON. */
function printed(type: 'module' | 'commonjs', program: string): unknown {
  return JSON.parse(execFileSync(process.execPath, [`--input-type=${type}`, '-e', program], THERE));
}

it('is less than 1 MB when it is packed, and needs no other package', () => {
  const packages = readdirSync(join(place, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages).toEqual(['agent-ls']);
  expect(statSync(join(place, `agent-ls-${VERSION}.tgz`)).size).toBeLessThan(1_000_000);
});

it.each([
  ...entries.flatMap((entry) => [described.exports[entry].types, described.exports[entry].default]),
  described.bin['agent-ls'],
  ...described.man,
  'README.md',
  'LICENSE',
  ...described.files.filter((file: string) => !file.startsWith('!')),
])('%s is there', (file) => {
  expect(existsSync(join(installed, file))).toBe(true);
});

it('the command runs', () => {
  const command = join(place, 'node_modules', '.bin', 'agent-ls');
  expect(execFileSync(command, ['--version'], SCRIPT)).toBe(`${VERSION}\n`);
  expect(execFileSync(command, ['-R', '--pattern', 'index.{js,cjs}', 'node_modules'], SCRIPT)).toContain('index.js');
  expect(execFileSync(command, ['mcp'], { ...SCRIPT, input: '' })).toBe('');
});

it('the library matches patterns and counts tokens', () => {
  const answers = `
    const { call, openWorkspace, tree } = await import('agent-ls');
    const workspace = await openWorkspace('.');
    const { entries } = await call('mycode', { pattern: '{package,x}.json' }, workspace);
    const { stats } = await tree({ path: 'node_modules/agent-ls/man' }, workspace);
    console.log(JSON.stringify([entries.map(({ name }) => name), stats.tokens > 0]));
  `;
  expect(printed('module', answers)).toEqual([['package.json'], true]);
});

describe('what is exported', () => {
  const names = {
    '.': expect.arrayContaining(['call', 'list', 'openWorkspace']),
    './tools': ['tools', 'toolsOf'],
    './ai-sdk': ['tools'],
    './openai': ['agentTools', 'chatTools', 'tools'],
    './anthropic': ['tools'],
    './gemini': ['tools'],
    './langchain': ['tools'],
    './mastra': ['tools'],
    './gemini-cli': ['LSTool'],
    './voltagent': ['tools'],
    './llamaindex': ['tools'],
    './genkit': ['tools'],
    './strands': ['tools'],
    './tanstack-ai': ['tools'],
    './google-adk': ['tools'],
    './opencode': ['tools'],
    './claude-agent-sdk': ['server'],
    './mcp': ['createServer'],
  };
  const print = (load: string) => `
    const found = {};
    for (const entry of ${JSON.stringify(entries)}) found[entry] = Object.keys(${load}('agent-ls' + entry.slice(1)));
    console.log(JSON.stringify(found));
  `;

  beforeAll(addOptional);

  it('can be imported', () => {
    expect(printed('module', print('await import'))).toEqual(names);
  });

  // Node allows it since 20.19, which is what developing needs.
  it('can be required', () => {
    expect(printed('commonjs', print('require'))).toEqual(names);
  });
});

describe('the types', () => {
  beforeAll(addOptional);

  const plain = entries.filter((entry) => entry !== './mcp');

  /** What the compiler says of a program that has nothing but the package. */
  function complaints(file: string, module: string, program: readonly string[], more: object = {}) {
    const directory = mkdtempSync(join(place, 'types-'));
    const moduleResolution = module === 'preserve' ? 'bundler' : module;
    const compilerOptions = {
      target: 'es2022',
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      types: [],
      ...more,
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    writeFileSync(join(directory, file), program.join('\n'));
    const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', directory], THERE);
    return { status, stdout };
  }

  const NONE = { status: 0, stdout: '' };

  const modules = ['preserve', 'node16', 'nodenext'];

  /** What compiles and what does not, for somebody who writes against the library. */
  const TYPED = [
    "import { list, scan, tree, type LSToolParams } from 'agent-ls';",
    "import { tools } from 'agent-ls/ai-sdk';",
    "const sent = JSON.parse('{}') as unknown;",
    "export const fine = [call('standard', sent, '.'), call('gemini', { path: '/a' } satisfies LSToolParams, '.')];",
    '// @ts-expect-error',
    "export const misspelt = call('standard', { pth: 1 }, '.');",
    '// @ts-expect-error',
    "export const wrongType = call('mycode', { depth: 'x' }, '.');",
    '// @ts-expect-error',
    "export const missing = call('codex', {}, '.');",
    '// @ts-expect-error',
    "export const noBudget = tree({ budgt: 1 }, '.');",
    "export const size: number | undefined = (await list({ metadata: true }, '.')).entries[0]?.metadata.size;",
    "for await (const { path } of scan({ pattern: ['*.ts', '!x'] }, '.')) path satisfies string;",
    "const mycode = await call('mycode', {}, '.');",
    'export const narrowed: boolean | string = mycode.success ? mycode.truncated : mycode.error;',
    "export const { LS, Tree } = await tools('.');",
    "export const { list_files } = await tools('.', { only: ['LS'], names: { LS: 'list_files' } });",
    '// @ts-expect-error',
    "export const { Tree: none } = await tools('.', { dialect: 'mycode' });",
  ];

  it.each(modules)('are right down to the last file, also without those of Node: --module %s', (module) => {
    const program = [
      ...plain.map((entry, at) => `export * as part${at} from 'agent-ls${entry.slice(1)}';`),
      "import { call, openWorkspace } from 'agent-ls';",
      "const { status } = await call('standard', { path: '.' }, await openWorkspace('.'));",
      "export const right: 'success' | 'partial' | 'error' = status;",
      '// @ts-expect-error',
      "export const wrong: 'success' = status;",
      ...TYPED,
    ];
    expect(complaints('main.mts', module, program)).toEqual(NONE);
  });

  it.each(modules)('know the server of the SDK: --module %s', (module) => {
    const program = [
      "import type { Server } from '@modelcontextprotocol/server';",
      "import { createServer } from 'agent-ls/mcp';",
      "export const right: Server = createServer({ roots: ['.'] });",
      '// @ts-expect-error',
      'export const wrong: string = right;',
    ];
    // The types of the SDK lean on those of Node.
    const withNode = { types: ['node'], typeRoots: [join(project, 'node_modules', '@types')], skipLibCheck: true };
    expect(complaints('main.mts', module, program, withNode)).toEqual(NONE);
  });

  it('can be required: --module nodenext', () => {
    const program = plain.map((entry, at) => `export import part${at} = require('agent-ls${entry.slice(1)}');`);
    expect(complaints('main.cts', 'nodenext', program)).toEqual(NONE);
  });
});

/** Installs what was left out, from what the project was developed with. */
function addOptional(): void {
  for (const name of Object.keys(described.optionalDependencies)) {
    const target = join(place, 'node_modules', name);
    if (existsSync(target)) continue;
    mkdirSync(join(target, '..'), { recursive: true });
    symlinkSync(join(project, 'node_modules', name), target, 'junction');
  }
}
