/** A tool's declaration in the shape that each API takes; every shape is made from the one definition. */
import type { ObjectSchema, ToolDeclaration, ToolDescription } from '../../dialects/dialect.ts';
import { MAX_CHARACTERS } from '../../protocol/size.ts';

/** Leaves out the parameters that only programs can use. */
export function parametersForModels({ parameters, forPrograms }: ToolDescription): ObjectSchema {
  if (forPrograms === undefined) return parameters;
  const properties = Object.entries(parameters.properties as object).filter(([name]) => !forPrograms.includes(name));
  return { ...parameters, properties: Object.fromEntries(properties) };
}

export const forAnyone = ({ name, title, description, parameters }: ToolDeclaration) => ({
  name,
  title,
  description,
  parameters,
});

/** Not strict, which is the default here: that would ask the model for a value of every parameter. */
export const forOpenAI = ({ name, description, parameters }: ToolDeclaration) => ({
  type: 'function' as const,
  name,
  description,
  parameters,
  strict: false,
});

/** The same for chat completions, where not strict is the default. */
export const forOpenAIChat = ({ name, description, parameters }: ToolDeclaration) => ({
  type: 'function' as const,
  function: { name, description, parameters },
});

export const forAnthropic = ({ name, description, parameters }: ToolDeclaration) => ({
  name,
  description,
  input_schema: parameters,
});

export const forGemini = ({ name, description, parameters }: ToolDeclaration) => ({
  name,
  description,
  parametersJsonSchema: parameters,
});

/** Read by Claude Code alone; other clients ignore it. */
interface ClaudeCodeHints {
  /** Loads the tool at the start, instead of hiding it behind a search. */
  readonly alwaysLoad?: boolean;
  /** Characters of the longest answer, which then arrives whole. */
  readonly maxCharacters?: number;
}

export const forMcp = (
  tool: ToolDescription,
  { alwaysLoad = false, maxCharacters = MAX_CHARACTERS }: ClaudeCodeHints = {},
) => ({
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
