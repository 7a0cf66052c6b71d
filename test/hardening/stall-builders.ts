/** What hostile workspaces are made of. */
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KILOBYTE = 1024;
export const MEGABYTE = 1024 * 1024;

/** A line break, so that it has to be quoted, then a letter and many marks that combine with it, one after the other. */
export function marks(bytes: number): string {
  return `\nx${'\u0316'.repeat((bytes - 2) / 2)}`;
}

/** `line` again and again, numbered from 0, until there are so many bytes. */
export function lines(bytes: number, line: (i: number) => string): string {
  const parts: string[] = [];
  for (let [i, length] = [0, 0]; length < bytes; i++) {
    parts.push(`${line(i)}\n`);
    length += line(i).length + 1;
  }
  return parts.join('').slice(0, bytes);
}

/** As many different short words as there are. */
export function word(i: number): string {
  return i.toString(36).padStart(3, '0');
}

export function addFiles(directory: string, count: number, name: (i: number) => string): void {
  mkdirSync(directory, { recursive: true });
  for (let i = 0; i < count; i++) closeSync(openSync(join(directory, name(i)), 'w'));
}

export function addDirectories(directory: string, count: number, name: (i: number) => string, mode = 0o755): void {
  mkdirSync(directory, { recursive: true });
  for (let i = 0; i < count; i++) mkdirSync(join(directory, name(i)), { mode });
}

export function addLinks(directory: string, count: number, target: (i: number) => string): void {
  mkdirSync(directory, { recursive: true });
  for (let i = 0; i < count; i++) symlinkSync(target(i), join(directory, `link-${i}`));
}

/** `root/d/d/…`; `fill` puts into each directory what is to stand beside the next. Returns the path of the deepest. */
export function nest(root: string, levels: number, fill: (directory: string, level: number) => void): string {
  let directory = root;
  for (let level = 0; level < levels; level++) {
    fill(directory, level);
    directory = join(directory, 'd');
    mkdirSync(directory);
  }
  return directory;
}

/** The path of the deepest directory that `nest` made. */
export function deepest(root: string, levels: number): string {
  return join(root, 'd/'.repeat(levels).slice(0, -1));
}

/** An empty repository, without git's own command: only what makes it one, and what the files say. */
export function addRepository(directory: string, files: Readonly<Record<string, string>> = {}): void {
  const standard = { HEAD: 'ref: refs/heads/main\n', config: '[core]\n\trepositoryformatversion = 0\n' };
  mkdirSync(join(directory, '.git', 'objects'), { recursive: true });
  mkdirSync(join(directory, '.git', 'refs'));
  mkdirSync(join(directory, '.git', 'info'));
  for (const [name, content] of Object.entries({ ...standard, ...files })) {
    writeFileSync(join(directory, '.git', name), content);
  }
}
