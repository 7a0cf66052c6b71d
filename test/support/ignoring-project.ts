/** A small project with ignore files, links and what they hide, for sources that are compared with each other. */
import type { TreeLiteral } from './tree.ts';

export const PROJECT: TreeLiteral = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  '.git/refs/heads/x': '',
  '.gitignore': '*.log\nbuild/\n',
  'src/.gitignore': '!keep.log\n',
  'src/keep.log': 'kept',
  'src/app.ts': 'x'.repeat(30),
  'src/deep/er/file.md': 'deep',
  'src/to-root': { link: '../docs' },
  'docs/a.md': '',
  'docs/b.log': '',
  'build/out.js': '',
  'to-src': { link: 'src' },
  broken: { link: 'none' },
  'z.txt': 'zz',
};
