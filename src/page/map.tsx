/** Map: the output of `Tree` within a budget, redrawn while the budget is changed. */
import { useRef, useState } from 'preact/hooks';
import type { CallAnswer, Start } from '../faces/view/api.ts';
import { BudgetSlider, budgetAt, stepOf } from './controls.tsx';
import { grouped, milliseconds, useCounts, useRequest, useSettled } from './hooks.ts';
import { changesBetween, type MapChanges, type MapData, openIn } from './map-changes.ts';
import { MapText } from './map-text.tsx';
import { Treemap } from './treemap.tsx';

/** Milliseconds for which the slider must be still before a map is drawn. */
const SETTLED = 60;

interface Drawn {
  readonly answer: CallAnswer;
  readonly budget: number;
}

export function MapView({ start, root }: { start: Start; root: number }) {
  const rootPath = start.roots[root]?.path ?? '';
  const [step, setStep] = useState(stepOf(1000));
  const settled = useSettled(budgetAt(step), SETTLED);
  const params = { path: rootPath, budget: settled };
  const request = { root, dialect: 'standard', tool: 'Tree', params };
  const { answer, problem, isLoading } = useRequest<CallAnswer>('call', request);
  const [drawn, before] = useLastTwo(answer, settled);
  const data = dataOf(drawn);
  const open = data === null ? new Set<string>() : openIn(data);
  const base = rootPath.replace(/\/$/, '');
  const { isDone: isCounted } = useCounts(root);

  return (
    <section class="view split map" aria-label="Map">
      <div class="pane">
        <div class="toolbar">
          <BudgetSlider {...{ step, change: setStep }} className="grow" />
        </div>
        {problem === null ? null : <p class="note">{problem}</p>}
        {drawn === null ? (
          <p class="quiet pad">drawing …</p>
        ) : (
          <>
            <Facts drawn={drawn} isLoading={isLoading} />
            <Changes before={before} drawn={drawn} />
            <MapText text={drawn.answer.text} before={before?.answer.text ?? null} />
          </>
        )}
      </div>
      <div class="pane">
        <Treemap
          key={rootPath}
          {...{ root, rootPath, isCounted }}
          isOpen={(path) => path === rootPath || open.has(path.slice(base.length + 1))}
        />
      </div>
    </section>
  );
}

function dataOf(drawn: Drawn | null): MapData | null {
  const { data } = (drawn?.answer.answer ?? {}) as { data?: MapData };
  return data?.entries === undefined ? null : data;
}

/** Returns the map that is shown, and the one before it. */
function useLastTwo(answer: CallAnswer | null, budget: number): [Drawn | null, Drawn | null] {
  const last = useRef<Drawn | null>(null);
  const before = useRef<Drawn | null>(null);
  if (answer !== null && last.current?.answer !== answer) {
    before.current = last.current;
    last.current = { answer, budget };
  }
  return [last.current, before.current];
}

function Facts({ drawn, isLoading }: { drawn: Drawn; isLoading: boolean }) {
  const { answer, budget } = drawn;
  const { stats } = (answer.answer ?? {}) as { stats?: { files?: number; shown?: number; tokens?: number } };
  return (
    <div class={isLoading ? 'meta busy' : 'meta'} role="status">
      <progress max={budget} value={answer.tokens} aria-label="Tokens used of the budget" />
      <span>
        <strong>{grouped(answer.tokens)}</strong> of {grouped(budget)} tokens · {grouped(stats?.shown ?? 0)} of{' '}
        {grouped(stats?.files ?? 0)} files by name · {milliseconds(answer.ms)}
      </span>
    </div>
  );
}

/** The most names to list for one kind of change. */
const MAX_NAMED = 6;

const CHANGES: readonly (keyof MapChanges)[] = ['opened', 'unfolded', 'closed', 'folded'];

function Changes({ before, drawn }: { before: Drawn | null; drawn: Drawn }) {
  const [old, fresh] = [dataOf(before), dataOf(drawn)];
  const changes = old === null || fresh === null ? null : changesBetween(old, fresh);
  return (
    <p class="changes">
      {changes === null ? (
        <span class="quiet">Move the budget to see what it buys.</span>
      ) : (
        CHANGES.filter((kind) => changes[kind].length > 0).map((kind) => (
          <span key={kind} class={`change ${kind}`} title={changes[kind].slice(0, 100).join('\n')}>
            {changes[kind].length} {kind}:{' '}
            {changes[kind]
              .slice(0, MAX_NAMED)
              .map((path) => path.replace(/\/$/, ''))
              .join(', ')}
            {changes[kind].length > MAX_NAMED ? ' …' : ''}
          </span>
        ))
      )}
    </p>
  );
}
