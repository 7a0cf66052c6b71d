// How the page bears large trees: node test/view/large.js [FILES...]. Makes a tree of so many files (half of them in one
// directory), opens it, scrolls, and prints times, memory and frames. By hand: a million files take a while to make.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser, startView } from './browser.js';

const WAIT = { timeout: 300_000 };

for (const count of process.argv.slice(2).map(Number)) await measure(count);

async function measure(files) {
  const root = mkdtempSync(join(tmpdir(), 'agent-ls-large-'));
  try {
    makeTree(root, files);
    const view = await startView([root]);
    const browser = await startBrowser(['--enable-precise-memory-info', '--js-flags=--expose-gc']);
    try {
      await watch(files, view, browser);
    } finally {
      await browser.close();
      await view.stop();
    }
  } finally {
    execFileSync('rm', ['-rf', root]);
    rmSync(root, { recursive: true, force: true });
  }
}

async function watch(files, view, browser) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const seen = { files };
  seen.startMb = residentMb(view.child.pid);
  const started = performance.now();
  await page.goto(view.address);
  await page.getByRole('treeitem', { name: /^flat/ }).waitFor(WAIT);
  seen.firstRowsMs = Math.round(performance.now() - started);
  seen.firstPaintMs = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return Math.round(paint?.startTime ?? Number.NaN);
  });
  await page
    .getByText(`${files.toLocaleString('en')} files`)
    .first()
    .waitFor(WAIT);
  seen.countedMs = Math.round(performance.now() - started);
  const opened = performance.now();
  await page.getByRole('treeitem', { name: /^flat/ }).dblclick();
  await page.locator('[aria-level="2"]').nth(5).waitFor(WAIT);
  seen.openedMs = Math.round(performance.now() - opened);
  Object.assign(seen, await page.evaluate(scroll));
  await page.getByRole('tree').focus();
  const end = performance.now();
  await page.keyboard.press('End');
  await page.locator('.row.active[aria-level]').waitFor(WAIT);
  seen.toTheEndMs = Math.round(performance.now() - end);
  seen.rowsInPage = await page.locator('.row').count();
  seen.pageMb = await page.evaluate(() => {
    globalThis.gc?.();
    return Math.round(performance.memory.usedJSHeapSize / 1e6);
  });
  seen.serverMb = residentMb(view.child.pid);
  seen.serverPeakMb = peakMb(view.child.pid);
  console.log(JSON.stringify(seen));
}

/** Runs in the page: scrolls for three seconds, and notes how long each frame took. */
function scroll() {
  return new Promise((resolve) => {
    const list = document.querySelector('[role=tree]');
    const frames = [];
    const started = performance.now();
    let last = started;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      list.scrollTop += 40;
      if (now - started < 3000) requestAnimationFrame(step);
      else {
        const sorted = frames.slice(1).sort((a, b) => a - b);
        resolve({
          framesPerSecond: Math.round((sorted.length / (last - started)) * 1000),
          medianFrameMs: Math.round(sorted[sorted.length >> 1] * 10) / 10,
          frame99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] * 10) / 10,
        });
      }
    };
    requestAnimationFrame(step);
  });
}

function makeTree(root, files) {
  const flat = files / 2;
  mkdirSync(join(root, 'flat'));
  for (let file = 0; file < flat; file++) writeFileSync(join(root, 'flat', `entry-${file}.txt`), '');
  for (let file = 0; file < files - flat; file++) {
    const directory = join(root, `part-${Math.floor(file / 10_000)}`, `group-${Math.floor(file / 100)}`);
    if (file % 100 === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `module-${file}.ts`), '');
  }
}

function residentMb(pid) {
  return inMb(pid, 'VmRSS');
}

function peakMb(pid) {
  return inMb(pid, 'VmHWM');
}

function inMb(pid, field) {
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(found) / 1000);
}
