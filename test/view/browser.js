// Starts Chromium and agent-ls for the tests of the page, and ends both.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const WAIT = { timeout: 30_000 };

/** The least that has to do, which is 1280 × 1024 at 400 %; a phone; and two desks. */
export const SIZES = [
  [320, 256],
  [390, 844],
  [1024, 700],
  [1440, 900],
];

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

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

/** A page with nothing but errors in `problems`. */
export async function open(browser, address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 780 }, ...options });
  page.setDefaultTimeout(WAIT.timeout);
  const problems = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(address);
  return { page, problems };
}

/** Every rule of axe, also those that it leaves out by default. */
export async function findings(page, only) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((ids) => {
    const { axe } = globalThis;
    const rules = ids ?? axe.getRules().map(({ ruleId }) => ruleId);
    // The views that are out of sight have their own turn.
    return axe.run({ exclude: ['.away'] }, { runOnly: rules, resultTypes: ['violations'] });
  }, only);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 300)} ${nodes[0].failureSummary}`);
}

/** The stricter rule leaves out what the other finds. */
export const CONTRAST = ['color-contrast', 'color-contrast-enhanced'];
