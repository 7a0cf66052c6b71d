/** The details of the call that is selected in Watch. */
import { useState } from 'preact/hooks';
import type { Replayed, WatchedCall } from '../faces/view/api.ts';
import type { ViewProps } from './address.ts';
import { Badge, Button, Check, nameOf } from './controls.tsx';
import { absolutePath, grouped, milliseconds, plain, useRequest } from './hooks.ts';
import { ModelText } from './model-text.tsx';
import { valuesOf } from './parameter-form.tsx';
import { markedWords } from './watch-totals.ts';

interface CallDetailProps extends Pick<ViewProps, 'start' | 'go'> {
  readonly call: WatchedCall;
  /** Its root, as the page counts them; negative if it is none of them. */
  readonly root: number;
  readonly replayed: Replayed | undefined;
  replay(): void;
}

export function CallDetail({ start, call, root, replayed, replay, go }: CallDetailProps) {
  const [marks, setMarks] = useState(false);
  const { answer, problem } = useRequest<{ text: string }>('watched', { id: call.id });
  const tool = start.tools.find(({ dialect, name }) => dialect === call.dialect && name === call.tool);
  const { path, params } = call;
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
      {tool === undefined || root < 0 || path === null || params === null ? (
        <p class="quiet">The page cannot ask this again: its root is not shown here, or the tool is not known.</p>
      ) : (
        <p class="toolbar small">
          <Button
            text="Ask it here"
            press={() => {
              const { [tool.pathParameter]: written, ...others } = params;
              const form = `?${new URLSearchParams(valuesOf(others))}`;
              go('Ask', { path: pathToAsk(call, written), tools: nameOf(tool), call: form }, root);
            }}
          />
          <Button text="Show in Explore" press={() => go('Explore', { path, as: nameOf(tool) }, root)} />
          <Button text="Replay" press={replay} />
        </p>
      )}
      {replayed === undefined ? null : <Comparison replayed={replayed} />}
      <pre class="code">{JSON.stringify(params, null, 2)}</pre>
      {problem === null ? null : <p class="note">{problem}</p>}
      <ModelText text={answer?.text ?? ''} marksInvisible={marks} />
    </>
  );
}

/** Returns the path as it was written, unless that was relative to another directory than the root. */
function pathToAsk({ path, root }: WatchedCall, written: unknown): string {
  if (path === null || path === root) return '';
  return typeof written === 'string' && absolutePath(root ?? '', written) === path ? written : path;
}

/** The answer before and now: the lines that differ, and the words in them. */
function Comparison({ replayed }: { replayed: Replayed }) {
  if (replayed.outcome === 'skipped') return <p class="note">Not run: {plain(replayed.reason)}.</p>;
  const { tokens, ms, isError, lines } = replayed;
  const side = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
  const [before, now] = [side('-'), side('+')];
  const result = replayed.outcome === 'same' ? 'The answer is the same now' : 'The answer has changed';
  const change = isError.before === isError.after ? '' : isError.after ? ': it fails now' : ': it works now';
  return (
    <section aria-label="Replay">
      <p role="status">
        {result}
        {change}. <strong>{grouped(tokens.before)}</strong> → <strong>{grouped(tokens.after)}</strong> tokens,{' '}
        {milliseconds(ms.before)} → {milliseconds(ms.after)}.
      </p>
      <Side Mark="del" words={markedWords(before, now)} />
      <Side Mark="ins" words={markedWords(now, before)} />
    </section>
  );
}

function Side({ Mark, words }: { Mark: 'del' | 'ins'; words: ReturnType<typeof markedWords> }) {
  return words.length === 0 ? null : (
    <>
      <h3>Lines that are {Mark === 'del' ? 'gone' : 'new'}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keys */}
      <pre class="code" tabIndex={0}>
        {words.map(({ text, isMarked }, at) => (isMarked ? <Mark key={at}>{plain(text)}</Mark> : text))}
      </pre>
    </>
  );
}
