/** Ask: any tool of any dialect, side by side, with the answer exactly as the model reads it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer, CallRequest, HiddenBy, Start, ToolInfo } from '../faces/view/api.ts';
import { type CallForm, formsOf } from './call-forms.ts';
import { Badge, Check, Chips } from './controls.tsx';
import { grouped, milliseconds, plural, useRequest } from './hooks.ts';
import { ModelText } from './model-text.tsx';
import { ParameterForm, parametersOf, type Values } from './parameter-form.tsx';
import { RuleText } from './rule.tsx';

interface AskProps {
  readonly start: Start;
  readonly root: number;
  /** The directory that another view asks about. */
  readonly path: string;
}

interface Column {
  readonly id: number;
  readonly tool: ToolInfo;
  readonly values: Values;
}

const MAX_COLUMNS = 4;

export function Ask({ start, root, path: asked }: AskProps) {
  const rootPath = start.roots[root]?.path ?? '';
  const [path, setPath] = useState(asked);
  const [marksInvisible, setMarks] = useState(false);
  const [round, setRound] = useState(1);
  const next = useRef(2);
  const withPath = (tool: ToolInfo, values: Values, to: string) => ({
    ...values,
    [tool.pathParameter]: pathFor(tool, to, rootPath),
  });
  const [columns, setColumns] = useState<readonly Column[]>(() =>
    firstTools(start).map((tool, id) => ({ id, tool, values: withPath(tool, {}, asked) })),
  );

  const change = (id: number, to: Partial<Column>) =>
    setColumns(columns.map((column) => (column.id === id ? { ...column, ...to } : column)));
  const setAllPaths = (to: string) => {
    setPath(to);
    setColumns(columns.map((column) => ({ ...column, values: withPath(column.tool, column.values, to) })));
  };
  const add = () => {
    const used = columns.map(({ tool }) => tool);
    const tool = start.tools.find((one) => !used.includes(one)) ?? (start.tools[0] as ToolInfo);
    setColumns([...columns, { id: next.current++, tool, values: withPath(tool, {}, path) }]);
  };

  return (
    <section class="view ask" aria-label="Ask">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          setRound(round + 1);
        }}
      >
        <label class="grow">
          Directory{' '}
          <input
            type="text"
            class="wide"
            value={path}
            placeholder="."
            spellcheck={false}
            onInput={(event) => setAllPaths(event.currentTarget.value)}
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
      <div class="ask-columns">
        {columns.map((column) => (
          <AskColumn
            key={column.id}
            {...{ start, root, rootPath, column, marksInvisible, round }}
            chooseTool={(tool) => change(column.id, { tool, values: withPath(tool, {}, path) })}
            changeValues={(values) => change(column.id, { values })}
            remove={columns.length > 1 ? () => setColumns(columns.filter(({ id }) => id !== column.id)) : null}
          />
        ))}
      </div>
    </section>
  );
}

/** Returns the first tool of the chosen dialect, and one of another dialect. */
function firstTools({ tools, dialect }: Start): ToolInfo[] {
  const chosen = tools.find((tool) => tool.dialect === dialect) as ToolInfo;
  const other = tools.find((tool) => tool.dialect !== dialect) as ToolInfo;
  return [other, chosen].sort((a, b) => tools.indexOf(a) - tools.indexOf(b));
}

function pathFor({ needsAbsolute }: ToolInfo, path: string, root: string): string {
  if (!needsAbsolute) return path === '.' ? '' : path;
  if (path === '' || path === '.') return root;
  return /^["/]/.test(path) ? path : `${root.replace(/\/$/, '')}/${path}`;
}

interface AskColumnProps {
  readonly start: Start;
  readonly root: number;
  readonly rootPath: string;
  readonly column: Column;
  readonly marksInvisible: boolean;
  readonly round: number;
  readonly remove: (() => void) | null;
  chooseTool(tool: ToolInfo): void;
  changeValues(values: Values): void;
}

function AskColumn(props: AskColumnProps) {
  const { start, root, rootPath, column, marksInvisible, round, chooseTool, changeValues, remove } = props;
  const { tool, values, id } = column;
  const [request, setRequest] = useState<(CallRequest & { readonly count: number }) | null>(null);
  const { answer, problem } = useRequest<CallAnswer>('call', request);

  // The count makes each request another one, even if the parameters are the same.
  const run = () =>
    setRequest((before) => ({
      ...{ root, dialect: tool.dialect, tool: tool.name, params: parametersOf(tool, values) },
      count: (before?.count ?? 0) + 1,
    }));
  // Some dependencies are left out on purpose: a change of parameters alone sends nothing.
  useEffect(run, [round, tool]);

  const isFirst = start.tools.find(({ dialect }) => dialect === tool.dialect)?.name === tool.name;
  return (
    <article class="ask-column" aria-label={`${tool.dialect} ${tool.name}`}>
      <header class="toolbar small">
        <select
          aria-label="Tool"
          value={start.tools.indexOf(tool)}
          onChange={(event) => chooseTool(start.tools[Number(event.currentTarget.value)] as ToolInfo)}
        >
          {start.tools.map((one, at) => (
            <option key={`${one.dialect} ${one.name}`} value={at}>
              {one.dialect} · {one.name}
            </option>
          ))}
        </select>
        <span class="grow" />
        {remove === null ? null : (
          <button type="button" class="plain" aria-label="Remove this column" onClick={remove}>
            ×
          </button>
        )}
      </header>
      <ParameterForm id={`column-${id}`} {...{ tool, values }} change={changeValues} submit={run} />
      {problem === null ? null : <p class="note">{problem}</p>}
      {answer === null || request === null ? null : (
        <>
          <p class="meta" role="status">
            <Badge isOn={!answer.isError} on="answer" off="error" />
            <span>
              <strong>{grouped(answer.tokens)}</strong> tokens · {grouped(answer.text.length)} characters ·{' '}
              {milliseconds(answer.ms)}
            </span>
          </p>
          <ModelText text={answer.text} marksInvisible={marksInvisible} />
          {answer.isError ? null : <Hidden {...{ root, request, tool }} />}
          <CopyForms forms={formsOf(request, rootPath, isFirst)} />
          <details>
            <summary>The answer as an object</summary>
            <pre class="code">{JSON.stringify(answer.answer, null, 2).slice(0, 100_000)}</pre>
          </details>
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
  const body = tool.name === 'Tree' || tool.name === 'Find' ? null : { root, dialect, tool: tool.name, path, ignore };
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
