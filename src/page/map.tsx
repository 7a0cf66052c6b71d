/** Map: the output of `Tree` within a budget, redrawn while the budget is changed. */
import { useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../faces/view/api.ts';
import type { ViewProps } from './address.ts';
import { Budget, Check, Chips } from './controls.tsx';
import { grouped, milliseconds, useRequest, useSettled } from './hooks.ts';
import { changesBetween, type MapData, openIn } from './map-changes.ts';
import { MapText } from './map-text.tsx';
import { Treemap } from './treemap.tsx';

/** Milliseconds for which the slider must be still before a map is drawn. */
const SETTLED = 60;

/** What an agent gets that names no budget. */
const DEFAULT = "agent's default";
const PRESETS = [DEFAULT, '300', '1000', '3000', '10000'];

interface Drawn {
  readonly answer: CallAnswer;
  /** Null for the default. */
  readonly budget: number | null;
}

export function MapView({ root, rootPath, params, set, go }: ViewProps) {
  const path = params.path ?? rootPath;
  const chosen = params.budget || DEFAULT;
  const settled = useSettled(chosen, SETTLED);
  const budget = settled === DEFAULT ? null : Number(settled);
  const request = { root, dialect: 'standard', tool: 'Tree', params: budget === null ? { path } : { path, budget } };
  const { answer, problem, isLoading } = useRequest<CallAnswer>('call', request);
  const [drawn, last] = useLastTwo(isLoading ? null : answer, budget);
  const [pinned, setPinned] = useState<Drawn | null>(null);
  const before = pinned ?? last;
  const data = dataOf(drawn);
  const { stats = {} } = (drawn?.answer.answer ?? {}) as { stats?: { files?: number; shown?: number } };
  const open = data === null ? new Set<string>() : openIn(data);
  const base = rootPath.replace(/\/$/, '');

  return (
    <section class="view split map" aria-label="Map">
      <div class="pane">
        <div class="toolbar">
          <Chips names={PRESETS} chosen={chosen} choose={(name) => set({ budget: name === DEFAULT ? '' : name })} />
          <Budget
            budget={chosen === DEFAULT ? (drawn?.answer.tokens ?? 0) : Number(chosen)}
            change={(to) => set({ budget: String(to) })}
            className="grow"
          />
        </div>
        {problem === null ? null : <p class="note pad">{problem}</p>}
        {drawn === null || problem !== null ? (
          <p class="quiet pad">{isLoading ? 'drawing …' : ''}</p>
        ) : (
          <>
            <div class={isLoading ? 'meta busy' : 'meta'} role="status">
              <span class="grow">
                <strong>{grouped(drawn.answer.tokens)}</strong>{' '}
                {drawn.budget === null ? '' : `of ${grouped(drawn.budget)} `}tokens · {grouped(stats.shown ?? 0)} of{' '}
                {grouped(stats.files ?? 0)} files by name · {milliseconds(drawn.answer.ms)}
              </span>
              <Check label="Pin" checked={pinned !== null} change={(isOn) => setPinned(isOn ? drawn : null)} />
            </div>
            <Changes {...{ before, drawn, pinned }} />
            <MapText text={drawn.answer.text} before={before?.answer.text ?? null} />
          </>
        )}
      </div>
      <div class="pane">
        <Treemap
          {...{ root, rootPath, path }}
          enter={(entered) => go('Map', { path: entered })}
          explore={(explored) => go('Explore', { path: explored })}
          isOpen={(one) => one === path || open.has(one.slice(base.length + 1))}
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
function useLastTwo(answer: CallAnswer | null, budget: number | null) {
  const two = useRef<[Drawn | null, Drawn | null]>([null, null]);
  const [last] = two.current;
  if (answer !== null && last?.answer !== answer) two.current = [{ answer, budget }, last];
  return two.current;
}

const MAX_NAMED = 6;

function Changes({ before, drawn, pinned }: { before: Drawn | null; drawn: Drawn; pinned: Drawn | null }) {
  const [old, fresh] = [dataOf(before), dataOf(drawn)];
  const changes = old === null || fresh === null ? null : Object.entries(changesBetween(old, fresh));
  return (
    <p class="changes">
      {pinned === null ? null : (
        <span class="quiet">Compared with the pinned map of {grouped(pinned.answer.tokens)} tokens:</span>
      )}
      {changes === null ? (
        <span class="quiet">Move the budget to see what it buys.</span>
      ) : (
        changes.map(([kind, paths]) => {
          const named = paths.slice(0, MAX_NAMED).map((path) => path.replace(/\/$/, ''));
          return paths.length === 0 ? null : (
            <span key={kind} class={`change ${kind}`} title={paths.slice(0, 100).join('\n')}>
              {paths.length} {kind}: {named.join(', ')}
              {paths.length > MAX_NAMED ? ' …' : ''}
            </span>
          );
        })
      )}
    </p>
  );
}
