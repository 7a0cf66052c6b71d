// The page in a real browser: `npm run test:view`. It also makes the pictures of docs/view.md, with --pictures.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CONTRAST, findings, open, SIZES, startBrowser, startView, WAIT } from './browser.js';
import { HOSTILE, makeProject } from './project.js';

/** What is in each view when it is complete. */
const READY = { Explore: '.verdicts tr', Ask: '.ask-column:last-child .model-text', Map: '.area', Watch: '.ways' };

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

const tab = (page, name) => page.getByRole('tab', { name }).click();
const item = (page, name) => page.getByRole('treeitem', { name });
const active = (page) => page.locator('.row.active .name').innerText();
const becomesActive = (page, name) => page.locator('.row.active', { hasText: name }).waitFor();
const verdict = (page, tool) => page.locator('.verdicts:not(.busy) tr', { hasText: tool });
const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash).replaceAll('+', ' '));
const until = (page, condition, argument) => page.waitForFunction(condition, argument, WAIT);

describe('agent-ls view', () => {
  let view;
  before(async () => {
    view = await startView([project.root]);
  });
  after(() => view.stop());

  it('says what each tool does with an entry, and by which line of which file', async () => {
    const { page, problems } = await open(browser, view.address);
    // What Tree and Find hide, LS shows.
    await item(page, /^debug\.log/).click();
    await verdict(page, 'Tree standard').waitFor();
    const words = (await page.locator('.verdicts tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    assert.deepEqual(
      words.map((text) => text.replace(/ (git|no rule).*/, '')),
      [
        ...['LS standard shown', 'Tree standard hidden', 'Find standard hidden', 'list_directory gemini hidden'],
        ...['LS mycode shown', 'list_dir codex shown'],
      ].map((text) => words.find((one) => one.startsWith(text)) && text),
    );
    await page.getByRole('button', { name: '.gitignore:3' }).first().click();
    await page.locator('.lines .mark').waitFor();
    assert.equal(await page.locator('.lines .mark').innerText(), '*.log');
    // The rows are judged as the chosen tool judges; what was open stays open.
    await item(page, /^src\//).dblclick();
    await item(page, /^engine\//).waitFor();
    await page.getByLabel('As seen by').selectOption('standard · Tree');
    await item(page, 'debug.log hidden: git *.log').waitFor();
    await item(page, /^engine\//).waitFor();
    assert.match(await item(page, /^keep\.log/).innerText(), /kept by git !keep\.log/);
    await page.getByLabel('As seen by').selectOption('gemini · list_directory');
    await item(page, 'secrets/ hidden: gemini secrets/').waitFor();
    // Estimates are marked; what the chosen tool answers here is counted.
    await item(page, /^src\/.* 120 files/).click();
    assert.match(await page.locator('.columns').innerText(), /≈ tokens/);
    await page.getByLabel('As seen by').selectOption('standard · Tree');
    const fact = page.locator('.facts div', { hasText: 'Tokens of Tree here' }).locator('dd');
    const shown = Number(await fact.innerText());
    const { tokens } = await asked(view, 'call', {
      ...{ root: 0, dialect: 'standard', tool: 'Tree' },
      params: { path: `${project.root}/src` },
    });
    assert.equal(shown, tokens);
    assert.match(await page.locator('.facts').innerText(), /Tokens of a complete map\s+≈/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('answers "why is it hidden?" by keys alone, for any path', async () => {
    const { page, problems } = await open(browser, view.address);
    await item(page, /^docs\//).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('dist/app.js');
    await page.getByRole('option', { name: 'Go to the path dist/app.js' }).waitFor();
    await page.keyboard.press('Enter');
    await becomesActive(page, 'app.js');
    await verdict(page, 'Tree standard').getByText('.gitignore:2').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'tree');
    // On to the rule's line, which is behind the next buttons.
    const button = () => page.evaluate(() => document.activeElement.textContent);
    for (let presses = 0; (await button()) !== '.gitignore:2'; presses++) {
      assert.ok(presses < 6);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator('.lines .mark', { hasText: 'dist/' }).waitFor();
    // The tree moves, closes and opens.
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await active(page), 'dist/');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await item(page, /^app\.js/).count(), 0);
    await page.keyboard.press('ArrowDown');
    assert.equal(await active(page), 'docs/');
    await page.keyboard.press('ArrowRight');
    await item(page, /^reference\//).waitFor();
    await page.keyboard.press('ArrowRight');
    assert.equal(await active(page), 'reference/');
    // A path that does not exist is judged as a file of that name would be.
    await page.keyboard.press('Control+p');
    await page.keyboard.type('src/nowhere/deep.log');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is there. A file of that name would be:').waitFor();
    // No row looks as if the answer were about it.
    assert.equal(await page.locator('.row.active').count(), 0);
    assert.match(await verdict(page, 'Find standard').innerText(), /hidden\s+git \*\.log/);
    // One outside of the root is refused, with the reason.
    await page.keyboard.press('Meta+p');
    await page.keyboard.type('/etc/passwd');
    await page.keyboard.press('Enter');
    await page.locator('.detail .note', { hasText: 'outside' }).waitFor();
    // Words go through Find, and lead to the best file.
    await page.keyboard.press('/');
    await page.keyboard.type('engine cache');
    await page.getByRole('option', { name: /^src\/engine\/engine-cache-/, selected: true }).waitFor();
    const chosen = await page.locator('[role=option][aria-selected=true]').innerText();
    await page.keyboard.press('Enter');
    await becomesActive(page, basename(chosen));
    await page.getByRole('tab', { name: 'Explore' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Ask' }).waitFor();
    assert.deepEqual(
      problems.filter((text) => !text.includes('400 (Bad Request)')),
      [],
    );
    await page.close();
  });

  it('keeps each view, and has its state in the address', async () => {
    const { page } = await open(browser, view.address);
    await item(page, /^docs\//)
      .locator('.twist')
      .click();
    await item(page, /^reference\//).click();
    await until(page, () => location.hash.includes('reference'));
    assert.equal(await hash(page), `#explore?path=${project.root}/docs/reference`);
    assert.match(await page.title(), /^Explore · agent-ls-view-\w+ · agent-ls$/);
    await tab(page, 'Map');
    await page.locator('.map .meta strong').waitFor();
    await page.getByRole('spinbutton').fill('1234');
    await page.keyboard.press('Enter');
    await page.locator('.map .meta', { hasText: 'of 1,234 tokens' }).waitFor();
    await until(page, () => location.hash === '#map?budget=1234');
    assert.match(await page.title(), /^Map · /);
    await tab(page, 'Ask');
    const standard = page.getByRole('article', { name: 'standard LS' });
    await standard.getByText('Parameters').click();
    await standard.getByLabel('limit').fill('3');
    await tab(page, 'Explore');
    assert.equal(await active(page), 'reference/');
    await tab(page, 'Map');
    assert.equal(await page.getByRole('spinbutton').inputValue(), '1234');
    await tab(page, 'Ask');
    assert.equal(await standard.getByLabel('limit').inputValue(), '3');
    // Back and Forward go from view to view.
    await page.goBack();
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    await page.goBack();
    assert.equal(await active(page), 'reference/');
    await page.goForward();
    // A reload, or the address in another tab, is where it was.
    await page.reload();
    await page.locator('.map .meta', { hasText: 'of 1,234 tokens' }).waitFor();
    await page.goto(`${new URL(view.address).origin}/#explore?path=${project.root}/src/rules&as=standard+Tree`);
    await becomesActive(page, 'rules/');
    assert.equal(await page.getByLabel('As seen by').locator('option:checked').innerText(), 'standard · Tree');
    // Refresh shows what is there now, with the same directories open.
    mkdirSync(join(project.root, 'aaa'));
    writeFileSync(join(project.root, 'src', 'new.ts'), '');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await item(page, /^aaa\//).waitFor();
    await item(page, /^new\.ts/).waitFor();
    assert.equal(await active(page), 'rules/');
    await page.getByRole('status').getByText('174 files').waitFor();
    rmSync(join(project.root, 'aaa'), { recursive: true });
    rmSync(join(project.root, 'src', 'new.ts'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('status').getByText('173 files').waitFor();
    // To another view with a directory: its field has the focus.
    await page.getByRole('button', { name: 'Ask about this directory' }).click();
    await page
      .getByRole('article', { name: 'standard LS' })
      .locator('.model-text', { hasText: 'rules-cache' })
      .waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.value), `${project.root}/src/rules`);
    await page.close();
  });

  it('says when what it shows is old, and recovers by itself', async () => {
    const root = mkdtempSync(join(tmpdir(), 'agent-ls-gone-'));
    writeFileSync(join(root, 'one.txt'), '');
    let server = await startView([root]);
    const { port } = new URL(server.address);
    const { page } = await open(browser, server.address);
    const banner = page.getByRole('alert');
    await item(page, /^one\.txt/).click();
    await verdict(page, 'Tree').waitFor();
    // The root goes, and comes back with another content.
    rmSync(root, { recursive: true });
    await banner.getByText(`${root}: the root is gone. What is shown is as of`).waitFor();
    assert.equal(await page.locator('main.stale').count(), 1);
    mkdirSync(root);
    for (const name of ['one.txt', 'other.txt']) writeFileSync(join(root, name), '');
    await banner.waitFor({ state: 'detached' });
    await item(page, /^other\.txt/).waitFor();
    assert.equal(await page.locator('main.stale').count(), 0);
    // The server ends: the tab notices by itself, and a question waits.
    await server.stop();
    await banner.getByText('agent-ls does not answer').waitFor();
    await tab(page, 'Map');
    assert.equal(await page.getByText('Failed to fetch').count(), 0);
    // Another one takes its port. It has another token, so only its own address helps.
    server = await startView([root, '--port', port]);
    await banner.getByText('This agent-ls has ended, and another one answers here.').waitFor();
    writeFileSync(join(root, 'two.txt'), '');
    await page.goto(server.address);
    await banner.waitFor({ state: 'detached' });
    await page.locator('.map-text', { hasText: 'two.txt' }).waitFor();
    await tab(page, 'Explore');
    await item(page, /^two\.txt/).waitFor();
    assert.equal(await active(page), 'one.txt');
    assert.doesNotMatch(page.url(), /token/);
    await page.close();
    await server.stop();
    rmSync(root, { recursive: true });
  });

  it('asks again after a request that got no answer, and shows no error under another question', async () => {
    const { page } = await open(browser, 'about:blank');
    let isDown = true;
    await page.route(/\/api\/(?!start)/, (route) => (isDown ? route.abort() : route.continue()));
    await page.goto(view.address);
    await page.getByRole('alert').getByText('agent-ls does not answer').waitFor();
    isDown = false;
    await item(page, /^src\/.* 120 files/).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await tab(page, 'Map');
    await page.locator('.area').first().waitFor();
    // A refusal goes as soon as another question is asked.
    let release = () => {};
    const released = new Promise((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/call$/, async (route) => {
      const { params } = route.request().postDataJSON();
      if (params.budget === 300) return route.fulfill({ status: 400, json: { error: 'It went wrong.' } });
      await released;
      return route.continue();
    });
    await page.getByRole('button', { name: '300', exact: true }).click();
    await page.getByText('It went wrong.').waitFor();
    await page.getByRole('button', { name: '1000', exact: true }).click();
    await page.getByText('It went wrong.').waitFor({ state: 'detached' });
    release();
    await page.locator('.map .meta', { hasText: 'of 1,000 tokens' }).waitFor();
    await page.close();
  });

  it('shows names that try to do harm as what they are', async () => {
    const { page, problems } = await open(browser, view.address);
    await item(page, /^hostile\//).dblclick();
    await page.locator('[aria-level="2"]').nth(3).waitFor();
    const text = await page.getByRole('tree').innerText();
    for (const name of HOSTILE.filter((one) => one.startsWith('<'))) assert.ok(text.includes(name), name);
    assert.ok(text.includes('"evil\\u202etxt.exe"'));
    assert.ok(text.includes('"two\\nlines"'));
    assert.ok(text.includes('·spaces··'));
    await page.keyboard.press('/');
    await page.keyboard.type('evil');
    await page.getByRole('option', { name: 'hostile/evil\\u202etxt.exe' }).waitFor();
    await page.keyboard.press('Escape');
    await tab(page, 'Ask');
    await page.getByRole('textbox', { name: 'Directory' }).fill('hostile');
    await page.getByRole('button', { name: 'Ask all' }).click();
    await page.locator('.model-text', { hasText: 'onerror' }).first().waitFor();
    assert.match(await page.title(), /^Ask · /);
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('compares two dialects, and shows the answer as the model reads it', async () => {
    const { page } = await open(browser, view.address);
    await tab(page, 'Ask');
    const standard = page.getByRole('article', { name: 'standard LS' });
    const gemini = page.getByRole('article', { name: 'gemini list_directory' });
    await standard.locator('.model-text', { hasText: 'Listed' }).waitFor();
    await gemini.locator('.model-text', { hasText: '[DIR] docs' }).waitFor();
    // Both answers begin at one height. What only one of them has is marked.
    const tops = await page.locator('.ask .model-text').evaluateAll((all) => all.map((one) => one.offsetTop));
    assert.equal(tops[0], tops[1]);
    const different = async (column) => (await column.locator('.differs').allInnerTexts()).map((line) => line.trim());
    assert.ok((await different(standard)).includes('debug.log'));
    assert.ok(!(await different(standard)).includes('docs/'));
    assert.ok(!(await different(gemini)).includes('[DIR] docs'));
    // One path for both, and they scroll together.
    await page.getByRole('textbox', { name: 'Directory' }).fill('src/engine');
    await page.keyboard.press('Enter');
    await gemini.locator('.model-text', { hasText: 'engine-walk-23.ts' }).waitFor();
    await standard.locator('.model-text', { hasText: 'engine-walk-23.ts' }).waitFor();
    await page.setViewportSize({ width: 1200, height: 520 });
    await standard.locator('.model-text').evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await until(page, () => [...document.querySelectorAll('.ask .model-text')].every((one) => one.scrollTop > 50));
    await page.setViewportSize({ width: 1200, height: 780 });
    await page.getByRole('textbox', { name: 'Directory' }).fill('');
    await page.keyboard.press('Enter');
    await standard.getByText('Parameters').click();
    await standard.getByLabel('limit').fill('2');
    await standard.getByRole('button', { name: 'Ask', exact: true }).click();
    await standard.locator('.model-text', { hasText: '2 entries' }).waitFor();
    assert.match(await standard.locator('.meta').innerText(), /\d+ tokens · \d+ characters · [\d.]+ ms/);
    await page.getByLabel('Show spaces and escapes').check();
    await gemini.locator('.model-text', { hasText: '[DIR]·docs¶' }).waitFor();
    await standard.getByText('The same call elsewhere').click();
    const code = standard.locator('.forms .code');
    assert.equal(await code.innerText(), `agent-ls call '{"limit":2}' --root ${project.root}`);
    await standard.getByRole('button', { name: 'MCP request' }).click();
    assert.equal(JSON.parse(await code.innerText()).params.name, 'LS');
    await standard.getByRole('button', { name: 'TypeScript' }).click();
    assert.match(await code.innerText(), /await call\('standard', \{"limit":2\}/);
    await page.close();
  });

  it('draws the map that an agent gets, then others, and marks what changed', async () => {
    const { page } = await open(browser, view.address.replace(/#.*/, ''));
    await page.getByText('The token is not valid').waitFor();
    await page.goto(view.address);
    await tab(page, 'Map');
    const facts = page.locator('.map .meta strong');
    const text = page.locator('.map-text');
    await facts.waitFor();
    const byDefault = await asked(view, 'call', {
      ...{ root: 0, dialect: 'standard', tool: 'Tree', params: { path: project.root } },
    });
    assert.equal(await facts.innerText(), String(byDefault.tokens));
    assert.equal(squeezed(await text.innerText()), squeezed(byDefault.text));
    const slider = page.getByRole('slider');
    await slider.fill('20');
    await page.locator('.map .meta', { hasText: 'of 170 tokens' }).waitFor();
    assert.ok(Number(await facts.innerText()) <= 170);
    await page.getByLabel('Pin').check();
    await slider.fill('90');
    await page.locator('.change.opened').waitFor();
    assert.ok((await page.locator('.map-line.new').count()) > 0);
    const opened = await page.locator('.change.opened').innerText();
    // The other one moves, and is compared with the pinned one all the time.
    await page.getByRole('button', { name: '3000', exact: true }).click();
    await page.locator('.map .meta', { hasText: 'of 3,000 tokens' }).waitFor();
    await page.getByText(/Compared with the pinned map of \d+ tokens/).waitFor();
    await slider.fill('90');
    await page.locator('.change.opened', { hasText: opened }).waitFor();
    await page.getByLabel('Pin').uncheck();
    // What is folded leads into its directory, and so does the rest of an area.
    await page
      .locator('.area-name', { hasText: /^src/ })
      .first()
      .click({ position: { x: 5, y: 5 } });
    await page.locator('.map-text', { hasText: '# src' }).waitFor();
    await page.goBack();
    await page.locator('.map-text', { hasText: '# .' }).waitFor();
    await page.locator('.area-name', { hasText: 'files here' }).first().dispatchEvent('click');
    await page.getByRole('region', { name: 'Explore' }).waitFor();
    await page.close();
  });

  it('says what to do where there are no calls to watch', async () => {
    const { page } = await open(browser, view.address);
    await tab(page, 'Watch');
    await page.getByText('agent-ls mcp --view').waitFor();
    await page.close();
  });

  it('has roles, names, contrast and room for everybody, at every size', async () => {
    const { page } = await open(browser, view.address, { reducedMotion: 'reduce' });
    await item(page, /^dist\//).click();
    for (const name of Object.keys(READY)) {
      await tab(page, name);
      await page.locator(READY[name]).first().waitFor();
    }
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const name of Object.keys(READY)) {
        await tab(page, name);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide for ${width}`);
        assert.deepEqual([name, width, await findings(page)], [name, width, []]);
      }
      await tab(page, 'Explore');
      const { height: room } = await page.getByRole('tree').boundingBox();
      assert.ok(room >= 140, `the list has ${room} pixels of ${height}`);
      await item(page, /^dist\//).scrollIntoViewIfNeeded();
    }
    // Only colours differ in the dark.
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const name of Object.keys(READY)) {
      await tab(page, name);
      assert.deepEqual([name, await findings(page, CONTRAST)], [name, []]);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('cache');
    await page.getByRole('option').nth(3).waitFor();
    assert.deepEqual(await findings(page), []);
    await page.close();
  });

  it('does not start for a root that does not exist', async () => {
    await assert.rejects(startView([join(project.root, 'nowhere')]), /nowhere/);
  });

  it('refuses a wrong token', async () => {
    const { page } = await open(browser, view.address.replace(/token=.*/, 'token=wrong'));
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

const basename = (path) => path.slice(path.lastIndexOf('/') + 1);
const squeezed = (text) => text.replace(/\s+/g, ' ').trim();

/** The answer to a request of the page. */
async function asked({ address }, name, body) {
  const { origin, hash: secret } = new URL(address);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret.replace('#token=', '')}` };
  return (await fetch(`${origin}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

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
