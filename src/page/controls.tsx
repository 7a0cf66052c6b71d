/** The controls that several views share. */
import type { Start, ToolInfo } from '../faces/view/api.ts';
import { grouped } from './hooks.ts';

export function Check({ label, checked, change }: { label: string; checked: boolean; change(to: boolean): void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} /> {label}
    </label>
  );
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

interface ToolSelectProps {
  readonly label: string;
  readonly tools: readonly ToolInfo[];
  readonly chosen: ToolInfo;
  choose(tool: ToolInfo): void;
}

export function ToolSelect({ label, tools, chosen, choose }: ToolSelectProps) {
  const change = (value: string) => choose(tools[Number(value)] as ToolInfo);
  return (
    <label>
      {label}{' '}
      <select value={tools.indexOf(chosen)} onChange={(event) => change(event.currentTarget.value)}>
        {tools.map((tool, at) => (
          <option key={nameOf(tool)} value={at}>
            {tool.dialect} · {tool.name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChipsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly chosen: Name;
  choose(name: Name): void;
}

/** Buttons of which one is chosen. */
export function Chips<Name extends string>({ names, chosen, choose }: ChipsProps<Name>) {
  return names.map((name) => (
    <button
      key={name}
      type="button"
      class={name === chosen ? 'chip chosen' : 'chip'}
      aria-pressed={name === chosen}
      onClick={() => choose(name)}
    >
      {name}
    </button>
  ));
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
/** The last position of the slider; the first is 0. */
const STEPS = 200;

/** On a logarithmic scale, the slider has as many positions for 100 to 200 tokens as for 10,000 to 20,000. */
function budgetAt(step: number): number {
  const exact = LEAST * (MOST / LEAST) ** (step / STEPS);
  const grain = exact < 1000 ? 10 : exact < 5000 ? 50 : 100;
  return within(Math.round(exact / grain) * grain);
}

function within(budget: number): number {
  return Math.max(LEAST, Math.min(MOST, budget));
}

interface BudgetProps {
  readonly budget: number;
  readonly className: string;
  change(to: number): void;
}

/** A slider, and a field for the exact number. */
export function Budget({ budget, change, className }: BudgetProps) {
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
