/** A tool's declaration in the shape that each API takes; every shape is made from the one definition. */
import type { ToolDeclaration } from '../../dialects/dialect.ts';

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

export const forMcp = ({ name, title, description, parameters }: ToolDeclaration) => ({
  name,
  title,
  description,
  inputSchema: parameters,
  annotations: { readOnlyHint: true, openWorldHint: false },
});
