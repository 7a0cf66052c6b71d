/** Runs the tests that Gemini CLI publishes for its own `LSTool` against ours. They are read where npm has put them. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const STAND_INS = [
  ['gemini-cli-0.1.16', 'first.ts'],
  ['gemini-cli-0.61', 'today.ts'],
] as const;

export default defineConfig({
  plugins: [
    {
      name: 'our-tool-for-theirs',
      enforce: 'pre',
      resolveId(source, importer = '') {
        if (source !== './ls.js' || !importer.endsWith('ls.test.js')) return null;
        const found = STAND_INS.find(([folder]) => importer.includes(`/${folder}/`));
        return found === undefined ? null : fileURLToPath(new URL(found[1], import.meta.url));
      },
    },
  ],
  test: {
    include: ['test/frameworks/**/node_modules/gemini-cli-0.{1.16,61}/dist/src/tools/ls.test.js'],
    exclude: [],
    server: { deps: { inline: [/gemini-cli-0/], external: [/\/dist\/faces\//] } },
  },
});
