/** Watch: the calls that an agent makes, as they come in or from a trace. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TreemapNode, WatchedCall, WatchedCalls } from '../faces/view/api.ts';
import type { ViewProps } from './address.ts';
import { post, useConnection } from './client.ts';
import { Badge, Check, Facts } from './controls.tsx';
import { grouped, milliseconds, plain, plural, short, useRequest } from './hooks.ts';
import { ModelText } from './model-text.tsx';
import { type ListRow, VirtualList } from './virtual-list.tsx';
import { neverLookedAt, totalsOf } from './watch-totals.ts';

const ROW_HEIGHT = 34;

export function Watch({ start, root, rootPath }: ViewProps) {
  const calls = useCalls(start.watch !== null);
  const [chosen, setChosen] = useState<number | null>(null);
  const totals = useMemo(() => totalsOf(calls), [calls]);
  const { problem } = useConnection();
  if (start.watch === null) return <NothingToWatch />;
  const active = chosen ?? calls.length - 1;
  const call = calls[active];
  // On a logarithmic scale, so that one large answer does not make all others look like nothing.
  const mostTokens = Math.log1p(Math.max(1, ...calls.slice(-1000).map(({ tokens }) => tokens)));

  const draw = (index: number): ListRow => {
    const one = calls[index] as WatchedCall;
    return {
      key: String(one.id),
      className: one.isError ? 'call failed' : 'call',
      content: (
        <>
          <time class="quiet">{localTime(one.at)}</time>
          <span class="tool">{one.tool}</span>
          <span class="name">{plain(inWords(one.params))}</span>
          {totals.repeated.has(one.id) ? <span class="reason">again</span> : null}
          {one.isError ? <span class="badge off">error</span> : null}
          <span class="grow" />
          <meter class="bar" min={0} max={mostTokens} value={Math.log1p(one.tokens)} aria-label="tokens" />
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
              {...{ active, row: draw }}
              // Selecting the last call makes the list follow new calls again.
              select={(index) => setChosen(index === calls.length - 1 ? null : index)}
            />
          )}
        </div>
        <section class="pane detail" aria-label="About the selected call">
          {call === undefined ? null : <CallDetail call={call} />}
          <Unseen {...{ root, rootPath, looked: totals.looked }} />
        </section>
      </div>
    </section>
  );
}

/** A trace may hold any text in place of a time. */
function localTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? '' : time.toLocaleTimeString();
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

interface UnseenProps extends Pick<ViewProps, 'root' | 'rootPath'> {
  readonly looked: ReadonlySet<string>;
}

function Unseen({ root, rootPath, looked }: UnseenProps) {
  // A trace may be of another root, in which nobody has looked at anything.
  const isOfRoot = [...looked].some((path) => path === rootPath || path.startsWith(`${rootPath}/`));
  const body = isOfRoot ? { root, path: rootPath, by: 'files' } : null;
  const { answer } = useRequest<{ node: TreemapNode | null }>('treemap', body);
  const unseen = useMemo(() => neverLookedAt(answer?.node?.children ?? [], looked), [answer, looked]);
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
