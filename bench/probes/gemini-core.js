// `list_directory` in this process, by agent-ls or by Gemini CLI's own tool; prints the milliseconds of each run and
// the names that were listed.
import { warmTimes } from './warm.js';

const [library, root, directory, what, warmUps, runs] = process.argv.slice(2);

const scenarios = {
  anew: () => ours({ cache: false }),
  cached: () => ours({ cache: true }),
  theirs: async () => {
    // It writes notes to stdout, which is the report's.
    console.debug = () => {};
    const { Config, LSTool } = await import('@google/gemini-cli-core');
    // Its own configuration as the CLI makes it, of which the tool needs no more than this.
    const config = new Config({
      sessionId: 'bench',
      targetDir: root,
      cwd: root,
      model: 'none',
      debugMode: false,
      usageStatisticsEnabled: false,
    });
    const tool = new LSTool(config, config.getMessageBus());
    const { signal } = new AbortController();
    return {
      run: () => tool.build({ dir_path: directory }).execute({ abortSignal: signal }),
      names: ({ returnDisplay }) => returnDisplay.files,
    };
  },
};

async function ours(options) {
  const { openWorkspace, call } = await import(library);
  const workspace = await openWorkspace(root);
  return {
    run: () => call('gemini', { path: directory }, workspace, options),
    // The last line counts what is hidden.
    names: ({ llmContent }) => llmContent.split('\n').slice(0, -1),
  };
}

const { run, names } = await scenarios[what]();
const { times, result } = await warmTimes(run, { warmUps: Number(warmUps), runs: Number(runs) });
console.log(JSON.stringify({ times, names: names(result) }));
