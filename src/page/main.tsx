/** The page: four views of one project. */
import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Start } from '../faces/view/api.ts';
import { Ask } from './ask.tsx';
import { post, Refused, takeToken } from './client.ts';
import { Explore } from './explore.tsx';
import { MapView } from './map.tsx';
import { Watch } from './watch.tsx';

const VIEWS = ['Explore', 'Ask', 'Map', 'Watch'] as const;
type View = (typeof VIEWS)[number];

const THEMES = ['auto', 'light', 'dark'] as const;
const THEME_KEY = 'agent-ls-theme';

function viewInAddress(): View | undefined {
  return VIEWS.find((view) => location.hash === `#${view.toLowerCase()}`);
}

function App({ start }: { start: Start }) {
  const [view, setView] = useState<View>(viewInAddress() ?? (start.watch === null ? 'Explore' : 'Watch'));
  const [root, setRoot] = useState(0);
  const [asked, setAsked] = useState('');
  const problem = start.roots[root]?.problem ?? null;
  const go = (to: View) => {
    setView(to);
    history.replaceState(null, '', `#${to.toLowerCase()}`);
  };
  useEffect(() => {
    const follow = () => setView((before) => viewInAddress() ?? before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
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
              aria-controls="view"
              tabIndex={name === view ? 0 : -1}
              onClick={() => go(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <span class="grow" />
        {start.roots.length === 1 ? (
          <span class="root quiet" title={start.roots[0]?.label}>
            {start.roots[0]?.label}
          </span>
        ) : (
          <select aria-label="Root" value={root} onChange={(event) => setRoot(Number(event.currentTarget.value))}>
            {start.roots.map(({ label }, at) => (
              <option key={label} value={at}>
                {label}
              </option>
            ))}
          </select>
        )}
        <Theme />
      </header>
      <main>
        <div class="panel" id="view" role="tabpanel" aria-labelledby={`tab-${view}`}>
          {problem !== null && view !== 'Watch' ? (
            <p class="note pad">{problem}</p>
          ) : view === 'Explore' ? (
            <Explore
              key={root}
              {...{ start, root }}
              ask={(path) => {
                setAsked(path);
                go('Ask');
              }}
            />
          ) : view === 'Ask' ? (
            <Ask key={root} {...{ start, root, path: asked }} />
          ) : view === 'Map' ? (
            <MapView key={root} {...{ start, root }} />
          ) : (
            <Watch {...{ start, root }} />
          )}
        </div>
      </main>
    </>
  );
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

function Failed({ error }: { error: Error }) {
  const isRefused = error instanceof Refused;
  return (
    <main class="refused">
      <h1>agent-ls</h1>
      <p role="alert">{isRefused ? error.message : 'The server does not answer. Is agent-ls view still running?'}</p>
    </main>
  );
}

/** Replaces the placeholder that the page shows until the server answers. */
function show(content: VNode): void {
  const place = document.getElementById('app') as HTMLElement;
  place.replaceChildren();
  render(content, place);
}

takeToken()
  .then(() => post<Start>('start', {}))
  .then(
    (start) => show(<App start={start} />),
    (error: Error) => show(<Failed error={error} />),
  );
