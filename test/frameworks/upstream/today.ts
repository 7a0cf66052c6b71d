/** Stands where upstream's tests import their own tool: ours, with the project context that they replace by a mock. */
import { type GeminiCliConfig, LSTool as OurTool } from '../../../src/faces/adapters/gemini-cli.ts';
import { discoverJitContext } from '../node_modules/gemini-cli-0.61/dist/src/tools/jit-context.js';

export class LSTool extends OurTool {
  constructor(config: GeminiCliConfig) {
    const discoverContext = (path: string) => discoverJitContext(config as never, path);
    super({ ...config, getMemoryContextManager: () => ({ discoverContext }) });
  }
}
