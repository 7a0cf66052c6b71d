/** The controls that several views share. */
import type { ComponentChildren, TargetedEvent } from 'preact';
import type { Start, ToolInfo } from '../faces/view/api.ts';
import { grouped } from './hooks.ts';

export function Check({ label, checked, change }: { label: string; checked: boolean; change(to: boolean): void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} /> {label}
    </label>
  );
}

/** Returns the attributes of a field for a text. */
export function textField(value: string, change: (to: string) => void) {
  const onInput = (event: TargetedEvent<HTMLInputElement>) => change(event.currentTarget.value);
  return { type: 'text', spellcheck: false, autocomplete: 'off', value, onInput } as const;
}

/** A name whose first and last spaces can be seen. */
export function Name({ text }: { text: string }) {
  const parts = text.split(/(^ +| +$)/);
  return parts.map((part, at) => (at % 2 === 0 ? part : <span class="invisible">{'·'.repeat(part.length)}</span>));
}

/** Returns a name such as `standard Tree`. */
export const nameOf = ({ dialect, name }: ToolInfo): string => `${dialect} ${name}`;

/** Returns the tool of that name, or the first one of the dialect that is selected at first. */
export function toolNamed({ tools, dialect }: Start, name: string | undefined): ToolInfo {
  return tools.find((tool) => nameOf(tool) === name) ?? (tools.find((tool) => tool.dialect === dialect) as ToolInfo);
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  /** The text of each option, by its value. */
  readonly options: Readonly<Record<string, string>>;
  change(value: string): void;
}

export function Select({ label, value, options, change }: SelectProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {Object.entries(options).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function ToolSelect(props: { start: Start; label: string; tool: ToolInfo; change(to: ToolInfo): void }) {
  const { start, label, tool, change } = props;
  const options = Object.fromEntries(start.tools.map((one) => [nameOf(one), `${one.dialect} · ${one.name}`]));
  return <Select {...{ label, value: nameOf(tool), options }} change={(name) => change(toolNamed(start, name))} />;
}

/** A button with a text. Anything else is an attribute of its element. */
export function Button({ text, press, ...about }: { text: ComponentChildren; press(): void; [name: string]: unknown }) {
  return (
    <button type="button" onClick={press} {...about}>
      {text}
    </button>
  );
}

export function Chips<Name extends string>(props: { names: readonly Name[]; chosen: Name; choose(name: Name): void }) {
  const { names, chosen, choose } = props;
  return names.map((name) => <Toggle key={name} text={name} isOn={name === chosen} press={() => choose(name)} />);
}

export function Toggle({ text, isOn, press }: { text: string; isOn: boolean; press(): void }) {
  return <Button {...{ text, press, class: isOn ? 'chip chosen' : 'chip', 'aria-pressed': isOn }} />;
}

export function Badge({ isOn, on, off }: { isOn: boolean; on: string; off: string }) {
  return <span class={isOn ? 'badge on' : 'badge off'}>{isOn ? on : off}</span>;
}

/** Facts with their names, as the items of a `dl`. */
export function Facts({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return rows.map(([name, value]) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ));
}

const LEAST = 100;
const MOST = 20_000;
const STEPS = 200;

const within = (budget: number): number => Math.max(LEAST, Math.min(MOST, budget));

/** On a logarithmic scale, the slider has as many positions for 100 to 200 tokens as for 10,000 to 20,000. */
function budgetAt(step: number): number {
  const exact = LEAST * (MOST / LEAST) ** (step / STEPS);
  const grain = exact < 1000 ? 10 : exact < 5000 ? 50 : 100;
  return within(Math.round(exact / grain) * grain);
}

export function Budget(props: { budget: number; className: string; change(to: number): void }) {
  const { budget, className, change } = props;
  const step = Math.round((STEPS * Math.log(within(budget) / LEAST)) / Math.log(MOST / LEAST));
  const range = { min: 0, max: STEPS, value: step, 'aria-valuetext': `${grouped(budget)} tokens` };
  return (
    <div class={`slider ${className}`}>
      <label class="grow">
        Budget{' '}
        <input type="range" {...range} onInput={(event) => change(budgetAt(Number(event.currentTarget.value)))} />
      </label>
      <label>
        <input
          type="number"
          {...{ min: LEAST, max: MOST, value: budget }}
          onChange={({ currentTarget: field }) => {
            field.value = String(within(Math.round(field.valueAsNumber) || LEAST));
            change(Number(field.value));
          }}
        />{' '}
        tokens
      </label>
    </div>
  );
}
