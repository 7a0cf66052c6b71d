/** `LSTool` in Gemini CLI itself: its registry and its scheduler, of today's version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as today from 'gemini-cli-0.61';
import { afterAll, describe, expect, it } from 'vitest';
import { LSTool } from '../../src/faces/adapters/gemini-cli.ts';
import { makeTree } from '../support/tree.ts';

const home = mkdtempSync(join(tmpdir(), 'agent-ls-gemini-'));
process.env.HOME = home;
process.env.GEMINI_CLI_HOME = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));

const TREE = { 'src/a.ts': '', 'b.md': '12345', 'c.log': '', '.geminiignore': '*.log\n' } as const;
const request = (args: Record<string, unknown>) => ({
  ...{ callId: '1', name: 'list_directory', args, isClientInitiated: false, prompt_id: 'p', traceId: 't' },
});

describe('LSTool in version 0.61.0', () => {
  async function scheduled(root: string, args: Record<string, unknown>) {
    const config = new today.Config({
      ...{ sessionId: 's', targetDir: root, debugMode: false, model: 'gemini-2.5-pro', cwd: root },
      ...{ policyEngineConfig: { defaultDecision: today.PolicyDecision.ALLOW } },
    });
    await config.storage.initialize();
    const registry = new today.ToolRegistry(config, config.getMessageBus());
    registry.registerTool(new LSTool(config) as never);
    const [declared] = registry.getFunctionDeclarations('gemini-2.5-pro');
    const context = new Proxy(config, {
      get: (target, name) =>
        name === 'toolRegistry'
          ? registry
          : name === 'getToolRegistry'
            ? () => registry
            : Reflect.get(target, name, target),
    });
    const scheduler = new today.Scheduler({
      ...{ context: context as never, messageBus: config.getMessageBus() },
      ...{ getPreferredEditor: () => undefined, schedulerId: 'test' },
    });
    const [call] = await scheduler.schedule(request(args) as never, new AbortController().signal);
    return { declared, call };
  }

  it('declares it and runs it', async () => {
    const root = makeTree(TREE);
    const { declared, call } = await scheduled(root, { dir_path: '.' });
    expect(declared).toMatchObject({ name: 'list_directory', parametersJsonSchema: { required: ['dir_path'] } });
    expect(call).toMatchObject({
      status: 'success',
      response: {
        resultDisplay: { summary: 'Found 3 item(s). (1 ignored)', files: ['[DIR] src', '.geminiignore', 'b.md'] },
      },
    });
    expect(JSON.stringify(call?.response.responseParts)).toContain('b.md (5 bytes)\\n\\n(1 ignored)');
  });

  it.each([
    ['a path outside', { dir_path: '/etc' }, 'Path not in workspace'],
    ['a file', { dir_path: 'b.md' }, 'Path is not a directory'],
    ['a missing path', { dir_path: 'none' }, 'Error listing directory'],
  ])('tells the model of %s', async (_, args, message) => {
    const { call } = await scheduled(makeTree(TREE), args);
    expect(call?.status).toBe('error');
    expect(JSON.stringify(call?.response.responseParts)).toContain(message);
  });
});
