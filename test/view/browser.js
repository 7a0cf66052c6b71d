// Starts Chromium and agent-ls for the tests of the page, and ends both.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Without a network, and as root in a container. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export function startBrowser(more = []) {
  const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('There is no Chromium: set CHROMIUM, or install it.');
  return chromium.launch({ executablePath, args: [...FLAGS, ...more] });
}

/** Runs `agent-ls view`; resolves when it has said its address. */
export async function startView(words) {
  const child = spawn(process.execPath, [COMMAND, 'view', '--no-open', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const address = await addressIn(child.stderr);
  return { address, child, stop: () => ended(child) };
}

/** The address that agent-ls says on stderr. */
export function addressIn(stderr) {
  return new Promise((resolve, reject) => {
    let text = '';
    stderr.on('data', (chunk) => {
      text += chunk;
      const [, address] = /agent-ls view: (http\S+)\n/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    stderr.on('end', () => reject(new Error(`agent-ls did not say an address: ${text}`)));
  });
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}

export const COMMAND_PATH = COMMAND;
