/** Watch: the calls that an agent makes, as they come in or from a trace, and how they would be answered today. */
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Replayed, Root, TreemapNode, WatchedCall, WatchedCalls } from '../faces/view/api.ts';
import type { ViewProps } from './address.ts';
import { post, useConnection } from './client.ts';
import { Badge, Button, Chips, Facts, Select, Toggle, textField } from './controls.tsx';
import { grouped, milliseconds, plain, plural, short, useRequest } from './hooks.ts';
import { type ListRow, VirtualList } from './virtual-list.tsx';
import { neverLookedAt, replayTotals, rowsOf, totalsOf } from './watch-totals.ts';
import { CallDetail } from './watched-call.tsx';

const ROW_HEIGHT = 34;

const KINDS = ['all', 'errors', 'repeated', 'changed'] as const;

export function Watch({ start, root, params, set, go }: ViewProps) {
  const calls = useCalls(start.watch !== null);
  const { replays, replay, stop } = useReplays();
  /** The id of the selected call; null selects the newest, and so follows the calls. */
  const [chosen, setChosen] = useState<number | null>(null);
  const totals = useMemo(() => totalsOf(calls), [calls]);
  const { problem } = useConnection();
  if (start.watch === null) return <NothingToWatch />;

  const kind = KINDS.find((one) => one === params.only) ?? 'all';
  const isOfKind = {
    all: () => true,
    errors: ({ isError }: WatchedCall) => isError,
    repeated: ({ id }: WatchedCall) => totals.repeated.has(id),
    changed: (call: WatchedCall) => replays.get(call)?.outcome === 'changed',
  }[kind];
  const { tool = '', path = '' } = params;
  const isNamed = (call: WatchedCall) => path === '' || `${call.path}\n${inWords(call.params)}`.includes(path);
  const shown = calls.filter((call) => isOfKind(call) && (tool === '' || call.tool === tool) && isNamed(call));
  const rows = rowsOf(shown, totals.sessions);
  const call = shown.find(({ id }) => id === chosen) ?? shown.at(-1);
  const active = rows.indexOf(call as WatchedCall);
  // A heading is passed over.
  const select = (at: number) => {
    const near = [rows[at], rows[at < active && at > 0 ? at - 1 : at + 1]];
    const row = near.find((one) => one !== undefined && 'id' in one);
    setChosen((row as WatchedCall).id);
  };

  const { roots } = start;
  const isOfRoot = (one: WatchedCall) => one.root === roots[root]?.realPath;
  const draw = (index: number): ListRow => {
    const one = rows[index] as (typeof rows)[number];
    if (!('id' in one)) {
      return {
        key: `session ${one.number}`,
        className: 'heading',
        content: `Session ${one.number} · ${localTime(one.at, 'toLocaleString')} · ${plural(one.calls, 'call')}, ${plural(one.tokens, 'token')}`,
        about: { role: 'presentation', tabIndex: undefined, 'aria-selected': undefined },
      };
    }
    const outcome = replays.get(one)?.outcome;
    return {
      key: String(one.id),
      className: one.isError ? 'call failed' : 'call',
      content: (
        <>
          <time class="quiet">{localTime(one.at, 'toLocaleTimeString')}</time>
          <span class="tool">{one.tool}</span>
          <span class="name">{plain(inWords(one.params))}</span>
          {totals.repeated.has(one.id) ? <span class="reason">again</span> : null}
          {one.isError ? <span class="badge off">error</span> : null}
          {outcome === undefined ? null : (
            <Badge isOn={outcome === 'same'} on="the same" off={outcome === 'changed' ? outcome : 'not run'} />
          )}
          <span class="grow" />
          {/* On a logarithmic scale, so that one large answer does not make all others look like nothing. */}
          <meter
            class="bar"
            {...{ min: 0, max: Math.log1p(totals.mostTokens), value: Math.log1p(one.tokens), 'aria-label': 'tokens' }}
          />
          <span class="number">{short(one.tokens)}</span>
          <span class="number">{milliseconds(one.ms)}</span>
        </>
      ),
    };
  };
  return (
    <section class="view watch" aria-label="Watch">
      <dl class="totals" aria-label="Totals">
        <Facts
          rows={[
            ['Calls', grouped(totals.calls)],
            ['Tokens', grouped(totals.tokens)],
            ['Time', milliseconds(totals.ms)],
            ['Errors', grouped(totals.errors)],
            ['Repeated', `${plural(totals.repeated.size, 'call')}, ${plural(totals.repeatedTokens, 'token')}`],
            ...replayTotals(calls.flatMap((one) => replays.get(one) ?? [])),
          ]}
        />
        <div class="source">
          <dt>{problem !== null ? 'Ended' : start.watch.kind === 'live' ? 'Live' : 'Trace'}</dt>
          <dd>{start.watch.label}</dd>
        </div>
      </dl>
      <div class="split">
        <div class="pane">
          <div class="toolbar">
            <Chips names={KINDS} chosen={kind} choose={(only) => set({ only })} />
            <Select {...{ label: 'Tool', value: tool, options: totals.tools }} change={(name) => set({ tool: name })} />
            <label class="grow">
              Path <input {...textField(path, (to) => set({ path: to }))} class="wide" />
            </label>
            <Button
              text={stop === null ? 'Replay all' : 'Stop'}
              press={stop ?? (() => replay(shown))}
              disabled={shown.length === 0}
            />
            <Toggle
              text="Follow"
              isOn={chosen === null}
              press={() => setChosen(chosen === null ? (call?.id ?? null) : null)}
            />
          </div>
          <div class="columns call" aria-hidden="true">
            <time>Time</time>
            <span class="tool">Tool</span>
            <span class="grow">Parameters</span>
            <span class="number">tokens</span>
            <span class="number">time</span>
          </div>
          {call === undefined ? (
            <p class="quiet pad">
              {calls.length === 0
                ? 'No calls yet. They appear here as they are made.'
                : 'No call is like that. Choose other filters.'}
            </p>
          ) : (
            <VirtualList
              role="listbox"
              label="Calls"
              count={rows.length}
              rowHeight={ROW_HEIGHT}
              isFollowing={chosen === null}
              onScrollUp={() => setChosen((before) => before ?? call.id)}
              {...{ active, row: draw, select }}
            />
          )}
        </div>
        <section class="pane detail" aria-label="About the selected call">
          {call === undefined ? null : (
            <CallDetail
              {...{ start, call, go, replayed: replays.get(call) }}
              root={roots.findIndex(({ realPath }) => realPath === call.root)}
              replay={() => replay([call])}
            />
          )}
          <Unseen {...{ root, looked: totals.looked }} of={calls.some(isOfRoot) ? (roots[root] ?? null) : null} />
        </section>
      </div>
    </section>
  );
}

