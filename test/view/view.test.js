// The page in a real browser: `npm run test:view`. It also makes the pictures of docs/view.md, with --pictures.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { addressIn, COMMAND_PATH, startBrowser, startView } from './browser.js';
import { HOSTILE, makeProject } from './project.js';

const WAIT = { timeout: 30_000 };

/** What is in each view when it is complete. */
const READY = { Explore: '.row.type-dir', Ask: '.model-text', Map: '.area', Watch: '.ways' };

/** Rows and areas are named in words, not by the bare numbers that are seen in them. */
const LEFT_OUT = { 'label-content-name-mismatch': { enabled: false } };

let browser;
let project;

before(async () => {
  project = makeProject();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  project?.remove();
});

/** A page with nothing but errors in `problems`. */
async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 780 }, ...options });
  const problems = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(address);
  return { page, problems };
}

const tab = (page, name) => page.getByRole('tab', { name }).click();
const item = (page, name) => page.getByRole('treeitem', { name });

describe('agent-ls view', () => {
  let view;
  before(async () => {
    view = await startView([project.root]);
  });
  after(() => view.stop());

  it('shows what is hidden, and the line of the rule that hides it', async () => {
    const { page, problems } = await open(view.address);
    await item(page, 'dist, hidden: git dist/').click();
    await page.getByRole('button', { name: '.gitignore:2' }).click();
    await page.locator('.lines .mark').waitFor(WAIT);
    assert.equal(await page.locator('.lines .mark').innerText(), 'dist/');
    // It is hidden for one dialect and not for another.
    const verdicts = await page.locator('.verdicts tr').allInnerTexts();
    assert.match(
      verdicts.join('\n'),
      /standard Tree\s+hidden[\s\S]*gemini list_directory\s+hidden[\s\S]*codex list_dir\s+shown/,
    );
    assert.match(await item(page, /^keep\.log/).innerText(), /kept by git !keep\.log/);
    // Counts come as soon as everything is counted: 120 files in src.
    await page.locator('[aria-label="src"] .number', { hasText: '120' }).first().waitFor(WAIT);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('is used by keys alone', async () => {
    const { page } = await open(view.address);
    await item(page, 'docs').waitFor(WAIT);
    await page.getByRole('tree').focus();
    const active = () => page.locator('.row.active').getAttribute('aria-label');
    while ((await active()) !== 'docs') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await item(page, 'reference').waitFor(WAIT);
    await page.keyboard.press('ArrowRight');
    assert.equal(await active(), 'reference');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await active(), 'docs');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await item(page, 'reference').count(), 0);
    await page.getByRole('tab', { name: 'Explore' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Ask' }).waitFor(WAIT);
    await page.close();
  });

  it('asks again after a request that failed', async () => {
    const { page } = await open('about:blank');
    const failed = new Set();
    await page.route(/\/api\/(level|counts)$/, (route) => {
      const name = route.request().url();
      if (failed.has(name)) return route.continue();
      failed.add(name);
      return route.abort();
    });
    await page.goto(view.address);
    await page.getByText('Failed to fetch').waitFor(WAIT);
    await item(page, 'docs').waitFor(WAIT);
    await page.locator('[aria-label="src"] .number', { hasText: '120' }).first().waitFor(WAIT);
    await tab(page, 'Map');
    await page.locator('.area').first().waitFor(WAIT);
    failed.clear();
    await page.reload();
    await page.locator('.area').first().waitFor(WAIT);
    assert.equal(failed.size, 1);
    await page.close();
  });

  it('judges anew when another tool is chosen', async () => {
    const { page } = await open(view.address);
    await item(page, 'secrets, hidden: gemini secrets/').waitFor(WAIT);
    await page.getByLabel('As seen by').selectOption('codex · list_dir');
    await item(page, /^secrets$/).waitFor(WAIT);
    await page.close();
  });

  it('shows names that try to do harm as what they are', async () => {
    const { page, problems } = await open(view.address);
    await item(page, 'hostile').dblclick();
    await page.locator('[aria-level="2"]').nth(2).waitFor(WAIT);
    const text = await page.getByRole('tree').innerText();
    for (const name of HOSTILE.filter((one) => one.startsWith('<'))) assert.ok(text.includes(name), name);
    assert.ok(text.includes('"evil\\u202etxt.exe"'));
    assert.ok(text.includes('"two\\nlines"'));
    await tab(page, 'Ask');
    await page.getByRole('textbox', { name: 'Directory' }).fill('hostile');
    await page.getByRole('button', { name: 'Ask all' }).click();
    await page.locator('.model-text', { hasText: 'onerror' }).first().waitFor(WAIT);
    assert.equal(await page.title(), 'agent-ls');
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('asks two dialects side by side, and shows the answer as the model reads it', async () => {
    const { page } = await open(view.address);
    await tab(page, 'Ask');
    const standard = page.getByRole('article', { name: 'standard LS' });
    const gemini = page.getByRole('article', { name: 'gemini list_directory' });
    await standard.locator('.model-text', { hasText: 'Listed' }).waitFor(WAIT);
    assert.match(await gemini.locator('.model-text').innerText(), /^\[DIR\] docs$/m);
    await standard.getByLabel('limit').fill('2');
    await standard.getByRole('button', { name: 'Ask', exact: true }).click();
    await standard.locator('.model-text', { hasText: '2 entries' }).waitFor(WAIT);
    assert.match(await standard.locator('.meta').innerText(), /\d+ tokens · \d+ characters · [\d.]+ ms/);
    await page.getByLabel('Show spaces and escapes').check();
    assert.ok((await gemini.locator('.model-text').innerText()).includes('[DIR]·docs¶'));
    await standard.getByText('The same call elsewhere').click();
    const code = standard.locator('.forms .code');
    assert.equal(await code.innerText(), `agent-ls call '{"limit":2}' --root ${project.root}`);
    await standard.getByRole('button', { name: 'MCP request' }).click();
    assert.equal(JSON.parse(await code.innerText()).params.name, 'LS');
    await standard.getByRole('button', { name: 'TypeScript' }).click();
    assert.match(await code.innerText(), /await call\('standard', \{"limit":2\}/);
    await page.close();
  });

  it('draws the map anew as the budget moves, and marks what changed', async () => {
    const { page } = await open(view.address);
    await tab(page, 'Map');
    const slider = page.getByRole('slider');
    const facts = page.locator('.map .meta strong');
    await facts.waitFor(WAIT);
    await slider.fill('20');
    await page.locator('.map .meta', { hasText: 'of 170 tokens' }).waitFor(WAIT);
    assert.ok(Number(await facts.innerText()) <= 170);
    await slider.fill('90');
    await page.locator('.change.opened').waitFor(WAIT);
    assert.ok((await page.locator('.map-line.new').count()) > 0);
    await page.locator('.area', { hasText: 'src' }).first().waitFor(WAIT);
    await page.close();
  });

  it('has roles, names and contrast for everybody, in light and dark', async () => {
    const { page } = await open(view.address, { reducedMotion: 'reduce' });
    await page.evaluate(readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
    for (const name of ['Explore', 'Ask', 'Map', 'Watch']) {
      await tab(page, name);
      await page.locator(READY[name]).first().waitFor(WAIT);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        // Only colours differ in the dark.
        const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : { rules: LEFT_OUT };
        const { violations } = await page.evaluate((given) => globalThis.axe.run(given), options);
        assert.deepEqual([name, colorScheme, violations.map(({ id }) => id)], [name, colorScheme, []]);
      }
    }
    await page.close();
  });

  it('says what to do where there are no calls to watch', async () => {
    const { page } = await open(view.address);
    await tab(page, 'Watch');
    await page.getByText('agent-ls mcp --view').waitFor(WAIT);
    await page.close();
  });

  for (const [width, height] of [
    [1000, 700],
    [390, 800],
  ]) {
    it(`fits into ${width} pixels`, async () => {
      const { page } = await open(view.address, { viewport: { width, height } });
      for (const name of ['Explore', 'Ask', 'Map', 'Watch']) {
        await tab(page, name);
        await page.locator('.view').waitFor(WAIT);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`);
      }
      await page.close();
    });
  }

  it('refuses a wrong token', async () => {
    const { page } = await open(view.address.replace(/token=.*/, 'token=wrong'));
    await page.getByText('The token is not valid').waitFor(WAIT);
    await page.close();
  });

  it('refuses a page of another site, a host of another name, and a request without a token', async () => {
    const token = /token=(.*)/.exec(view.address)[1];
    const authorization = `Bearer ${token}`;
    const { port } = new URL(view.address);
    const host = `127.0.0.1:${port}`;
    const json = { 'content-type': 'application/json' };
    const rows = [
      [{ host, authorization, ...json }, 200],
      [{ host, authorization, origin: `http://${host}`, ...json }, 200],
      [{ host, authorization, origin: 'https://example.com', ...json }, 403],
      [{ host, authorization, origin: `http://${host}.example.com`, ...json }, 403],
      [{ host, authorization, origin: 'null', ...json }, 403],
      [{ host, authorization, 'sec-fetch-site': 'cross-site', ...json }, 403],
      [{ host: `evil.example:${port}`, authorization, ...json }, 403],
      [{ host, ...json }, 401],
      [{ host, authorization: 'Bearer wrong', ...json }, 401],
      [{ host, authorization, 'content-type': 'text/plain' }, 415],
    ];
    for (const [headers, status] of rows) assert.equal(await statusOf(port, headers), status, JSON.stringify(headers));
  });
});

function statusOf(port, headers) {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/api/start', method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

describe('agent-ls view --trace', () => {
  it('starts again with a trace that was replaced by a shorter one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agent-ls-trace-'));
    const file = join(directory, 'calls.jsonl');
    const line = (n, path) =>
      `${JSON.stringify({
        ...{ v: 1, kind: 'call', session: 's', n, at: '2026-01-01T00:00:00.000Z', ms: 1, dialect: 'standard' },
        ...{ tool: 'LS', root: project.root, cwd: '.', params: { path }, isError: false, text: `about ${path}` },
      })}\n`;
    writeFileSync(file, line(1, 'first') + line(2, 'second'));
    const view = await startView([project.root, '--trace', file]);
    const { page } = await open(view.address);
    await page.locator('.call', { hasText: 'second' }).waitFor(WAIT);
    writeFileSync(file, line(1, 'third'));
    await page.locator('.call', { hasText: 'third' }).waitFor(WAIT);
    assert.equal(await page.locator('.call').count(), 1);
    await page.locator('.model-text', { hasText: 'about third' }).waitFor(WAIT);
    await page.close();
    await view.stop();
    rmSync(directory, { recursive: true });
  });
});

describe('agent-ls mcp --view', () => {
  it('shows the calls of a real client as they are made', async () => {
    const words = [COMMAND_PATH, 'mcp', '--view', '--no-open', project.root];
    const transport = new StdioClientTransport({ command: process.execPath, args: words, stderr: 'pipe' });
    const address = addressIn(transport.stderr);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { page, problems } = await open(await address);
    await page.getByText('No calls yet').waitFor(WAIT);
    const call = (name, args) => client.callTool({ name, arguments: args });
    await call('LS', { path: 'src' });
    await page.getByRole('option', { name: /LS/ }).waitFor(WAIT);
    await call('Tree', { budget: 300 });
    await call('LS', { path: 'src' });
    const { isError } = await call('LS', { path: 'missing' });
    assert.equal(isError, true);
    await page.getByRole('option').nth(3).waitFor(WAIT);
    const totals = await page.locator('.totals').innerText();
    assert.match(totals.replace(/\s+/g, ' '), /Calls 4 Tokens \d+.* Errors 1 Repeated 1/);
    await page.getByRole('option').nth(1).click();
    await page.locator('.model-text', { hasText: 'files, ' }).waitFor(WAIT);
    await page.getByText('Never looked at').waitFor(WAIT);
    assert.deepEqual(problems, []);
    await page.close();
    await client.close();
  });
});
