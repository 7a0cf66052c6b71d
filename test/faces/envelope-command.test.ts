import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { ENVELOPE_SCHEMA, type ToolResponse } from '../../src/index.ts';
import { envelope } from '../protocol/fixtures.ts';
import { noStreams } from '../support/streams.ts';
import { makeTree } from '../support/tree.ts';

/** What the command prints of what it reads, and its exit status. */
async function agentLs(words: string[], input: string | Buffer = '') {
  const printed: Buffer[] = [];
  let err = '';
  const status = await runCommandLine(words, {
    ...noStreams(),
    input: (async function* () {
      yield Buffer.from(input);
    })(),
    print: async (text) => void printed.push(Buffer.from(`${text}\n`)),
    write: async (bytes) => void printed.push(Buffer.from(bytes)),
    complain: (text) => {
      err += text;
    },
  });
  return { status, out: Buffer.concat(printed), err };
}

const parsed = (out: Buffer) => JSON.parse(out.toString());

describe('agent-ls envelope validate', () => {
  it('prints the verdict, and ends with 0 or 1', async () => {
    const sound = await agentLs(['envelope', 'validate'], JSON.stringify(envelope()));
    expect([sound.status, parsed(sound.out)]).toEqual([0, { valid: true, violations: [] }]);
    const broken = await agentLs(['envelope', 'validate'], '{"status": "done"}');
    expect([broken.status, parsed(broken.out).violations[0].rule]).toEqual([1, 'status.value']);
    expect((await agentLs(['envelope', 'validate'], 'no JSON')).status).toBe(1);
  });

  it('--kind asks for the field of a kind', async () => {
    const { status, out } = await agentLs(['envelope', 'validate', '--kind', 'search'], JSON.stringify(envelope()));
    expect([status, parsed(out).violations[0].rule]).toEqual([1, 'kind.matches']);
  });
});

describe('agent-ls envelope normalize', () => {
  it('prints a valid envelope of whatever it reads', async () => {
    const words = ['envelope', 'normalize', '--tool', 'Cat', '--params', '{"a": 1}', '--cwd', 'src'];
    const { status, out } = await agentLs(words, '{"isError": true, "content": [{"type": "text", "text": "no"}]}');
    expect([status, parsed(out)]).toMatchObject([
      0,
      { status: 'error', error: { message: 'no' }, context: { cwd: 'src', params_input: { a: 1 } } },
    ]);
    expect(parsed((await agentLs(['envelope', 'normalize'], 'plain\n')).out).error.message).toBe('plain');
    expect(parsed((await agentLs(['envelope', 'normalize'])).out).error.message).toBe(
      "The tool 'tool' returned nothing.",
    );
  });
});

describe('agent-ls envelope truncate', () => {
  it('gives back byte for byte what is within the limits', async () => {
    for (const bytes of [Buffer.from('a\nb'), Buffer.from([0x63, 0xe9, 0x0a, 0x0a]), Buffer.alloc(0)]) {
      expect(await agentLs(['envelope', 'truncate'], bytes)).toEqual({ status: 0, out: bytes, err: '' });
    }
  });

  it('saves the rest, as the options say', async () => {
    const root = makeTree({});
    const limits = ['--max-lines', '1', '--max-bytes', '100', '--retention-days', '0.5', '--direction', 'TAIL'];
    const words = ['envelope', 'truncate', '--root', root, '--tool', 'Log', '--directory', 'full', ...limits];
    const observation: ToolResponse = parsed((await agentLs(words, 'one\ntwo')).out);
    expect(observation).toMatchObject({ status: 'partial', data: { preview: 'two', truncation: { max_bytes: 100 } } });
    const [, saved = ''] = /^Full output: (full\/tool_\w+_Log\.json)$/m.exec(observation.text) ?? [];
    expect(readFileSync(join(root, saved), 'utf8')).toBe('one\ntwo');
  });
});

it.each([
  [['envelope'], 'envelope needs an action: validate, normalize or truncate.'],
  [['envelope', 'validat'], "Unknown action 'validat'. Did you mean 'validate'?"],
  [['envelope', 'validate', '--kind', 'serach'], "Unknown kind 'serach'. Did you mean 'search'?"],
  [['envelope', 'truncate', '--max-lines', 'many'], "--max-lines takes a number, not 'many'."],
  [['envelope', 'truncate', '--max-lines', '0'], '--max-lines must be a whole number of at least 1, not 0.'],
  [['envelope', 'truncate', '--direction', 'up'], '--direction must be "head" or "tail", not "up".'],
  [['schema', '--envelope', '--for', 'mcp'], 'Choose one of --envelope and --for.'],
])('%j is wrong usage', async (words, message) => {
  const { status, err } = await agentLs(words);
  expect([status, err]).toEqual([2, expect.stringContaining(message)]);
});

it('agent-ls schema --envelope prints the schema that the library exports', async () => {
  expect(parsed((await agentLs(['schema', '--envelope'])).out)).toEqual(ENVELOPE_SCHEMA);
});
