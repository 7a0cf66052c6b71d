/** Converts the one definition of a tool to the declaration that each API takes. */
import type { ObjectSchema, ToolDeclaration, ToolDescription } from '../../dialects/dialect.ts';
import { MAX_CHARACTERS } from '../../protocol/size.ts';

/** Omits the parameters that only programs can use. */
export function parametersForModels({ parameters, forPrograms }: ToolDescription): ObjectSchema {
  if (forPrograms === undefined) return parameters;
  const properties = Object.entries(parameters.properties as object).filter(([name]) => !forPrograms.includes(name));
  return { ...parameters, properties: Object.fromEntries(properties) };
}

export function forAnyone({ name, title, description, parameters }: ToolDeclaration) {
  return { name, title, description, parameters };
}

/** Disables strict mode, the default here, because it would make the model send a value for every parameter. */
export function forOpenAI({ name, description, parameters }: ToolDeclaration) {
  return { type: 'function' as const, name, description, parameters, strict: false };
}

/** The same for chat completions, where strict mode is off by default. */
export function forOpenAIChat({ name, description, parameters }: ToolDeclaration) {
  return { type: 'function' as const, function: { name, description, parameters } };
}

export function forAnthropic({ name, description, parameters }: ToolDeclaration) {
  return { name, description, input_schema: parameters };
}

export function forGemini({ name, description, parameters }: ToolDeclaration) {
  return { name, description, parametersJsonSchema: parameters };
}

/** `_meta` is for Claude Code alone: `alwaysLoad` loads the tool at the start, instead of hiding it behind a search. */
export const forMcp = (tool: ToolDescription, { alwaysLoad = false, maxCharacters = MAX_CHARACTERS } = {}) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: parametersForModels(tool),
  annotations: { readOnlyHint: true, openWorldHint: false },
  _meta: {
    'anthropic/searchHint': tool.keywords,
    'anthropic/maxResultSizeChars': maxCharacters,
    ...(alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
  },
});
