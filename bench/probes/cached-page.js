// Two pages of a directory, one after the other as a model asks for them; prints what each took, and what stayed in
// memory. Run it with --expose-gc.
const [library, directory, cache] = process.argv.slice(2);
const { openWorkspace, call } = await import(library);
const workspace = await openWorkspace(directory);
const total = Number(directory.split('-').at(-1));

const before = residentMemory();
const first = await page(0);
const kept = residentMemory() - before;
const second = await page(100);
console.log(JSON.stringify({ first, second, kept }));

async function page(offset) {
  const started = performance.now();
  const { data, stats } = await call('standard', { path: '.', offset, limit: 100 }, workspace, {
    cache: cache === 'cached',
  });
  const took = performance.now() - started;
  // The clock says nothing about a wrong answer.
  const name = `file_${String(offset).padStart(7, '0')}.txt`;
  if (stats.total_entries === total && data.entries.length === 100 && data.entries[0].path === name) return took;
  throw new Error(`Not the page that was expected, from offset ${offset} of ${directory}.`);
}

/** In MB, of what is still in use. */
function residentMemory() {
  // What the first time only marks as free is given back by the second.
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage.rss() / 1e6;
}
