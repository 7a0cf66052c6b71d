/** Watch: the calls that an agent makes, as they come in or from a trace. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DirectorySize, Start, WatchedCall, WatchedCalls } from '../faces/view/api.ts';
import { post, useConnection } from './client.ts';
import { Badge, Check, Facts } from './controls.tsx';
import { grouped, milliseconds, plain, plural, short, useCounts, useRequest } from './hooks.ts';
import { ModelText } from './model-text.tsx';
import { moved, type Positioned, VirtualList } from './virtual-list.tsx';
import { neverLookedAt, totalsOf } from './watch-totals.ts';

const ROW_HEIGHT = 34;

export function Watch({ start, root }: { start: Start; root: number }) {
  const calls = useCalls(start.watch !== null);
  const [chosen, setChosen] = useState<number | null>(null);
  const totals = useMemo(() => totalsOf(calls), [calls]);
  const { problem } = useConnection();
  if (start.watch === null) return <NothingToWatch />;
  const active = chosen ?? calls.length - 1;
  const call = calls[active];
  const mostTokens = Math.max(1, ...calls.slice(-1000).map(({ tokens }) => tokens));

  const draw = (index: number, at: Positioned) => {
    const one = calls[index] as WatchedCall;
    return (
      <CallRow
        key={one.id}
        {...{ call: one, index, at, mostTokens }}
        isActive={index === active}
        isRepeated={totals.repeated.has(one.id)}
        select={() => setChosen(index)}
      />
    );
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
            ['Repeated', grouped(totals.repeated.size)],
          ]}
        />
        <div class="source">
          <dt>{problem !== null ? 'Ended' : start.watch.kind === 'live' ? 'Live' : 'Trace'}</dt>
          <dd>{start.watch.label}</dd>
        </div>
      </dl>
      <div class="split">
        <div class="pane">
          {calls.length === 0 ? (
            <p class="quiet pad">No calls yet. They appear here as they are made.</p>
          ) : (
            <VirtualList
              role="listbox"
              label="Calls"
              count={calls.length}
              rowHeight={ROW_HEIGHT}
              active={active}
              activeId={`call-${active}`}
              row={draw}
              onKeyDown={(event, inSight) => {
                const target = moved(event.key, active, calls.length, inSight);
                if (target === null) return;
                // Selecting the last call makes the list follow new calls again.
                setChosen(target === calls.length - 1 ? null : target);
                event.preventDefault();
              }}
            />
          )}
        </div>
        <section class="pane detail" aria-label="About the selected call">
          {call === undefined ? null : <CallDetail call={call} />}
          <Unseen key={root} {...{ root, looked: totals.looked, isUseful: totals.calls > 0 }} />
        </section>
      </div>
    </section>
  );
}

interface CallRowProps {
  readonly call: WatchedCall;
  readonly index: number;
  readonly at: Positioned;
  readonly isActive: boolean;
  readonly isRepeated: boolean;
  readonly mostTokens: number;
  select(): void;
}

function CallRow({ call, index, at, isActive, isRepeated, mostTokens, select }: CallRowProps) {
  const classes = ['row call', isActive ? 'active' : '', call.isError ? 'failed' : ''];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys for all of its rows
    <div
      class={classes.join(' ')}
      id={`call-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      style={at}
      onClick={select}
    >
      <time class="quiet">{call.at.slice(11, 19)}</time>
      <span class="tool">{call.tool}</span>
      <span class="name">{plain(inWords(call.params))}</span>
      {isRepeated ? <span class="reason">again</span> : null}
      {call.isError ? <span class="badge off">error</span> : null}
      <span class="grow" />
      <meter class="bar" min={0} max={mostTokens} value={call.tokens} aria-label="tokens" />
      <span class="number">{short(call.tokens)}</span>
      <span class="number">{milliseconds(call.ms)}</span>
    </div>
  );
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

function CallDetail({ call }: { call: WatchedCall }) {
  const [marks, setMarks] = useState(false);
  const { answer } = useRequest<{ text: string | null }>('watched', { id: call.id });
  return (
    <>
      <h2 class="entry-name">
        {call.n}. {call.tool} <span class="quiet">{call.dialect ?? ''}</span>
      </h2>
      <p class="meta">
        <Badge isOn={!call.isError} on="answer" off="error" />
        <span>
          <strong>{grouped(call.tokens)}</strong> tokens · {milliseconds(call.ms)}
        </span>
        <Check label="Show spaces and escapes" checked={marks} change={setMarks} />
      </p>
      <pre class="code">{JSON.stringify(call.params, null, 2)}</pre>
      <ModelText text={answer?.text ?? ''} marksInvisible={marks} />
    </>
  );
}

/** The most directories to list. */
const MAX_UNSEEN = 12;

function Unseen({ root, looked, isUseful }: { root: number; looked: ReadonlySet<string>; isUseful: boolean }) {
  const { isDone } = useCounts(isUseful ? root : null);
  const body = isDone ? { root } : null;
  const { answer } = useRequest<{ directories: readonly DirectorySize[] }>('directories', body);
  const unseen = useMemo(() => neverLookedAt(answer?.directories ?? [], looked), [answer, looked]);
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
    <section class="view pad" aria-label="Watch">
      <h2>Nothing to watch yet</h2>
      <p>Two ways to see the calls of a real agent here:</p>
      <dl class="ways">
        <dt>
          <code>agent-ls mcp --view</code>
        </dt>
        <dd>The MCP server with this page beside it: calls appear while they are made.</dd>
        <dt>
          <code>agent-ls mcp --trace calls.jsonl</code>
        </dt>
        <dd>
          Writes each call to a file. <code>agent-ls view --trace calls.jsonl</code> shows it, also while it grows.
        </dd>
      </dl>
    </section>
  );
}

/** Returns all calls so far. */
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
