/** The controls that several views share. */
import { grouped } from './hooks.ts';

export function Check({ label, checked, change }: { label: string; checked: boolean; change(to: boolean): void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} /> {label}
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
export function budgetAt(step: number): number {
  const exact = LEAST * (MOST / LEAST) ** (step / STEPS);
  const grain = exact < 1000 ? 10 : exact < 5000 ? 50 : 100;
  return Math.max(LEAST, Math.min(MOST, Math.round(exact / grain) * grain));
}

export function stepOf(budget: number): number {
  return Math.round((STEPS * Math.log(budget / LEAST)) / Math.log(MOST / LEAST));
}

export function BudgetSlider({
  step,
  change,
  className,
}: {
  step: number;
  change(to: number): void;
  className: string;
}) {
  const text = `${budgetAt(step)} tokens`;
  return (
    <label class={`slider ${className}`}>
      Budget{' '}
      <input
        type="range"
        {...{ min: 0, max: STEPS, value: step, 'aria-valuetext': text }}
        onInput={(event) => change(Number(event.currentTarget.value))}
      />
      <output class="number">{grouped(budgetAt(step))}</output>
    </label>
  );
}
