// Loaded into a server before anything else: tells what memory it takes, once what nobody holds any more is gone.
const { setTimeout: pause } = require('node:timers/promises');

process.on('message', async () => {
  // What the first round lets go of may hold buffers, which the second one frees.
  for (let round = 0; round < 2; round++) {
    global.gc();
    await pause(50);
  }
  process.send(process.memoryUsage());
});
// It must not keep a server running that has nothing left to do.
process.channel.unref();
