/** Folders of a map from literals, as a survey of a disk would make them. */

import { bytesOf } from '../../src/names/bytes.ts';
import { worthOfDirectory, worthOfFile } from '../../src/names/kind.ts';
import { Folder } from '../../src/overview/folder.ts';

/** What a directory holds, by name: a directory, a file (''), a link (`@`), or a directory that could not be read (`?`). */
export type Sketch = { readonly [name: string]: Sketch | '' | '@' | '?' };

export function folderOf(sketch: Sketch, name = '', parent: Folder | null = null): Folder {
  const folder = new Folder(bytesOf(name), parent, (parent?.worth ?? 1) * worthOfDirectory(bytesOf(name)));
  folder.names = [];
  for (const [inner, content] of Object.entries(sketch)) {
    if (content === '?') folder.add(new Folder(bytesOf(inner), folder, folder.worth)).isUnreadable = true;
    else if (typeof content === 'object') folder.add(folderOf(content, inner, folder));
    else addFile(folder, inner, content === '@');
  }
  folder.filesBelow = folder.folders.reduce((sum, { filesBelow }) => sum + filesBelow, folder.files);
  folder.massBelow = folder.folders.reduce((sum, { massBelow }) => sum + massBelow, folder.mass);
  folder.foldersBelow = folder.folders.reduce((sum, { foldersBelow }) => sum + foldersBelow + 1, 0);
  return folder;
}

function addFile(folder: Folder, text: string, isLink: boolean): void {
  const name = bytesOf(text);
  folder.files++;
  folder.mass += folder.worth * worthOfFile(name);
  folder.names?.push(name);
  if (isLink) folder.addLink(name);
}

/** So many files with names of this kind. */
export function filesNamed(count: number, name: (i: number) => string): Sketch {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), '']));
}

/** All steps of some work at once, and how many there were. */
export function inSteps<T>(work: Generator<unknown, T, void>): { readonly value: T; readonly steps: number } {
  for (let steps = 0; ; steps++) {
    const next = work.next();
    if (next.done) return { value: next.value, steps };
  }
}

export function done<T>(work: Generator<unknown, T, void>): T {
  return inSteps(work).value;
}
