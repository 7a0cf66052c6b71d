// Preloaded into a Node program: at its end it writes its peak memory, in units of 1024 bytes, to descriptor 3.
const { readFileSync, writeSync } = require('node:fs');

process.on('exit', () => writeSync(3, String(peak())));

function peak() {
  try {
    // On Linux maxRSS can be that of the parent, which it was a copy of before it started this program.
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
