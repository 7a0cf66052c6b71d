/** A form for the parameters of a tool but its path, generated from its schema. Empty fields are not sent. */
import type { ParameterSchema, ToolInfo } from '../faces/view/api.ts';
import { textField } from './controls.tsx';

export type Values = Readonly<Record<string, string>>;

export function ParameterForm(props: { tool: ToolInfo; values: Values; change(to: Values): void; submit(): void }) {
  const { tool, values, change, submit } = props;
  const fields = Object.entries(tool.parameters.properties ?? {}).filter(([name]) => name !== tool.pathParameter);
  return (
    <form
      class="parameters"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map(([name, schema]) => (
        <Field
          {...{ key: name, name, schema, value: values[name] ?? '' }}
          change={(value) => change({ ...values, [name]: value })}
        />
      ))}
      <button type="submit" class="primary">
        Ask
      </button>
    </form>
  );
}

/** Placeholders that show how to write a value that is neither a text nor a number. */
const HINTS: Readonly<Record<string, string>> = { array: 'a, b, c', object: '{ … } as JSON' };

function Field(props: { name: string; schema: ParameterSchema; value: string; change(to: string): void }) {
  const { name, schema, value, change } = props;
  const type = typeOf(schema);
  const choices = type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const hint = schema.default === undefined ? (HINTS[type] ?? '') : String(schema.default);
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its control is one of two
    <label class="field" title={schema.description}>
      {name}
      {choices === undefined ? (
        <input {...textField(value, change)} placeholder={hint} />
      ) : (
        <select value={value} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">default{hint === '' ? '' : ` (${hint})`}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </label>
  );
}

/** Returns 'array' if the schema has items, otherwise the first type that is not null. */
function typeOf({ type, items }: ParameterSchema): string {
  if (items !== undefined) return 'array';
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.find((one) => one !== 'null') ?? 'string';
}

/** Returns the parameters to send. A text that is not of the right type is sent unchanged, and the tool reports it. */
export function parametersOf(tool: ToolInfo, values: Values): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(tool.parameters.properties ?? {})) {
    const value = values[name] ?? '';
    if (value !== '') sent[name] = parsed(value, typeOf(schema));
  }
  return sent;
}

function parsed(value: string, type: string): unknown {
  if (type === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    if (type !== 'array') return value;
    const items = value.split(',').map((item) => item.trim());
    return items.filter((item) => item !== '');
  }
}

/** Returns the texts of a form that sends these parameters. */
export function valuesOf(params: Readonly<Record<string, unknown>>): Values {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)]));
}
