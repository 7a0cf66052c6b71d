/**
 * Stands where upstream's tests of version 0.1 import their own tool. They mock the disk; here what the mock says of a
 * directory is put on a real one, below a temporary directory that stands for `/home/user`.
 */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
// biome-ignore lint/style/useNodejsImportProtocol: the name under which the tests mock it
import mocked from 'fs';
// As it was built, because Node itself loads that: the mock reaches only what vitest loads.
import { type GeminiCliConfig, LSTool as OurTool } from '../../../dist/faces/adapters/gemini-cli.js';

const { mkdirSync, mkdtempSync, writeFileSync } = process.getBuiltinModule('node:fs');

const HOME = '/home/user';

export class LSTool {
  readonly #real = mkdtempSync(join(tmpdir(), 'agent-ls-upstream-'));
  readonly #tool: OurTool;

  constructor(config: GeminiCliConfig) {
    const placed = (path: string) => path.replace(HOME, this.#real);
    for (const root of config.getWorkspaceContext?.().getDirectories() ?? [])
      mkdirSync(placed(root), { recursive: true });
    this.#tool = new OurTool({
      getTargetDir: () => placed(config.getTargetDir()),
      getWorkspaceContext: () => ({
        getDirectories: () => config.getWorkspaceContext?.().getDirectories().map(placed) ?? [],
      }),
    });
  }

  validateToolParams(params: { path: string }) {
    return this.#tool.validateToolParams(this.#placed(params))?.replaceAll(this.#real, HOME) ?? null;
  }

  getDescription(params: { path: string }) {
    return this.#tool.getDescription(this.#placed(params));
  }

  async execute(params: { path: string }, signal: AbortSignal) {
    this.#materialise(params.path);
    const { llmContent, returnDisplay } = await this.#tool.execute(this.#placed(params), signal);
    return { llmContent: llmContent.replaceAll(this.#real, HOME), returnDisplay };
  }

  #placed<P extends { path: string }>(params: P): P {
    return { ...params, path: params.path.replace(HOME, this.#real) };
  }

  #materialise(path: string): void {
    const real = path.replace(HOME, this.#real);
    const isDirectory = (at: string) => {
      try {
        return mocked.statSync(at)?.isDirectory() ?? null;
      } catch {
        return null;
      }
    };
    const kind = isDirectory(path);
    if (kind === null) return;
    mkdirSync(kind ? real : dirname(real), { recursive: true });
    if (!kind) writeFileSync(real, '');
    else for (const name of mocked.readdirSync(path)) this.#add(join(real, name), isDirectory(join(path, name)));
  }

  #add(path: string, isDirectory: boolean | null): void {
    if (isDirectory) mkdirSync(path);
    else if (isDirectory === false) writeFileSync(path, '');
  }
}
