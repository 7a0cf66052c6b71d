/** docs/frameworks.md: every program on it, compiled against the framework's own types and run. */
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';
import { FRAMEWORKS_PAGE } from '../docs/pages.ts';
import { checkPrograms } from '../docs/programs.ts';
import { makeSample } from '../docs/sample-project.ts';

it('has programs that compile and run', () =>
  checkPrograms([FRAMEWORKS_PAGE], makeSample(), fileURLToPath(new URL('.', import.meta.url))));
