/** The page: four views of one project. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Start } from '../faces/view/api.ts';
import { useAddress, VIEWS, type View, type ViewProps } from './address.ts';
import { Ask } from './ask.tsx';
import { askAnew, post, takeToken, useConnection } from './client.ts';
import { Button, Select } from './controls.tsx';
import { Explore } from './explore.tsx';
import { MapView } from './map.tsx';
import { Palette } from './palette.tsx';
import { Watch } from './watch.tsx';

const CONTENTS = { Explore, Ask, Map: MapView, Watch };

/** Milliseconds between two questions whether the server and its roots are still there. */
const HEARTBEAT = 3000;

function App({ start }: Pick<ViewProps, 'start'>) {
  const { roots } = start;
  const { view, root, params, go: goTo, set } = useAddress(start.watch === null ? 'Explore' : 'Watch');
  const [visited, setVisited] = useState<readonly View[]>([]);
  const { label, path, problem } = roots[root] ?? { label: '', path: '', problem: 'There is no such root' };
  const go: ViewProps['go'] = (to, ...where) => {
    goTo(to, ...where);
    // What had the focus may be out of sight, and the view may not have been shown before.
    if (to === 'Explore') setTimeout(() => document.querySelector<HTMLElement>('[role=tree]')?.focus());
  };
  const labels = Object.fromEntries(roots.map((one, at) => [at, one.label]));
  const draw = (name: View) => {
    const Contents = CONTENTS[name];
    return <Contents {...{ start, root, rootPath: path, params: params[name], set: set(name), go }} />;
  };
  useEffect(() => {
    const name = label.slice(label.lastIndexOf('/') + 1) || label;
    document.title = `${view} · ${name} · agent-ls`;
    setVisited((before) => (before.includes(view) ? before : [...before, view]));
  }, [view, label]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: VIEWS.length - 1 }[event.key];
    const next = VIEWS[(VIEWS.indexOf(view) + (step ?? 0)) % VIEWS.length] as View;
    if (step === undefined) return;
    goTo(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <header class="top">
        <h1>
          <img src="/icon.svg" alt="" width="22" height="22" /> agent-ls
        </h1>
        <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
          {VIEWS.map((name) => (
            <Button
              {...{ key: name, text: name, press: () => goTo(name) }}
              {...{ role: 'tab', id: `tab-${name}`, 'aria-controls': `view-${name}` }}
              {...{ 'aria-selected': name === view, tabIndex: name === view ? 0 : -1 }}
            />
          ))}
        </div>
        <span class="grow" />
        <Palette {...{ root, rootPath: path }} show={(found) => go('Explore', { path: found })} />
        {roots.length === 1 ? (
          <span class="root quiet" title={label}>
            {label}
          </span>
        ) : (
          <Select
            {...{ label: 'Root', value: String(root), options: labels }}
            change={(at) => goTo(view, {}, Number(at))}
          />
        )}
      </header>
      <Banner problem={problem === null ? null : `${label}: ${problem}.`}>
        {VIEWS.map((name) => (
          <div
            key={name === 'Watch' ? name : `${name} ${root} ${path}`}
            class={name === view ? 'panel' : 'panel away'}
            id={`view-${name}`}
            role="tabpanel"
            aria-labelledby={`tab-${name}`}
          >
            {name === view || visited.includes(name) ? draw(name) : null}
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
  useEffect(() => {
    const follow = async () => {
      const first = await post<Start>('start', {});
      for (let { roots: before } = first; ; ) {
        setStart({ ...first, roots: before });
        await new Promise((resolve) => setTimeout(resolve, HEARTBEAT));
        if (document.hidden) continue;
        const { roots: now } = await post<Pick<Start, 'roots'>>('roots', {});
        if (now.some(({ problem }, at) => problem === null && before[at]?.problem !== null)) askAnew();
        before = now;
      }
    };
    follow();
  }, []);
  // Until then the right address may be opened in this tab, of which only the fragment differs.
  useEffect(() => {
    if (start !== null) return;
    addEventListener('popstate', takeToken);
    return () => removeEventListener('popstate', takeToken);
  }, [start === null]);
  return start === null ? <Banner problem={null} /> : <App start={start} />;
}

function show(): void {
  const place = document.getElementById('app') as HTMLElement;
  place.replaceChildren();
  render(<Page />, place);
}

takeToken().then(show, show);
