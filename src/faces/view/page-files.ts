/** The files of the page, which are stored beside the built command. */
import { readFileSync } from 'node:fs';

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

/** Returns the complete page that MCP clients show. */
export function readAppPage(): string {
  return readBeside('app.html').toString('utf8');
}

function readBeside(name: string): Buffer {
  return readFileSync(new URL(`./page/${name}`, import.meta.url));
}

/** Returns the files by the path of their request. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const [name, type] of Object.entries(TYPES)) {
    const content = readBeside(name);
    files.set(name === 'index.html' ? '/' : `/${name}`, { type, content });
  }
  return files;
}
