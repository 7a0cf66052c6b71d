/** Writes a call in the forms that people copy. */
import type { CallRequest } from '../faces/view/api.ts';

export interface CallForm {
  readonly name: string;
  readonly text: string;
}

export function formsOf({ dialect, tool, params }: CallRequest, root: string, isFirstTool: boolean): CallForm[] {
  const toolOption = isFirstTool ? '' : ` --tool ${tool}`;
  const dialectOption = dialect === 'standard' ? '' : ` --dialect ${dialect}`;
  const command = `agent-ls call ${inShell(JSON.stringify(params))}${toolOption}${dialectOption} --root ${inShell(root)}`;
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: params } };
  const place = JSON.stringify(root);
  const own = tool === 'Tree' ? 'tree' : tool === 'Find' ? 'find' : null;
  const program =
    own !== null
      ? `import { ${own} } from 'agent-ls';\n\nconst answer = await ${own}(${JSON.stringify(params)}, ${place});`
      : `import { call } from 'agent-ls';\n\nconst answer = await call('${dialect}', ${JSON.stringify(params)}, ${place});`;
  return [
    { name: 'Command line', text: command },
    { name: 'MCP request', text: JSON.stringify(request, null, 2) },
    { name: 'TypeScript', text: program },
  ];
}

function inShell(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
