/** Stands where upstream's tests import their own tool: ours, with the project context that they replace by a mock. */
import { type GeminiCliConfig, LSTool as OurTool } from '../../../src/faces/adapters/gemini-cli.ts';
// @ts-expect-error: a module of theirs that their types leave out
import { discoverJitContext } from '../node_modules/gemini-cli-0.61/dist/src/tools/jit-context.js';

export class LSTool extends OurTool {
  constructor(config: GeminiCliConfig) {
    const discoverContext = (path: string) => discoverJitContext(config, path);
    super({ ...config, getMemoryContextManager: () => ({ discoverContext }) });
  }
}
