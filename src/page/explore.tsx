/** Explore: the project as a tree that shows what is hidden, why, and what each directory costs. */
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { DirectoryCount, Level, LevelEntry, Place } from '../faces/view/api.ts';
import type { ViewProps } from './address.ts';
import { post, useConnection } from './client.ts';
import { Button, Name, nameOf, ToolSelect, toolNamed } from './controls.tsx';
import { EntryDetail, ruleText } from './entry-detail.tsx';
import { plural, short, useCounts } from './hooks.ts';
import { Directory, PAGE, type Row } from './tree-model.ts';
import { type ListRow, VirtualList } from './virtual-list.tsx';

const ROW_HEIGHT = 28;

const MAX_OPEN = 500;

export function Explore({ start, root, rootPath, params, set, go }: ViewProps) {
  const tool = toolNamed(start, params.as);
  const [top, setTop] = useState(() => new Directory(rootPath));
  const [active, setActive] = useState<Row>({ directory: top, position: 0 });
  /** The selected entry, if it has no row. */
  const [place, setPlace] = useState<Place | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [again, setAgain] = useState(0);
  const [builtFor, setBuiltFor] = useState('');
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const { round } = useConnection();
  const load = async (directory: Directory, page: number) => {
    if (directory.asked.has(page)) return;
    directory.asked.add(page);
    const { dialect, name } = tool;
    const request = { root, path: directory.path, dialect, tool: name, offset: page * PAGE, limit: PAGE };
    try {
      const { entries, total: all, notes } = await post<Level>('level', request);
      directory.total = all;
      directory.pages.set(page, entries);
      for (const note of notes) directory.notes.add(note);
    } catch (error) {
      directory.problem = (error as Error).message;
    }
    redraw();
  };
  const loaded = [...top.all()].flatMap(({ pages }) => [...pages.values()].flat());
  const directories = loaded.filter(({ type }) => type === 'dir').map((one) => one.path);
  const { counts, total, recount } = useCounts(root, directories);
  const selected = useRef(params.path);
  const building = useRef('');

  const count = top.rows;
  const index = Math.min(top.indexIn(active), count - 1);
  const row = top.rowAt(index);
  const entry = row.directory.entryAt(row.position);

  const select = (to: Row) => {
    const path = to.directory.entryAt(to.position)?.path;
    setActive(to);
    setPlace(null);
    setProblem(null);
    if (path === undefined) return;
    selected.current = path;
    set({ path });
  };

  const key = `${tool.dialect} ${tool.name} ${again} ${round}`;
  /** Reads everything again with the same directories open, and goes to the selected entry. */
  const rebuild = async () => {
    const target = params.path;
    selected.current = target;
    building.current = key;
    const open = [...top.all()].slice(1, MAX_OPEN).map(({ path }) => path);
    const paths = target === undefined ? open : [...open, target];
    try {
      const { places } = await post<{ places: Place[] }>('places', { root, paths });
      // Somebody has gone on meanwhile.
      if (building.current !== key) return;
      if (selected.current !== target) return setAgain((before) => before + 1);
      const fresh = new Directory(rootPath);
      for (const { steps, path, total } of places.slice(0, open.length)) {
        if (steps === null || total === null) continue;
        const { directory, position } = fresh.reveal(steps);
        (directory.opened.get(position) ?? directory.open(position, path)).total = total;
      }
      const found = target === undefined ? undefined : places.at(-1);
      setActive(fresh.reveal(found?.steps ?? []));
      setPlace(found?.steps === null ? found : null);
      setTop(fresh);
      setProblem(null);
    } catch (error) {
      setPlace(null);
      setProblem((error as Error).message);
    }
    setBuiltFor(key);
  };
  // Other dependencies are left out on purpose: selecting a row reads nothing again.
  useEffect(() => {
    if (key !== builtFor || params.path !== selected.current) rebuild();
  }, [key, params.path]);

  const refresh = () => {
    setAgain(again + 1);
    recount();
  };

  const toggle = ({ directory, position }: Row) => {
    const found = directory.entryAt(position);
    if (found?.type !== 'dir') return;
    if (directory.opened.has(position)) directory.opened.delete(position);
    else load(directory.open(position, found.path), 0);
    redraw();
  };

  const onKey = (key: string) => {
    const isOpen = row.directory.opened.has(row.position);
    const { holder } = row.directory;
    if (key === 'Enter' || key === ' ' || (key === 'ArrowRight' && !isOpen) || (key === 'ArrowLeft' && isOpen))
      toggle(row);
    else if (key === 'ArrowRight') select(top.rowAt(index + 1));
    else if (key === 'ArrowLeft' && holder !== null) select(holder);
    else return false;
    return true;
  };

  const draw = (at: number): ListRow => {
    const shown = top.rowAt(at);
    const { directory, position } = shown;
    const found = directory.entryAt(position);
    if (found === undefined && directory.total !== 0) load(directory, Math.floor(position / PAGE));
    const isDirectory = found?.type === 'dir';
    return {
      key: `${directory.path}\0${position}`,
      className: found === undefined ? 'quiet' : `type-${found.type}${found.hidden ? ' hidden-entry' : ''}`,
      content: (
        <>
          <span class="indent" style={{ width: `${directory.depth * 18}px` }} />
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys open and close */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a part of the row for the mouse */}
          <span
            class={`twist${directory.opened.has(position) ? ' open' : ''}${isDirectory ? '' : ' none'}`}
            onClick={() => toggle(shown)}
          />
          {found === undefined ? (
            <span class="name">{directory.problem ?? (directory.total === 0 ? 'empty' : 'loading …')}</span>
          ) : (
            <EntryCells entry={found} count={isDirectory ? counts.get(found.path) : null} />
          )}
        </>
      ),
      about: {
        ...{ 'aria-level': directory.depth + 1, 'aria-posinset': position + 1, 'aria-setsize': directory.total ?? -1 },
        ...(isDirectory ? { 'aria-expanded': directory.opened.has(position) } : {}),
        onDblClick: () => toggle(shown),
      },
    };
  };

  return (
    <section class="view split" aria-label="Explore">
      <div class="pane">
        <div class="toolbar">
          <ToolSelect {...{ start, tool }} label="As seen by" change={(to) => set({ as: nameOf(to) })} />
          <span class="grow" />
          <span class="quiet" role="status">
            {total === null ? 'counting …' : `${plural(total.files, 'file')}, ≈ ${short(total.tokens)} tokens`}
          </span>
          <Button text="Refresh" press={refresh} />
        </div>
        <div class="columns" aria-hidden="true">
          <span class="grow">Name</span>
          <span class="number">files</span>
          <span class="number" title="Estimated from the names: a complete map may cost a third less or a quarter more">
            ≈ tokens
          </span>
        </div>
        <VirtualList
          role="tree"
          label="Files and directories"
          rowHeight={ROW_HEIGHT}
          isBusy={key !== builtFor}
          select={(at) => select(top.rowAt(at))}
          {...{ count, active: index, isSelected: (place ?? problem) === null, row: draw, onKey }}
        />
      </div>
      <section class="pane detail" aria-label="About the selected entry">
        {problem === null ? (
          <EntryDetail
            {...{ root, tool, entry: place ?? entry }}
            ask={(path) => go('Ask', { path })}
            total={place === null ? row.directory.opened.get(row.position)?.total : place.total}
            count={counts.get((place ?? entry)?.path ?? '')}
            notes={[...row.directory.notes]}
          />
        ) : (
          <p class="note">{problem}</p>
        )}
      </section>
    </section>
  );
}

function EntryCells({ entry, count }: { entry: LevelEntry; count: DirectoryCount | null | undefined }) {
  const { label, type, hidden, rule } = entry;
  const kept = rule?.isTracked ? 'tracked, though ' : 'kept by ';
  return (
    <>
      <span class="name">
        <Name text={label} />
        {type === 'dir' ? '/' : type === 'link' ? '@' : ''}
        {count?.hidden ? <span class="quiet"> all hidden</span> : null}
      </span>
      <span class={hidden ? 'reason' : 'reason kept'}>
        {hidden ? <span class="unseen-text"> hidden: </span> : null}
        {rule === null ? '' : `${hidden ? '' : kept}${ruleText(rule)}`}
      </span>
      <span class="grow" />
      {(['files', 'tokens'] as const).map((unit) => (
        <span key={unit} class="number">
          {count ? short(count[unit]) : ''}
          {count ? <span class="unseen-text"> {unit} </span> : null}
        </span>
      ))}
    </>
  );
}
