// Gemini CLI's list_directory with an order of one's own: the largest first, whatever it is; and its entries as data.
// Usage: node examples/custom-sort.js [DIRECTORY]
import { resolve } from 'node:path';
import { listDirectoryTool, openWorkspace } from 'agent-ls';

const root = resolve(process.argv[2] ?? '.');
const workspace = await openWorkspace(root);
const tool = listDirectoryTool(workspace, {
  sort: (a, b) => b.size - a.size || (a.name < b.name ? -1 : 1),
  fileFiltering: { defaultIgnorePatterns: ['*.md'] },
});

const { llmContent, returnDisplay } = await tool.execute({ path: root });
console.log(llmContent);
console.log(returnDisplay);

const files = (await tool.entries({ path: root })).filter(({ isDirectory }) => !isDirectory);
for (const { name, size, type } of files) console.log(`${String(size).padStart(6)}  ${name}  ${type}`);
workspace.close();
