/** Ask: any tool of any dialect, side by side, with the answer exactly as the model reads it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer, CallRequest, HiddenBy, Start, ToolInfo } from '../faces/view/api.ts';
import type { Params } from './address.ts';
import { type CallForm, formsOf } from './call-forms.ts';
import { Badge, Check, Chips, ToolOptions, toolNamed } from './controls.tsx';
import { absolutePath, grouped, milliseconds, plural, useRequest } from './hooks.ts';
import { lineKey, ModelText } from './model-text.tsx';
import { ParameterForm, parametersOf, type Values } from './parameter-form.tsx';
import { RuleText } from './rule.tsx';

interface AskProps {
  readonly start: Start;
  readonly root: number;
  readonly params: Params;
  /** True while the view is in sight. */
  readonly isShown: boolean;
  set(params: Params): void;
}

interface Column {
  readonly id: number;
  readonly tool: ToolInfo;
  /** The text of its answer. */
  readonly text: string | null;
}

const MAX_COLUMNS = 4;

export function Ask({ start, root, params, isShown, set }: AskProps) {
  const rootPath = start.roots[root]?.path ?? '';
  const path = params.path ?? '';
  const [typed, setTyped] = useState(path);
  const field = useRef<HTMLInputElement>(null);
  const [marksInvisible, setMarks] = useState(false);
  const [round, setRound] = useState(1);
  const [columns, setColumns] = useState<readonly Column[]>(() =>
    (params.tools?.split(',').map((name) => toolNamed(start, name)) ?? firstTools(start)).map(columnOf),
  );
  const change = (id: number, to: Partial<Column>) =>
    setColumns((before) => before.map((column) => (column.id === id ? { ...column, ...to } : column)));
  const add = () => {
    const used = columns.map(({ tool }) => tool);
    const tool = start.tools.find((one) => !used.includes(one)) ?? (start.tools[0] as ToolInfo);
    setColumns([...columns, columnOf(tool, Math.max(...columns.map(({ id }) => id)) + 1)]);
  };
  const tools = columns.map(({ tool: { dialect, name } }) => `${dialect} ${name}`).join(',');
  useEffect(() => {
    if (isShown && tools !== params.tools) set({ tools });
  }, [tools, isShown]);
  // Another view asked about a directory.
  useEffect(() => {
    setTyped(path);
    if (isShown) field.current?.focus();
  }, [path, isShown]);

  return (
    <section class="view ask" aria-label="Ask">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          set({ path: typed });
          setRound(round + 1);
        }}
      >
        <label class="grow">
          Directory{' '}
          <input
            ref={field}
            type="text"
            class="wide"
            value={typed}
            placeholder="."
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Ask all
        </button>
        <Check label="Show spaces and escapes" checked={marksInvisible} change={setMarks} />
        <button type="button" onClick={add} disabled={columns.length >= MAX_COLUMNS}>
          + Column
        </button>
      </form>
      <div class="ask-columns" onScrollCapture={scrollTogether}>
        {columns.map((column) => (
          <AskColumn
            key={column.id}
            {...{ start, root, rootPath, path, column, marksInvisible, round }}
            common={commonLines(columns.filter(({ id }) => id !== column.id))}
            change={(to) => change(column.id, to)}
            remove={columns.length > 1 ? () => setColumns(columns.filter(({ id }) => id !== column.id)) : null}
          />
        ))}
      </div>
    </section>
  );
}

function columnOf(tool: ToolInfo, id: number): Column {
  return { id, tool, text: null };
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

function pathFor({ needsAbsolute }: ToolInfo, path: string, root: string): string {
  if (path === '' || path === '.') return needsAbsolute ? root : '';
  return needsAbsolute ? absolutePath(root, path) : path;
}

interface AskColumnProps {
  readonly start: Start;
  readonly root: number;
  readonly rootPath: string;
  readonly path: string;
  readonly column: Column;
  readonly common: ReadonlySet<string> | null;
  readonly marksInvisible: boolean;
  readonly round: number;
  readonly remove: (() => void) | null;
  change(to: Partial<Column>): void;
}

function AskColumn(props: AskColumnProps) {
  const { start, root, rootPath, path, column, common, marksInvisible, round, change, remove } = props;
  const { tool, id } = column;
  const [values, setValues] = useState<Values>({});
  const [request, setRequest] = useState<(CallRequest & { readonly count: number }) | null>(null);
  const { answer, problem, isLoading } = useRequest<CallAnswer>('call', request);

  const run = () => {
    const directory = pathFor(tool, path, rootPath);
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
        <select
          aria-label="Tool"
          value={start.tools.indexOf(tool)}
          onChange={(event) => {
            setValues({});
            change({ tool: start.tools[Number(event.currentTarget.value)] as ToolInfo });
          }}
        >
          <ToolOptions tools={start.tools} />
        </select>
        <span class="grow" />
        {remove === null ? null : (
          <button type="button" class="plain" aria-label="Remove this column" onClick={remove}>
            ×
          </button>
        )}
      </header>
      <details open={tool.parameters.required?.some((name) => name !== tool.pathParameter)}>
        <summary>Parameters</summary>
        <ParameterForm id={`column-${id}`} {...{ tool, values }} change={setValues} submit={run} />
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
            {answer.isError ? null : <Hidden {...{ root, request, tool }} />}
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

function Hidden({ root, request, tool }: { root: number; request: CallRequest; tool: ToolInfo }) {
  const { dialect, params } = request;
  const path = String(params[tool.pathParameter] ?? '.');
  const ignore = Array.isArray(params.ignore) ? params.ignore : [];
  // Tree and Find have their own rules, and their text says what they hide.
  const body = tool.name === 'Tree' || tool.name === 'Find' ? null : { root, dialect, path, ignore };
  const { answer } = useRequest<{ rules: readonly HiddenBy[] }>('hidden', body);
  if (answer === null) return null;
  if (answer.rules.length === 0) return <p class="quiet">Nothing in this directory is hidden.</p>;
  const count = answer.rules.reduce((sum, rule) => sum + rule.count, 0);
  return (
    <details class="hidden-rules">
      <summary>{plural(count, 'entry').replace('entrys', 'entries')} hidden in this directory</summary>
      <ul>
        {answer.rules.map(({ rule, count, examples }) => (
          <li key={JSON.stringify(rule)}>
            <strong>{count}</strong> <RuleText {...{ root, rule }} />
            <div class="quiet">{examples.join(', ')}</div>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Shows one of several texts, with a button that copies it. */
function CopyForms({ forms }: { forms: readonly CallForm[] }) {
  const [chosen, setChosen] = useState(forms[0]?.name ?? '');
  const [copied, setCopied] = useState('');
  const text = forms.find(({ name }) => name === chosen)?.text ?? '';
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(''),
    );
  };
  return (
    <details class="forms">
      <summary>The same call elsewhere</summary>
      <div class="toolbar small">
        <Chips names={forms.map(({ name }) => name)} {...{ chosen, choose: setChosen }} />
        <span class="grow" />
        <button type="button" onClick={copy}>
          {copied === text ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre class="code">{text}</pre>
    </details>
  );
}
