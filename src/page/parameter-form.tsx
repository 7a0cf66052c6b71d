/** A form for the parameters of a tool but its path, generated from its schema. Empty fields are not sent. */
import type { ParameterSchema, ToolInfo } from '../faces/view/api.ts';

export type Values = Readonly<Record<string, string>>;

interface ParameterFormProps {
  readonly id: string;
  readonly tool: ToolInfo;
  readonly values: Values;
  change(values: Values): void;
  submit(): void;
}

export function ParameterForm({ id, tool, values, change, submit }: ParameterFormProps) {
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
        <div class="field" key={name}>
          <label for={`${id}-${name}`} title={schema.description}>
            {name}
          </label>
          <Field
            id={`${id}-${name}`}
            {...{ schema, value: values[name] ?? '' }}
            change={(value) => change({ ...values, [name]: value })}
          />
        </div>
      ))}
      <button type="submit" class="primary">
        Ask
      </button>
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly schema: ParameterSchema;
  readonly value: string;
  change(value: string): void;
}

/** Placeholders that show how to write a value that is neither a text nor a number. */
const HINTS: Readonly<Record<string, string>> = { array: 'a, b, c', object: '{ … } as JSON' };

function Field({ id, schema, value, change }: FieldProps) {
  const type = typeOf(schema);
  const choices = type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  if (choices !== undefined) {
    const usual = schema.default === undefined ? '' : ` (${schema.default})`;
    return (
      <select {...{ id, value }} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">default{usual}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  const isNumber = type === 'integer' || type === 'number';
  const hint = schema.default === undefined ? (HINTS[type] ?? '') : String(schema.default);
  return (
    <input
      {...{ id, value }}
      type="text"
      inputMode={isNumber ? 'numeric' : 'text'}
      placeholder={hint}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => change(event.currentTarget.value)}
    />
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

function parsedJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function parsed(value: string, type: string): unknown {
  if (type === 'array') {
    const items = value.split(',').map((item) => item.trim());
    return items.filter((item) => item !== '');
  }
  if (type === 'boolean') return value === 'true';
  if (type === 'object') return parsedJson(value);
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  return value;
}
