// The building blocks of JSON Schemas: that of the envelope, and those of the dialects' answers.

export const STRING = { type: 'string' };
export const BOOLEAN = { type: 'boolean' };
export const COUNT = { type: 'integer', minimum: 0 };

export function listOf(items: unknown) {
  return { type: 'array', items };
}

export function oneOf(values: readonly string[]) {
  return { enum: [...values] };
}

export function objectOf(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: 'object' as const, properties, required: [...required] };
}
