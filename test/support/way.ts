/**
 * All tests hold directories by the system's own calls, from the start, wherever they do not ask for another way; or by the
 * way that `TEST_WAY` names: `descriptor` or `path`. Programs that they start do the same.
 */
import { createRequire } from 'node:module';

const way = process.env.TEST_WAY ?? 'calls';
if (way === 'descriptor' || way === 'path') process.env.AGENT_LS_NO_SYSTEM_CALLS = '1';
if (way === 'path') {
  const require = createRequire(import.meta.url);
  const preload = require.resolve('./no-proc.cjs');
  require(preload);
  const { NODE_OPTIONS = '' } = process.env;
  if (!NODE_OPTIONS.includes(preload)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} --require ${preload}`;
}

if (process.platform === 'win32') (await import('./windows.ts')).skipWhatWindowsLacks();
