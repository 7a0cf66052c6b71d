/** Stand-ins for the SDKs of cloud sandboxes: what each can be asked, answered by this machine's disk. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import type { CloudSandbox } from '../../src/index.ts';

export const SANDBOXES: Readonly<Record<string, CloudSandbox>> = {
  E2B: {
    files: {
      list: async (path, { depth = 1 } = {}) => {
        const found: { name: string; path: string; type: string; size: number }[] = [];
        const visit = (directory: string, left: number) => {
          for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
            const at = join(directory, entry.name);
            found.push({
              name: entry.name,
              path: at,
              type: entry.isDirectory() ? 'dir' : 'file',
              size: fs.statSync(at).size,
            });
            if (entry.isDirectory() && left > 1) visit(at, left - 1);
          }
        };
        visit(path, depth);
        return found.reverse();
      },
      read: async (path) => fs.readFileSync(path),
    },
  },
  Daytona: {
    fs: {
      listFiles: async (path) =>
        fs.readdirSync(path, { withFileTypes: true }).map((entry) => {
          const { size, mtime } = fs.statSync(join(path, entry.name));
          return { name: entry.name, isDir: entry.isDirectory(), size, modTime: mtime.toISOString() };
        }),
      downloadFile: async (path) => fs.readFileSync(path),
    },
  },
  Vercel: {
    runCommand: async (command, args) => {
      const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
      return { exitCode: status ?? 1, stdout: async () => stdout };
    },
    readFileToBuffer: async ({ path }) => fs.readFileSync(path),
  },
};
