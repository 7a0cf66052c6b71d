/** The files of the page, which are stored beside the built command. */
import { readFileSync } from 'node:fs';

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
} as const;

/** Returns the complete page that MCP clients show. */
export function readAppPage(): string {
  return readBeside('app.html').toString('utf8');
}

function readBeside(name: string): Buffer {
  return readFileSync(new URL(`./page/${name}`, import.meta.url));
}

/** Returns the files by the path of their request. */
export function readPageFiles(): ReadonlyMap<string, { readonly type: string; readonly content: Buffer }> {
  return new Map(Object.entries(FILES).map(([path, [name, type]]) => [path, { type, content: readBeside(name) }]));
}
