/** The map and the listing as an app inside an MCP client. The model gets the same text as without the app. */
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Budget, Button } from '../controls.tsx';
import { useSettled } from '../hooks.ts';
import { MapText } from '../map-text.tsx';
import { Host, type Input, type ToolResult } from './host.ts';

const DEFAULT_BUDGET = 300;

/** A call and its answer. */
interface Shown {
  readonly tool: 'LS' | 'Tree' | 'Find';
  readonly input: Input;
  readonly text: string;
  readonly isError: boolean;
}

function App() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [before, setBefore] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<Shown | null>(null);
  const showFirst = (input: Input, result: ToolResult) => {
    first.current = shownOf(input, result);
    setShown(first.current);
  };
  const [host] = useState(() => new Host(showFirst));
  useEffect(() => void host.connect().catch((error: Error) => setProblem(error.message)), []);

  const ask = async (tool: Shown['tool'], input: Input) => {
    try {
      const answer = await host.callTool(tool, input);
      setBefore(shown);
      setShown({ ...shownOf(input, answer), tool });
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const isFirst = shown === null || shown === first.current;
  return (
    <div class="app">
      {problem === null ? null : <p class="note">{problem}</p>}
      {shown === null ? (
        <p class="quiet">waiting for the answer …</p>
      ) : (
        <>
          {isFirst ? null : <Button text="← What the model asked" press={() => setShown(first.current)} />}
          {shown.isError || shown.tool === 'Find' ? (
            <pre class="model-text">{shown.text}</pre>
          ) : shown.tool === 'Tree' ? (
            <MapApp {...{ shown }} before={before?.tool === 'Tree' ? before.text : null} ask={ask} />
          ) : (
            <ListingApp {...{ shown, ask }} />
          )}
        </>
      )}
    </div>
  );
}

type Ask = (tool: Shown['tool'], input: Input) => void;

function MapApp({ shown, before, ask }: { shown: Shown; before: string | null; ask: Ask }) {
  const { input, text } = shown;
  const asked = Number(input.budget ?? DEFAULT_BUDGET);
  const [chosen, setChosen] = useState(asked);
  const budget = useSettled(chosen, 150);
  // Asks only if the slider was moved.
  useEffect(() => {
    if (!Object.is(budget, asked)) ask('Tree', { ...input, budget });
  }, [budget]);
  return (
    <>
      <Budget budget={chosen} change={setChosen} className="toolbar small" />
      <MapText {...{ text, before }} open={(path) => ask('Tree', { ...input, path })} />
    </>
  );
}

function ListingApp({ shown, ask }: { shown: Shown; ask: Ask }) {
  const { head, entries, next } = listingOf(shown.text);
  return (
    <>
      <p class="quiet">{head}</p>
      <ul class="unseen listing">
        {entries.map(({ path, isDirectory }) => (
          <li key={path}>
            {isDirectory ? (
              <Button text={`${path}/`} press={() => ask('LS', { ...shown.input, path, offset: 0 })} class="link" />
            ) : (
              <code>{path}</code>
            )}
          </li>
        ))}
      </ul>
      {next === null ? null : <Button text="Next page" press={() => ask('LS', { ...shown.input, offset: next })} />}
    </>
  );
}

/** Parses the text of `LS`: its heading, the entries, and the offset of the next page. */
function listingOf(text: string) {
  const [head = '', ...parts] = text.split('\n\n');
  const names = parts.join('\n').split('\n').filter(Boolean);
  const next = /^Use offset=(\d+) to view next page/m.exec(head)?.[1];
  return {
    head: head.replaceAll('\n', ' '),
    entries: names.map((line) => ({ path: line.replace(/\/$/, ''), isDirectory: line.endsWith('/') })),
    next: next === undefined ? null : Number(next),
  };
}

function shownOf(input: Input, { content = [], isError = false }: ToolResult): Shown {
  // With several roots, the first line names the root.
  const text = (content.find(({ type }) => type === 'text')?.text ?? '').replace(/^Root: .*\n/, '');
  const tool = 'query' in input ? 'Find' : text.startsWith('# ') ? 'Tree' : 'LS';
  return { tool, input, text, isError };
}

render(<App />, document.getElementById('app') as HTMLElement);
