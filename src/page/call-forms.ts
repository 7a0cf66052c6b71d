/** Writes a call in the forms that people copy. */
import type { CallRequest } from '../faces/view/api.ts';

/** Returns the texts by the names of their forms. */
export function formsOf({ dialect, tool, params }: CallRequest, root: string, isFirstTool: boolean) {
  const toolOption = isFirstTool ? '' : ` --tool ${tool}`;
  const dialectOption = dialect === 'standard' ? '' : ` --dialect ${dialect}`;
  const command = `agent-ls call ${inShell(JSON.stringify(params))}${toolOption}${dialectOption} --root ${inShell(root)}`;
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: params } };
  const own = { Tree: 'tree', Find: 'find' }[tool];
  const words = `${own === undefined ? `'${dialect}', ` : ''}${JSON.stringify(params)}, ${JSON.stringify(root)}`;
  const program = (name: string) => `import { ${name} } from 'agent-ls';\n\nconst answer = await ${name}(${words});`;
  return {
    'Command line': command,
    'MCP request': JSON.stringify(request, null, 2),
    TypeScript: program(own ?? 'call'),
  };
}

function inShell(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
