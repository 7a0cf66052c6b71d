/** `LSTool` in Gemini CLI itself: its registry and its scheduler, of the version that document 001 describes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as first from 'gemini-cli-0.1.15';
import { afterAll, describe, expect, it } from 'vitest';
import { LSTool } from '../../../src/faces/adapters/gemini-cli.ts';
import { makeTree } from '../../support/tree.ts';

const home = mkdtempSync(join(tmpdir(), 'agent-ls-gemini-'));
process.env.HOME = home;
process.env.GEMINI_CLI_HOME = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));

const TREE = { 'src/a.ts': '', 'b.md': '12345', 'c.log': '', '.geminiignore': '*.log\n' } as const;
const request = (args: Record<string, unknown>) => ({
  ...{ callId: '1', name: 'list_directory', args, isClientInitiated: false, prompt_id: 'p', traceId: 't' },
});

describe('LSTool in version 0.1.15', () => {
  async function scheduled(root: string, args: Record<string, unknown>) {
    const config = new first.Config({
      ...{ sessionId: 's', targetDir: root, debugMode: false, model: 'm', cwd: root, usageStatisticsEnabled: false },
    });
    const registry = new first.ToolRegistry(config);
    registry.registerTool(new LSTool(config) as never);
    const [declared] = registry.getFunctionDeclarations();
    const completed = new Promise<first.CompletedToolCall[]>((resolve) => {
      const scheduler = new first.CoreToolScheduler({
        ...{ config, toolRegistry: Promise.resolve(registry), onAllToolCallsComplete: resolve },
        ...{ getPreferredEditor: () => undefined, onEditorClose: () => {} },
      } as never);
      scheduler.schedule(request(args), new AbortController().signal);
    });
    return { declared, call: (await completed)[0] };
  }

  it('declares it and runs it', async () => {
    const root = makeTree(TREE);
    const { declared, call } = await scheduled(root, { path: root });
    expect(declared).toMatchObject({ name: 'list_directory', parameters: { required: ['path'] } });
    expect(call).toMatchObject({
      status: 'success',
      response: { resultDisplay: 'Listed 3 items', error: undefined },
    });
    expect(JSON.stringify(call?.response.responseParts)).toContain(
      '[DIR] src\\n.geminiignore\\nb.md\\n(1 gemini-ignored items hidden)',
    );
  });

  it('tells the model what is wrong', async () => {
    const { call } = await scheduled(makeTree(TREE), { path: '/etc' });
    expect(JSON.stringify(call?.response.responseParts)).toContain('Path must be within the root directory');
  });
});
