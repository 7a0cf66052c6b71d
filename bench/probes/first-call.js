// Asks the same question some times in a fresh process; prints the milliseconds of CPU time that each took.
const [library, directory, what, cache] = process.argv.slice(2);
const { openWorkspace, list, tree } = await import(library);
const workspace = await openWorkspace(directory);
// Without an argument, with the options that everybody has.
const options = cache === 'without' ? { cache: false } : {};
const questions = {
  'list()': () => list({ gitIgnore: true, depth: Infinity }, workspace, options),
  'tree()': () => tree({}, workspace, options),
};
const times = [];
for (let i = 0; i < 3; i++) {
  const before = process.cpuUsage();
  await questions[what]();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
}
const [first, second, third] = times;
console.log(JSON.stringify({ first, second, third }));
