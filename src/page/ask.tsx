/** Ask: any tool of any dialect, side by side, with the answer exactly as the model reads it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer, CallRequest, Start, ToolInfo } from '../faces/view/api.ts';
import type { ViewProps } from './address.ts';
import { formsOf } from './call-forms.ts';
import { Badge, Button, Check, Chips, nameOf, ToolSelect, textField, toolNamed } from './controls.tsx';
import { absolutePath, grouped, milliseconds, useRequest } from './hooks.ts';
import { lineKey, ModelText } from './model-text.tsx';
import { ParameterForm, parametersOf, type Values } from './parameter-form.tsx';

interface Column {
  readonly id: number;
  readonly tool: ToolInfo;
  readonly values: Values;
  readonly text: string | null;
}

const MAX_COLUMNS = 4;

export function Ask({ start, root, rootPath, params, set, go }: ViewProps) {
  const path = params.path ?? '';
  const [typed, setTyped] = useState(path);
  const field = useRef<HTMLInputElement>(null);
  const [marksInvisible, setMarks] = useState(false);
  const [round, setRound] = useState(1);
  const [columns, setColumns] = useState<readonly Column[]>(() =>
    (params.tools?.split(',').map((name) => toolNamed(start, name)) ?? firstTools(start)).map(columnOf),
  );
  const nextId = Math.max(...columns.map(({ id }) => id)) + 1;
  const add = () => {
    const used = columns.map(({ tool }) => tool);
    const tool = start.tools.find((one) => !used.includes(one)) ?? (start.tools[0] as ToolInfo);
    setColumns([...columns, columnOf(tool, nextId)]);
  };
  const tools = columns.map(({ tool }) => nameOf(tool)).join(',');
  useEffect(() => set({ tools }), [tools]);
  // Another view asked about a directory.
  const asked = useRef('');
  useEffect(() => {
    if (asked.current === path) return;
    asked.current = path;
    setTyped(path);
    field.current?.focus();
  }, [path]);
  // Or for a call with these parameters.
  useEffect(() => {
    if (!params.call) return;
    const values = Object.fromEntries(new URLSearchParams(params.call));
    setColumns([{ ...columnOf(toolNamed(start, params.tools), nextId), values }]);
    set({ call: '' });
    field.current?.focus();
  }, [params.call]);

  return (
    <section class="view ask" aria-label="Ask">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          asked.current = typed;
          set({ path: typed });
          setRound(round + 1);
        }}
      >
        <label class="grow">
          Directory <input {...textField(typed, setTyped)} ref={field} class="wide" placeholder="." />
        </label>
        <button type="submit" class="primary">
          Ask all
        </button>
        <Check label="Show spaces and escapes" checked={marksInvisible} change={setMarks} />
        <Button text="+ Column" press={add} disabled={columns.length >= MAX_COLUMNS} />
      </form>
      <div class="ask-columns" onScrollCapture={scrollTogether}>
        {columns.map((column) => (
          <AskColumn
            key={column.id}
            {...{ start, root, rootPath, path, column, marksInvisible, round, go }}
            common={commonLines(columns.filter(({ id }) => id !== column.id))}
            change={(to) =>
              setColumns((before) => before.map((one) => (one.id === column.id ? { ...one, ...to } : one)))
            }
            remove={columns.length > 1 ? () => setColumns(columns.filter(({ id }) => id !== column.id)) : null}
          />
        ))}
      </div>
    </section>
  );
}

function columnOf(tool: ToolInfo, id: number): Column {
  return { id, tool, values: {}, text: null };
}

/** Returns the first tool of the chosen dialect, and one of another dialect. */
function firstTools({ tools, dialect }: Start): ToolInfo[] {
  const chosen = tools.find((tool) => tool.dialect === dialect) as ToolInfo;
  const other = tools.find((tool) => tool.dialect !== dialect) as ToolInfo;
  return [other, chosen].sort((a, b) => tools.indexOf(a) - tools.indexOf(b));
}

/** Returns what every other answer has a line about; null if there is none to compare with. */
function commonLines(others: readonly Column[]): ReadonlySet<string> | null {
  const sets = others.flatMap(({ text }) => (text === null ? [] : [new Set(text.split('\n').map(lineKey))]));
  const [first, ...more] = sets;
  return first === undefined ? null : new Set([...first].filter((key) => more.every((set) => set.has(key))));
}

