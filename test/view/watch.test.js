// Watch in a real browser: the calls of a trace and of a server, and how they would be answered now.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { call, find, openTrace, tree } from '../../dist/index.js';
import { addressIn, COMMAND_PATH, CONTRAST, findings, open, SIZES, startBrowser, startView, WAIT } from './browser.js';
import { makeProject } from './project.js';

let browser;
let project;
let directory;
/** What ends the pages and servers of a test, whether it passes or fails. */
const endings = [];

before(async () => {
  project = makeProject();
  directory = mkdtempSync(join(tmpdir(), 'agent-ls-trace-'));
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  project?.remove();
  rmSync(directory, { recursive: true });
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A line about a call. */
const line = (n, path, more = {}) =>
  `${JSON.stringify({
    ...{ v: 1, kind: 'call', session: 's', n, at: '2026-01-01T00:00:00.000Z', ms: 1, dialect: 'standard' },
    ...{ tool: 'LS', root: project.root, cwd: '.', params: { path }, isError: false, text: `about ${path}`, ...more },
  })}\n`;

const rows = (page) => page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
const names = async (page) => (await rows(page).locator('.name').allInnerTexts()).map((text) => text.trim());
const headings = (page) => page.locator('.row.heading').allInnerTexts();
const chip = (page, name) => page.getByRole('button', { name, exact: true });
const detail = (page) => page.getByRole('region', { name: 'About the selected call' });
const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
const until = (page, condition, argument) => page.waitForFunction(condition, argument, WAIT);
const isSoon = async (actual, expected) => {
  for (const end = Date.now() + WAIT.timeout; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const found = await actual();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    if (Date.now() > end) assert.deepEqual(found, expected);
  }
};

/** Shows a trace of these lines. */
async function watching(name, lines, options) {
  const file = join(directory, `${name}.jsonl`);
  writeFileSync(file, lines.join(''));
  return { file, ...(await opened(project.root, file, options)) };
}

async function opened(root, file, options) {
  const view = await startView([root, '--trace', file]);
  endings.push(view.stop);
  const { page, problems } = await open(browser, view.address, options);
  endings.push(() => page.close());
  await rows(page).first().waitFor(WAIT);
  return { page, problems };
}

describe('agent-ls view --trace', () => {
  it('keeps sessions apart, and finds calls by kind, tool and path', async () => {
    const lines = [
      line(1, 'src'),
      line(1, 'docs', { session: 't', at: '2026-01-02T15:30:00.000Z', tool: 'Tree', text: 'x '.repeat(500) }),
      line(2, 'src', { text: 'about src again' }),
      line(3, 'nowhere', { isError: true }),
      line(4, 'src'),
    ];
    const { page, problems } = await watching('sessions', lines, {
      ...{ timezoneId: 'Asia/Tokyo', locale: 'en-GB' },
    });
    // In the time of this place, with a heading for each column.
    await isSoon(() => names(page), ['path: src', 'path: src', 'path: nowhere', 'path: src', 'path: docs']);
    assert.deepEqual(await headings(page), [
      'Session 1 · 01/01/2026, 09:00:00 · 4 calls, 9 tokens',
      'Session 2 · 03/01/2026, 00:30:00 · 1 call, 501 tokens',
    ]);
    assert.equal(await rows(page).first().locator('time').innerText(), '09:00:00');
    assert.equal(squeezed(await page.locator('.columns.call').innerText()), 'Time Tool Parameters tokens time');
    assert.match(squeezed(await page.locator('.totals').innerText()), /Calls 5 .*Errors 1 Repeated 2 calls, 5 tokens/);
    // One scale for all: 501 tokens are the whole bar, 2 a sixth of it.
    const [least, most] = await page
      .locator('.bar')
      .evaluateAll((all) => [all.at(0), all.at(-1)].map((one) => one.value / one.max));
    assert.ok(Math.abs(least - Math.log1p(2) / Math.log1p(501)) < 0.01 && most === 1, `${least} ${most}`);
    await chip(page, 'errors').click();
    await isSoon(() => names(page), ['path: nowhere']);
    await chip(page, 'repeated').click();
    await isSoon(() => names(page), ['path: src', 'path: src']);
    assert.deepEqual(await headings(page), ['Session 1 · 01/01/2026, 09:00:00 · 2 calls, 5 tokens']);
    await chip(page, 'changed').click();
    await page.getByText('No call is like that.').waitFor();
    await chip(page, 'all').click();
    await page.getByLabel('Tool').selectOption('Tree');
    await isSoon(() => names(page), ['path: docs']);
    await page.getByLabel('Tool').selectOption('any');
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill('/nowh');
    await isSoon(() => names(page), ['path: nowhere']);
    // What is filtered is in the address, too.
    await until(page, () => location.hash.includes('nowh'));
    await page.reload();
    await isSoon(() => names(page), ['path: nowhere']);
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill('');
    // Keys pass over the heading.
    await rows(page).nth(4).click();
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.locator('.row.active .name').innerText(), 'path: src');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.locator('.row.active').getAttribute('role'), 'option');
    assert.deepEqual(problems, []);
  });

  it('follows new calls until somebody scrolls up, and again on request', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => line(at + 1, `directory-${at + 1}`));
    const { page, file } = await watching('follow', lines);
    const active = page.locator('.row.active .name');
    const follow = chip(page, 'Follow');
    await isSoon(() => active.innerText(), 'path: directory-60');
    appendFileSync(file, line(61, 'directory-61'));
    await isSoon(() => active.innerText(), 'path: directory-61');
    assert.equal(await follow.getAttribute('aria-pressed'), 'true');
    await page.getByRole('listbox').hover();
    await page.mouse.wheel(0, -400);
    await isSoon(() => follow.getAttribute('aria-pressed'), 'false');
    const top = () => page.getByRole('listbox').evaluate((one) => one.scrollTop);
    const scrolled = await top();
    appendFileSync(file, line(62, 'directory-62'));
    await page.locator('.totals', { hasText: '62' }).waitFor(WAIT);
    assert.equal(await top(), scrolled);
    await follow.click();
    await isSoon(() => active.innerText(), 'path: directory-62');
    assert.ok((await top()) > scrolled);
    // A list that a filter makes shorter was not scrolled by anybody.
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill('directory-1');
    await isSoon(() => names(page).then((all) => all.length), 11);
    assert.equal(await follow.getAttribute('aria-pressed'), 'true');
    // Whoever selects a call reads it.
    await rows(page).nth(2).click();
    assert.equal(await follow.getAttribute('aria-pressed'), 'false');
  });

  it('leads from a call to the same call, and to its place', async () => {
    const params = { path: 'src/engine', limit: 3, ignore: ['*cache*', '{a,b}'] };
    const elsewhere = line(2, 'src', { root: '/nowhere' });
    const { page, problems } = await watching('leads', [line(1, '', { params }), elsewhere]);
    await page.getByText('The page cannot ask this again').waitFor();
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Ask it here' }).click();
    const column = page.getByRole('article', { name: 'standard LS' });
    await column.locator('.model-text', { hasText: 'engine-budget' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Directory' }).inputValue(), 'src/engine');
    assert.equal(await page.evaluate(() => document.activeElement.value), 'src/engine');
    assert.equal(await page.locator('.ask-column').count(), 1);
    await column.getByText('The same call elsewhere').click();
    assert.equal(
      await column.locator('.forms .code').innerText(),
      `agent-ls call '{"limit":3,"ignore":["*cache*","{a,b}"],"path":"src/engine"}' --root ${project.root}`,
    );
    await page.goBack();
    await page.getByRole('button', { name: 'Show in Explore' }).click();
    await page.locator('.row.active', { hasText: 'engine/' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'tree');
    assert.deepEqual(problems, []);
  });

  it('says what was never looked at only of the root that the calls are of', async () => {
    const elsewhere = await watching('elsewhere', [line(1, 'src', { root: '/nowhere' })]);
    await elsewhere.page.locator('.model-text', { hasText: 'about src' }).waitFor();
    await elsewhere.page.getByRole('tab', { name: 'Map' }).click();
    // Everything is counted, so it would be there.
    await elsewhere.page.locator('.area').first().waitFor();
    await elsewhere.page.getByRole('tab', { name: 'Watch' }).click();
    assert.equal(await elsewhere.page.getByText('Never looked at').count(), 0);
    const here = await watching('here', [line(1, 'src')]);
    await here.page.getByText('Never looked at').waitFor();
    const unseen = await here.page.locator('.unseen').innerText();
    assert.match(unseen, /test\/ 40 files/);
    assert.doesNotMatch(unseen, /src\/ /);
  });

  it('starts again with a trace that was replaced by a shorter one', async () => {
    const { page, file } = await watching('shorter', [line(1, 'first'), line(2, 'second')]);
    await page.locator('.call', { hasText: 'second' }).waitFor(WAIT);
    writeFileSync(file, line(1, 'third'));
    await page.locator('.row.call', { hasText: 'third' }).waitFor(WAIT);
    assert.equal(await rows(page).count(), 1);
    await page.locator('.model-text', { hasText: 'about third' }).waitFor(WAIT);
  });

  it('replays calls, and shows which words have changed', async () => {
    const file = join(directory, 'replay.jsonl');
    const root = join(directory, 'replayed');
    for (const name of ['src', 'docs']) mkdirSync(join(root, name), { recursive: true });
    for (const name of ['src/one.ts', 'src/old.ts', 'docs/a.md']) writeFileSync(join(root, name), '');
    const { onCall, close } = openTrace(file);
    await call('standard', { path: 'src' }, root, { onCall });
    await tree({}, root, { onCall });
    await find({ query: 'one' }, root, { onCall });
    await call('standard', { path: 'later' }, root, { onCall });
    await call('standard', { path: 'docs' }, project.root, { onCall });
    close();
    rmSync(join(root, 'src/old.ts'));
    mkdirSync(join(root, 'later'));
    writeFileSync(join(root, 'src/new.ts'), '');
    const { page, problems } = await opened(root, file);
    await rows(page).nth(4).waitFor(WAIT);
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.locator('.totals', { hasText: '1 the same, 3 changed, 1 not run' }).waitFor(WAIT);
    const badges = (await rows(page).allInnerTexts()).map((text) => /the same|changed|not run/.exec(text)?.[0]);
    assert.deepEqual(badges, ['changed', 'changed', 'the same', 'changed', 'not run']);
    // The trace names a root that this page was not started with.
    await detail(page).getByText('Not run: its root is not one of those').waitFor();
    await chip(page, 'changed').click();
    await isSoon(() => names(page), ['path: src', 'no parameters', 'path: later']);
    await rows(page).first().click();
    const result = detail(page).getByRole('region', { name: 'Replay' });
    assert.match(await result.innerText(), /The answer has changed\. \d+ → \d+ tokens, [\d.]+ ms → [\d.]+ ms/);
    assert.deepEqual(await result.locator('del').allInnerTexts(), ['src/old.ts']);
    assert.deepEqual(await result.locator('ins').allInnerTexts(), ['src/new.ts']);
    await rows(page).nth(2).click();
    assert.match(await result.innerText(), /The answer has changed: it works now/);
    // One call alone, with what is there now.
    writeFileSync(join(root, 'src/old.ts'), '');
    rmSync(join(root, 'src/new.ts'));
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.locator('.totals', { hasText: '2 the same, 2 changed, 1 not run' }).waitFor(WAIT);
    // It is no longer one of those that are shown.
    await isSoon(() => names(page), ['no parameters', 'path: later']);
    assert.deepEqual(problems, []);
  });

  it('is used by keys alone: the failed call, what it says now, and why', async () => {
    const lines = [line(1, 'src'), line(2, 'dist', { isError: true, text: 'failed' }), line(3, 'docs')];
    const { page } = await watching('keys', lines);
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    const tabTo = async (name, key = 'Tab') => {
      for (let presses = 0; (await focused()) !== name; presses++) {
        assert.ok(presses < 20, `${name} is not reached`);
        await page.keyboard.press(key);
      }
    };
    await tabTo('errors');
    await page.keyboard.press('Enter');
    await isSoon(() => names(page), ['path: dist']);
    await tabTo('Replay');
    await page.keyboard.press('Enter');
    await detail(page).getByText('it works now').waitFor();
    await tabTo('Show in Explore', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('.row.active', { hasText: 'dist/' }).waitFor();
    await tabTo('.gitignore:2');
    await page.keyboard.press('Enter');
    await page.locator('.lines .mark', { hasText: 'dist/' }).waitFor();
  });

  it('has roles, names, contrast and room for everybody, at every size', async () => {
    const lines = [line(1, 'src'), line(2, 'src'), line(1, 'gone', { session: 't', isError: true }), line(2, 'docs')];
    const { page } = await watching('sizes', lines, { reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.locator('.totals', { hasText: '0 the same, 4 changed' }).waitFor(WAIT);
    await page.locator('.unseen').waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels too wide for ${width}`);
      assert.deepEqual([width, await findings(page)], [width, []]);
      const { height: room } = await page.getByRole('listbox').boundingBox();
      assert.ok(room >= 100, `the list has ${room} pixels of ${height}`);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await findings(page, CONTRAST), []);
  });
});

describe('agent-ls mcp --view', () => {
  it('shows the calls of a real client as they are made', async () => {
    const words = [COMMAND_PATH, 'mcp', '--view', '--no-open', project.root];
    const transport = new StdioClientTransport({ command: process.execPath, args: words, stderr: 'pipe' });
    const address = addressIn(transport.stderr);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    endings.push(() => client.close());
    const { page, problems } = await open(browser, await address);
    await page.getByText('No calls yet').waitFor(WAIT);
    const row = page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
    const call = (name, args) => client.callTool({ name, arguments: args });
    await call('LS', { path: 'src' });
    await row.getByText('LS').waitFor(WAIT);
    await call('Tree', { budget: 300 });
    await call('LS', { path: 'src' });
    const { isError } = await call('LS', { path: 'missing' });
    assert.equal(isError, true);
    await row.nth(3).waitFor(WAIT);
    const totals = await page.locator('.totals').innerText();
    assert.match(totals.replace(/\s+/g, ' '), /Calls 4 Tokens \d+.* Errors 1 Repeated 1 call, \d+ tokens Live/);
    await row.nth(1).click();
    await page.locator('.model-text', { hasText: 'files, ' }).waitFor(WAIT);
    await page.getByText('Never looked at').waitFor(WAIT);
    assert.deepEqual(problems, []);
    // Its end is seen: what is shown is no longer live.
    await client.close();
    await page.locator('.source', { hasText: 'Ended' }).waitFor(WAIT);
  });
});
