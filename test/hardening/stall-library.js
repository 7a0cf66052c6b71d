// The library in a process of its own, for calls whose time limit is to be short. Each message is a call; the answer
// says how it ended.
import * as library from '../../dist/index.js';

const workspaces = new Map();

async function called({ root, does, input, options }) {
  const workspace = workspaces.get(root) ?? (await library.openWorkspace(root));
  workspaces.set(root, workspace);
  if (does === 'list') return library.list(input, workspace, options);
  if (does === 'tree') return library.tree(input, workspace, options);
  if (does === 'explain') return library.explain(input, workspace);
  return library.call(does, input, workspace, options);
}

process.on('message', async (message) => {
  if (message.call === undefined) return;
  try {
    await called(message.call);
    process.send({ ended: 'answered' });
  } catch (error) {
    // A ListingError, of a time limit for instance, is an answer; anything else is a fault.
    process.send({
      ended: error instanceof library.ListingError || error.name === 'UsageError' ? 'answered' : `threw ${error.stack}`,
    });
  }
});
process.channel.ref();
process.send('ready');
