// Makes the pictures of docs/view.md: node test/view/pictures.js. The project that they show has the names of this one.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { addressIn, COMMAND_PATH, startBrowser, startView } from './browser.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGES = join(PROJECT, 'docs', 'images');
const ROOT = join(tmpdir(), 'project');
const WAIT = { timeout: 60_000 };

const saved = (page, name) => page.screenshot({ path: join(IMAGES, `view-${name}.png`) });
const tab = (page, name) => page.getByRole('tab', { name }).click();
/** So that no row and no button is drawn as under the pointer. */
const away = (page) => page.mouse.move(600, 658);

/** What an agent may ask that looks for something. */
const CALLS = [
  ['Tree', {}],
  ['LS', { path: 'src' }],
  ['Tree', { path: 'src/faces', budget: 400 }],
  ['LS', { path: 'src/faces/mcp' }],
  ['Find', { query: 'cache test' }],
  ['LS', { path: 'src/face' }],
  ['LS', { path: 'src' }],
  ['LS', { path: 'test/listing', limit: 50 }],
  ['Tree', { path: 'docs', budget: 300 }],
];

if (existsSync(ROOT)) throw new Error(`${ROOT} is in the way.`);
const browser = await startBrowser();
try {
  copyNames();
  await projectViews();
  await watchView();
} finally {
  await browser.close();
  rmSync(ROOT, { recursive: true, force: true });
}

/** What is in git, without its contents, and some of what is not. */
function copyNames() {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  for (const name of [...tracked, 'dist/cli.cjs', 'node_modules/preact/package.json', 'coverage/index.html']) {
    mkdirSync(dirname(join(ROOT, name)), { recursive: true });
    writeFileSync(join(ROOT, name), '');
  }
  copyFileSync(join(PROJECT, '.gitignore'), join(ROOT, '.gitignore'));
  for (const name of ['objects', 'refs']) mkdirSync(join(ROOT, '.git', name), { recursive: true });
  writeFileSync(join(ROOT, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}

async function newPage(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1080, height: 660 }, colorScheme: 'light', ...options });
  await page.goto(address);
  return page;
}

async function projectViews() {
  const view = await startView([ROOT]);
  try {
    const page = await newPage(view.address);
    await explore(page);
    await saved(page, 'explore');
    await tab(page, 'Ask');
    await page.getByRole('textbox', { name: 'Directory' }).fill('src');
    await page.getByRole('button', { name: 'Ask all' }).click();
    await page.locator('.model-text', { hasText: 'faces' }).nth(1).waitFor(WAIT);
    await page.getByText('The same call elsewhere').first().click();
    await away(page);
    await saved(page, 'ask');
    await tab(page, 'Map');
    await map(page);
    await saved(page, 'map');
    const phone = await newPage(view.address, { viewport: { width: 390, height: 660 } });
    await explore(phone);
    await saved(phone, 'phone');
  } finally {
    await view.stop();
  }
}

async function explore(page) {
  await page.getByRole('treeitem', { name: /^src\/.* files/ }).waitFor(WAIT);
  await page
    .getByRole('treeitem', { name: /^docs\// })
    .locator('.twist')
    .click();
  await page.getByRole('treeitem', { name: /^dist\// }).click();
  await page.getByRole('button', { name: '.gitignore:2' }).first().click();
  await page.locator('.lines .mark').waitFor(WAIT);
  await away(page);
}

async function map(page) {
  await page.locator('.area').first().waitFor(WAIT);
  const slider = page.getByRole('slider');
  for (const [step, budget] of [
    [62, 520],
    [84, 930],
  ]) {
    await slider.fill(String(step));
    await page.locator('.map .meta', { hasText: `of ${budget} tokens` }).waitFor(WAIT);
  }
  await page.locator('.change').first().waitFor(WAIT);
  await away(page);
}

async function watchView() {
  const args = [COMMAND_PATH, 'mcp', '--view', '--no-open', ROOT];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  const address = addressIn(transport.stderr);
  const client = new Client({ name: 'pictures', version: '1' });
  await client.connect(transport);
  const page = await newPage(await address, { colorScheme: 'dark' });
  for (const [name, input] of CALLS) await client.callTool({ name, arguments: input });
  const row = page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
  await row.nth(CALLS.length - 1).waitFor(WAIT);
  await row.nth(4).click();
  await page.getByText('Never looked at').waitFor(WAIT);
  await away(page);
  await saved(page, 'watch');
  await client.close();
}