/** Scrolls the answers to the same part, however long each is. */
function scrollTogether({ target, currentTarget }: Event): void {
  const place = target as HTMLElement;
  if (!place.matches('.model-text')) return;
  const room = (one: HTMLElement) => Math.max(1, one.scrollHeight - one.clientHeight);
  for (const other of (currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.model-text')) {
    const top = (place.scrollTop / room(place)) * room(other);
    // What scrolls by itself reports it, too: a difference by rounding must not go back and forth.
    if (other !== place && Math.abs(other.scrollTop - top) > 2) other.scrollTop = top;
  }
}

interface AskColumnProps extends Pick<ViewProps, 'start' | 'root' | 'rootPath' | 'go'> {
  readonly path: string;
  readonly column: Column;
  readonly common: ReadonlySet<string> | null;
  readonly marksInvisible: boolean;
  readonly round: number;
  readonly remove: (() => void) | null;
  change(to: Partial<Column>): void;
}

function AskColumn(props: AskColumnProps) {
  const { start, root, rootPath, path, column, common, marksInvisible, round, change, remove, go } = props;
  const { tool, values } = column;
  const [request, setRequest] = useState<(CallRequest & { readonly count: number }) | null>(null);
  const { answer, problem, isLoading } = useRequest<CallAnswer>('call', request);

  const run = () => {
    const given = path === '.' ? '' : path;
    const directory = tool.needsAbsolute ? (given === '' ? rootPath : absolutePath(rootPath, given)) : given;
    const params = { ...parametersOf(tool, values), ...(directory === '' ? {} : { [tool.pathParameter]: directory }) };
    const { dialect, name } = tool;
    // The count makes each request another one, even if the parameters are the same.
    setRequest((before) => ({ root, dialect, tool: name, params, count: (before?.count ?? 0) + 1 }));
  };
  // Some dependencies are left out on purpose: a change of parameters alone sends nothing.
  useEffect(run, [round, tool, path]);
  useEffect(() => change({ text: answer?.text ?? null }), [answer]);

  const isFirst = start.tools.find(({ dialect }) => dialect === tool.dialect)?.name === tool.name;
  return (
    <article class="ask-column" aria-label={`${tool.dialect} ${tool.name}`}>
      <header class="toolbar small">
        <ToolSelect {...{ start, tool }} label="Tool" change={(to) => change({ tool: to, values: {} })} />
        <span class="grow" />
        {remove === null ? null : <Button text="×" press={remove} class="plain" aria-label="Remove this column" />}
      </header>
      <details open={tool.parameters.required?.some((name) => name !== tool.pathParameter)}>
        <summary>Parameters</summary>
        <ParameterForm {...{ tool, values }} change={(to) => change({ values: to })} submit={run} />
      </details>
      <p class={isLoading ? 'meta busy' : 'meta'} role="status">
        {problem === null ? null : <span class="note">{problem}</span>}
        {answer === null ? null : (
          <>
            <Badge isOn={!answer.isError} on="answer" off="error" />
            <span>
              <strong>{grouped(answer.tokens)}</strong> tokens · {grouped(answer.text.length)} characters ·{' '}
              {milliseconds(answer.ms)}
            </span>
          </>
        )}
      </p>
      {answer === null || request === null ? null : (
        <>
          <ModelText text={answer.text} {...{ marksInvisible, common, isBusy: isLoading }} />
          <div>
            <Button
              text="What it hides here, and why"
              press={() => go('Explore', { path: path || rootPath, as: nameOf(tool) })}
            />
            <CopyForms forms={formsOf(request, rootPath, isFirst)} />
            <details>
              <summary>The answer as an object</summary>
              <pre class="code">{JSON.stringify(answer.answer, null, 2).slice(0, 100_000)}</pre>
            </details>
          </div>
        </>
      )}
    </article>
  );
}

/** Shows one of several texts, with a button that copies it. */
function CopyForms({ forms }: { forms: Readonly<Record<string, string>> }) {
  const names = Object.keys(forms);
  const [chosen, setChosen] = useState(names[0] ?? '');
  const [copied, setCopied] = useState('');
  const text = forms[chosen] ?? '';
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(''),
    );
  return (
    <details class="forms">
      <summary>The same call elsewhere</summary>
      <div class="toolbar small">
        <Chips {...{ names, chosen, choose: setChosen }} />
        <span class="grow" />
        <Button text={copied === text ? 'Copied' : 'Copy'} press={copy} />
      </div>
      <pre class="code">{text}</pre>
    </details>
  );
}
