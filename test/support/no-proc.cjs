/** Makes a process believe that there is no `/proc`, as on macOS: until somebody has looked for it. */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

// Some tests count the modules that a command loads.
delete require.cache[__filename];

const { statSync } = fs;
const answerBy = (ask) => {
  fs.statSync = ask;
  syncBuiltinESMExports();
};
answerBy((path, options) => {
  if (path !== '/proc/self/fd') return statSync(path, options);
  answerBy(statSync);
  return statSync('/dev/null');
});
