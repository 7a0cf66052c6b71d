// Removes the built files, so that a file deleted from src does not remain in dist.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
