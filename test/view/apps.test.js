// The app in a client of MCP Apps: the host's side is the extension's own SDK, the frame is as closed as hosts make it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'rolldown';
import { COMMAND_PATH, startBrowser } from './browser.js';
import { makeProject } from './project.js';

const WAIT = { timeout: 30_000 };

/** What hosts allow a page that names no domain. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** Runs in the host's page. Calls of the app go to the real server. */
const HOST = `
  import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
  window.showApp = async (html, input, result) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.style.width = '700px';
    frame.style.height = '500px';
    document.body.append(frame);
    const bridge = new AppBridge(null, { name: 'host', version: '1' }, { serverTools: {} }, { hostContext: { theme: 'dark' } });
    bridge.oncalltool = (params) => window.callTool(params);
    bridge.onsizechange = (size) => { window.lastSize = size; };
    bridge.oninitialized = async () => {
      await bridge.sendToolInput({ arguments: input });
      await bridge.sendToolResult(result);
    };
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = html;
  };
`;

let browser;
let project;
let client;
let hostProgram;

before(async () => {
  project = makeProject();
  browser = await startBrowser();
  hostProgram = await bundled(HOST);
  client = new Client({ name: 'host', version: '1' });
  const args = [COMMAND_PATH, 'mcp', '--apps', project.root];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
});

after(async () => {
  await client?.close();
  await browser?.close();
  project?.remove();
});

async function bundled(text) {
  const { output } = await build({
    input: 'host',
    platform: 'browser',
    write: false,
    plugins: [
      {
        name: 'host',
        resolveId: (id) => (id === 'host' ? `${import.meta.dirname}/host.js` : null),
        load: (id) => (id.endsWith('/host.js') ? text : null),
      },
    ],
    output: { format: 'iife', codeSplitting: false },
  });
  return output[0].code;
}

/** The app as a host shows it, with the answer to a call that a model has made. */
async function show(name, input) {
  const { tools } = await client.listTools();
  const { resourceUri } = tools.find((tool) => tool.name === name)._meta.ui;
  const { contents } = await client.readResource({ uri: resourceUri });
  assert.equal(contents[0].mimeType, 'text/html;profile=mcp-app');
  const result = await client.callTool({ name, arguments: input });
  const page = await browser.newPage({ viewport: { width: 760, height: 560 } });
  const problems = [];
  const calls = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.exposeFunction('callTool', (params) => {
    calls.push(params);
    return client.callTool(params);
  });
  await page.addScriptTag({ content: hostProgram });
  const html = contents[0].text.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  );
  await page.evaluate(([app, args, answer]) => window.showApp(app, args, answer), [html, input, result]);
  return { page, frame: page.frameLocator('iframe'), problems, calls };
}

describe('agent-ls mcp --apps, in a host', () => {
  it('shows the map, redraws it, and opens what is closed', async () => {
    const { page, frame, problems, calls } = await show('Tree', { budget: 150 });
    await frame.locator('.map-line', { hasText: 'files, ' }).waitFor(WAIT);
    await frame.getByRole('slider').fill('60');
    await frame.locator('.map-line.new, .map-line .new').first().waitFor(WAIT);
    assert.deepEqual([calls[0].name, calls[0].arguments.budget], ['Tree', 490]);
    await frame.getByRole('button', { name: 'What the model asked' }).click();
    await frame.getByRole('button', { name: /\+/ }).first().click();
    await frame.getByRole('button', { name: 'What the model asked' }).waitFor(WAIT);
    assert.equal(typeof calls[1].arguments.path, 'string');
    assert.equal(await frame.locator('html').getAttribute('data-theme'), 'dark');
    assert.ok((await page.evaluate(() => window.lastSize.height)) > 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('shows the listing, and goes into a directory and to the next page', async () => {
    const { page, frame, problems } = await show('LS', { limit: 2 });
    await frame.getByRole('button', { name: 'docs/' }).click();
    await frame.getByText('docs/guide.md').waitFor(WAIT);
    await frame.getByRole('button', { name: 'What the model asked' }).click();
    await frame.getByRole('button', { name: 'Next page' }).click();
    await frame.getByRole('button', { name: 'src/' }).waitFor(WAIT);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('shows names that try to do harm as what they are', async () => {
    const { page, frame, problems } = await show('LS', { path: 'hostile' });
    await frame.getByText('onerror').waitFor(WAIT);
    assert.equal(await frame.locator('img').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });
});
