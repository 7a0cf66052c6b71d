// A page of a directory as everybody would write it first: read all, sort all, cut out the page.
import { readdir } from 'node:fs/promises';

const [directory, offset] = process.argv.slice(2);
const entries = await readdir(directory, { withFileTypes: true });
entries.sort((a, b) => b.isDirectory() - a.isDirectory() || (a.name < b.name ? -1 : 1));
const page = entries.slice(Number(offset), Number(offset) + 100);
console.log(JSON.stringify(page.map((entry) => ({ path: entry.name, type: entry.isDirectory() ? 'dir' : 'file' }))));
