/** The page: four views of one project. */
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Root, Start } from '../faces/view/api.ts';
import { useAddress, VIEWS, type View } from './address.ts';
import { Ask } from './ask.tsx';
import { askAnew, post, takeToken, useConnection } from './client.ts';
import { Explore } from './explore.tsx';
import { MapView } from './map.tsx';
import { Palette } from './palette.tsx';
import { Watch } from './watch.tsx';

const THEMES = ['auto', 'light', 'dark'] as const;
const THEME_KEY = 'agent-ls-theme';

/** Milliseconds between two questions whether the server and its roots are still there. */
const HEARTBEAT = 3000;

function App({ start, roots }: { start: Start; roots: readonly Root[] }) {
  const { view, root, params, go, set, chooseRoot } = useAddress(start.watch === null ? 'Explore' : 'Watch');
  const [visited, setVisited] = useState<readonly View[]>([]);
  const { label, path, problem } = roots[root] ?? { label: '', path: '', problem: 'There is no such root' };
  const isGone = useRef(false);
  useEffect(() => {
    if (isGone.current && problem === null) askAnew();
    isGone.current = problem !== null;
  }, [problem]);
  const shared = { start: { ...start, roots }, root };
  const contents: Record<View, () => preact.VNode> = {
    Explore: () => (
      <Explore {...shared} params={params.Explore} set={set('Explore')} ask={(asked) => go('Ask', { path: asked })} />
    ),
    Ask: () => <Ask {...shared} params={params.Ask} set={set('Ask')} isShown={view === 'Ask'} />,
    Map: () => (
      <MapView
        {...{ ...shared, params: params.Map, set: set('Map') }}
        enter={(entered) => go('Map', { path: entered })}
        explore={(explored) => go('Explore', { path: explored })}
      />
    ),
    Watch: () => <Watch {...shared} />,
  };
  useEffect(() => {
    const name = label.slice(label.lastIndexOf('/') + 1) || label;
    document.title = `${view} · ${name} · agent-ls`;
    setVisited((before) => (before.includes(view) ? before : [...before, view]));
  }, [view, label]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length] as View;
    go(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <header class="top">
        <h1>
          <img src="/icon.svg" alt="" width="22" height="22" /> agent-ls
        </h1>
        <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
          {VIEWS.map((name) => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === view}
              aria-controls={`view-${name}`}
              tabIndex={name === view ? 0 : -1}
              onClick={() => go(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <span class="grow" />
        <Palette
          {...{ root, rootPath: path }}
          show={(found) => {
            go('Explore', { path: found });
            // The view may not have been shown before.
            setTimeout(() => document.querySelector<HTMLElement>('[role=tree]')?.focus());
          }}
        />
        {roots.length === 1 ? (
          <span class="root quiet" title={label}>
            {label}
          </span>
        ) : (
          <select aria-label="Root" value={root} onChange={(event) => chooseRoot(Number(event.currentTarget.value))}>
            {roots.map((one, at) => (
              <option key={one.label} value={at}>
                {one.label}
              </option>
            ))}
          </select>
        )}
        <Theme />
      </header>
      <Banner problem={problem === null ? null : `${label}: ${problem}.`}>
        {VIEWS.map((name) => (
          <div
            key={`${name} ${root} ${path}`}
            class={name === view ? 'panel' : 'panel away'}
            id={`view-${name}`}
            role="tabpanel"
            aria-labelledby={`tab-${name}`}
          >
            {name === view || visited.includes(name) ? contents[name]() : null}
          </div>
        ))}
      </Banner>
    </>
  );
}

/** Says what is wrong with the server or the root, and dims what was read before. */
function Banner({ problem, children }: { problem: string | null; children?: preact.ComponentChildren }) {
  const connection = useConnection();
  const text = connection.problem ?? problem;
  const time = connection.answered?.toLocaleTimeString();
  return (
    <>
      {text === null ? null : (
        <p class="banner" role="alert">
          {text}
          {children === undefined ? '' : ` What is shown is ${time === undefined ? 'old' : `as of ${time}`}.`}
        </p>
      )}
      <main class={text === null ? '' : 'stale'}>{children}</main>
    </>
  );
}

/** Shows the page as soon as the server answers, and keeps asking for its roots. */
function Page() {
  const [start, setStart] = useState<Start | null>(null);
  const [roots, setRoots] = useState<readonly Root[]>([]);
  useEffect(() => {
    const follow = async () => {
      const answer = await post<Start>('start', {});
      setRoots(answer.roots);
      setStart(answer);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, HEARTBEAT));
        if (!document.hidden) setRoots((await post<{ roots: readonly Root[] }>('roots', {})).roots);
      }
    };
    follow();
  }, []);
  // Until then the right address may be opened in this tab, of which only the fragment differs.
  useEffect(() => {
    if (start !== null) return;
    addEventListener('popstate', takeToken);
    return () => removeEventListener('popstate', takeToken);
  }, [start]);
  return start === null ? <Banner problem={null} /> : <App {...{ start, roots }} />;
}

function Theme() {
  const [theme, setTheme] = useState(() => localStorage.getItem(THEME_KEY) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(THEME_KEY, theme);
  }, [theme]);
  const next = THEMES[((THEMES as readonly string[]).indexOf(theme) + 1) % THEMES.length] as string;
  const sign = { auto: '◐', light: '○', dark: '●' }[theme] ?? '◐';
  return (
    <button
      type="button"
      class="plain"
      title={`Colours: ${theme}`}
      aria-label={`Colours: ${theme}. Change to ${next}`}
      onClick={() => setTheme(next)}
    >
      {sign}
    </button>
  );
}

takeToken().then(() => {
  const place = document.getElementById('app') as HTMLElement;
  // Until now it showed a placeholder.
  place.replaceChildren();
  render(<Page />, place);
});
