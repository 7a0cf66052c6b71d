/** The words of which dialects make the JSON Schema of their answers, for clients that take data beside the text. */
import type { ObjectSchema } from './dialect.ts';

export const STRING = { type: 'string' };
export const BOOLEAN = { type: 'boolean' };
export const COUNT = { type: 'integer', minimum: 0 };

export function listOf(items: unknown) {
  return { type: 'array', items };
}

export function oneOf(values: readonly string[]) {
  return { enum: [...values] };
}

export function objectOf(properties: Readonly<Record<string, unknown>>, required: readonly string[]): ObjectSchema {
  return { type: 'object', properties, required: [...required] };
}
