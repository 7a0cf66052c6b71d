/**
 * Parameters as they arrive through clients and frameworks, which add some of their own (`wait_for_previous`) and write
 * numbers as strings. A name that the tool does not know is ignored, unless it is close to one that it knows.
 */
import { isObject, nameMeantBy, unknownParameter } from './parameters.ts';

/** The part of a JSON Schema that is used here. */
interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

/** Returns what the parameters mean; throws a ParameterError for a misspelt name. */
export function lenientParameters(value: unknown, { type, properties, additionalProperties }: Schema): unknown {
  if (typeof value === 'string') {
    if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
    if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  }
  if (properties === undefined || !isObject(value)) return value;
  const names = Object.keys(properties);
  const meant: [string, unknown][] = [];
  for (const [name, given] of Object.entries(value)) {
    if (names.includes(name)) meant.push([name, lenientParameters(given, properties[name] as Schema)]);
    else {
      const hint = nameMeantBy(name, names);
      if (hint !== '') throw unknownParameter(name, hint);
      // A dialect whose schema allows others knows what to do with them.
      if (additionalProperties !== false) meant.push([name, given]);
    }
  }
  return Object.fromEntries(meant);
}
