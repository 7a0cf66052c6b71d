import type { ToolDeclaration } from '../../dialects/dialect.ts';

/** A tool's declaration in the shape that MCP has for it. */
export function asMcpTool({ name, title, description, parameters }: ToolDeclaration) {
  return {
    name,
    title,
    description,
    inputSchema: parameters,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}