/** A trace may hold any text in place of a time. */
function localTime(at: string, form: 'toLocaleTimeString' | 'toLocaleString'): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? '' : time[form]();
}

/** Writes parameters as in `path: src, limit: 20`. */
function inWords(params: WatchedCall['params']): string {
  if (params === null) return 'parameters are not recorded';
  if (Object.keys(params).length === 0) return 'no parameters';
  return Object.entries(params)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .slice(0, 300);
}

const MAX_UNSEEN = 12;

/** `of` is the root; null if no call is of it, and nobody has looked at anything there. */
function Unseen({ root, of, looked }: { root: number; of: Root | null; looked: ReadonlySet<string> }) {
  const body = of === null ? null : { root, path: of.path, by: 'files' };
  const { answer } = useRequest<{ node: TreemapNode | null }>('treemap', body);
  const directories = answer?.node?.children ?? [];
  const unseen = useMemo(() => (of === null ? [] : neverLookedAt(directories, looked, of)), [answer, looked, of?.path]);
  if (unseen.length === 0) return null;
  return (
    <>
      <h3>Never looked at</h3>
      <ul class="unseen">
        {unseen.slice(0, MAX_UNSEEN).map(({ label, path, files }) => (
          <li key={path}>
            <code>{label}/</code> <span class="quiet">{plural(files, 'file')}</span>
          </li>
        ))}
        {unseen.length > MAX_UNSEEN ? <li class="quiet">and {unseen.length - MAX_UNSEEN} more</li> : null}
      </ul>
    </>
  );
}

function NothingToWatch() {
  return (
    <section class="view pad ways" aria-label="Watch">
      <h2>Nothing to watch yet</h2>
      <p>
        <code>agent-ls mcp --view</code> shows the calls of a real agent here while they are made.{' '}
        <code>agent-ls mcp --trace calls.jsonl</code> writes them to a file, and{' '}
        <code>agent-ls view --trace calls.jsonl</code> shows it, also while it grows.
      </p>
    </section>
  );
}

function useCalls(isWatching: boolean): readonly WatchedCall[] {
  const [calls, setCalls] = useState<readonly WatchedCall[]>([]);
  useEffect(() => {
    if (!isWatching) return;
    const left = new AbortController();
    const follow = async () => {
      for (let after = 0; !left.signal.aborted; ) {
        const answer = await post<WatchedCalls>('calls', { after }, left.signal);
        // The trace was emptied or replaced: the ids of its earlier calls now name others, or none.
        if (answer.next < after) setCalls(answer.calls);
        else if (answer.calls.length > 0) setCalls((before) => [...before, ...answer.calls]);
        after = answer.next;
      }
    };
    follow().catch(() => {});
    return () => left.abort();
  }, [isWatching]);
  return calls;
}

/** Repeats calls, one after the other. `stop` is null while none is under way. */
function useReplays() {
  const [replays] = useState(() => new Map<WatchedCall, Replayed>());
  const running = useRef<AbortController | null>(null);
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const stop = () => {
    running.current?.abort();
    running.current = null;
    redraw();
  };
  const replay = async (calls: readonly WatchedCall[]) => {
    stop();
    const run = new AbortController();
    running.current = run;
    for (const call of calls) {
      const skipped = ({ message }: Error): Replayed => ({ ...call, outcome: 'skipped', reason: message });
      const replayed = await post<Replayed>('replay', { id: call.id }, run.signal).catch(skipped);
      if (run.signal.aborted) return;
      replays.set(call, replayed);
      redraw();
    }
    stop();
  };
  useEffect(() => stop, []);
  return { replays, replay, stop: running.current === null ? null : stop };
}
