/** Explore: the project as a tree that shows what is hidden, why, and what each directory costs. */
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Count, Counts, Level, LevelEntry, LevelRequest, Place, Start, ToolInfo } from '../faces/view/api.ts';
import type { Params } from './address.ts';
import { post, useConnection } from './client.ts';
import { Check, Name, ToolOptions, toolNamed } from './controls.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { plural, short, useCounts } from './hooks.ts';
import { ruleText } from './rule.tsx';
import { Directory, PAGE, type Row } from './tree-model.ts';
import { moved, type Positioned, VirtualList } from './virtual-list.tsx';

const ROW_HEIGHT = 28;

/** The most open directories that are kept when everything is read again. */
const MAX_OPEN = 500;

interface ExploreProps {
  readonly start: Start;
  readonly root: number;
  readonly params: Params;
  set(params: Params): void;
  ask(path: string): void;
}

export function Explore({ start, root, params, set, ask }: ExploreProps) {
  const rootPath = start.roots[root]?.path ?? '';
  const tool = toolNamed(start, params.as);
  const [top, setTop] = useState(() => new Directory(rootPath, 0));
  const [active, setActive] = useState<Row>({ directory: top, position: 0 });
  /** The selected entry, if it has no row. */
  const [place, setPlace] = useState<Place | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [showsHidden, setShowsHidden] = useState(true);
  const [again, setAgain] = useState(0);
  const [builtFor, setBuiltFor] = useState('');
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const { round } = useConnection();
  const load = useLoader(root, tool, redraw);
  const loaded = [...top.all()].flatMap((directory) => [...directory.loaded()]);
  const directories = loaded.filter(({ type }) => type === 'dir').map((one) => one.path);
  const { counts, summary, recount } = useCounts(root, directories);
  const selected = useRef(params.path);

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

  /** Reads everything again with the same directories open, and goes to the selected entry. */
  const rebuild = async (key: string) => {
    const target = params.path;
    selected.current = target;
    const open = [...top.all()].slice(1, MAX_OPEN).map(({ path }) => path);
    const paths = target === undefined ? open : [...open, target];
    try {
      const { places } = await post<{ places: Place[] }>('places', { root, paths });
      // Somebody has gone on meanwhile.
      if (selected.current !== target) return setAgain((before) => before + 1);
      const fresh = new Directory(rootPath, 0);
      for (const { steps, path, total } of places.slice(0, open.length)) {
        if (steps === null || total === null) continue;
        const { directory, position } = fresh.reveal(steps);
        (directory.opened(position) ?? directory.open(position, path)).total = total;
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
  const key = `${tool.dialect} ${tool.name} ${again} ${round}`;
  // Other dependencies are left out on purpose: selecting a row reads nothing again.
  useEffect(() => {
    if (key !== builtFor || params.path !== selected.current) rebuild(key);
  }, [key, params.path]);

  const toggle = ({ directory, position }: Row) => {
    const found = directory.entryAt(position);
    if (found?.type !== 'dir') return;
    if (directory.opened(position) !== undefined) directory.close(position);
    else load(directory.open(position, found.path), 0);
    redraw();
  };

  const onKeyDown = (event: KeyboardEvent, inSight: number) => {
    const target = moved(event.key, index, count, inSight);
    const opened = row.directory.opened(row.position);
    if (target !== null) select(top.rowAt(target));
    else if (event.key === 'ArrowRight' && entry?.type === 'dir') {
      if (opened === undefined) toggle(row);
      else select(top.rowAt(index + 1));
    } else if (event.key === 'ArrowLeft') {
      const holder = top.holderOf(row.directory);
      if (opened !== undefined) toggle(row);
      else if (holder !== null) select(holder);
    } else if (event.key === 'Enter' || event.key === ' ') toggle(row);
    else return;
    event.preventDefault();
  };

  const draw = (at: number, style: Positioned) => {
    const { directory, position } = top.rowAt(at);
    const found = directory.entryAt(position);
    if (found === undefined && directory.total !== 0) load(directory, Math.floor(position / PAGE));
    const opened = directory.opened(position);
    return (
      <TreeRow
        key={`${directory.path}\0${position}`}
        {...{ index: at, style, directory, position, entry: found, isOpen: opened !== undefined }}
        isActive={at === index}
        count={found && counts.get(found.path)}
        showsReasons={showsHidden}
        select={() => select({ directory, position })}
        toggle={() => toggle({ directory, position })}
      />
    );
  };

  return (
    <section class="view split" aria-label="Explore">
      <div class="pane">
        <div class="toolbar">
          <label>
            As seen by{' '}
            <select
              value={start.tools.indexOf(tool)}
              onChange={(event) => {
                const { dialect, name } = start.tools[Number(event.currentTarget.value)] as ToolInfo;
                set({ as: `${dialect} ${name}` });
              }}
            >
              <ToolOptions tools={start.tools} />
            </select>
          </label>
          <Check label="Reasons" checked={showsHidden} change={setShowsHidden} />
          <span class="grow" />
          <Summary
            counts={summary}
            refresh={() => {
              setAgain(again + 1);
              recount();
            }}
          />
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
          activeId={`row-${index}`}
          rowHeight={ROW_HEIGHT}
          isBusy={key !== builtFor}
          {...{ count, active: index, row: draw, onKeyDown }}
        />
      </div>
      <section class="pane detail" aria-label="About the selected entry">
        {problem === null ? (
          <EntryDetail
            {...{ root, tool, ask, entry: place ?? entry }}
            total={place === null ? row.directory.opened(row.position)?.total : place.total}
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

interface TreeRowProps {
  readonly index: number;
  readonly style: Positioned;
  readonly directory: Directory;
  readonly position: number;
  readonly entry: LevelEntry | undefined;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly count: Count | null | undefined;
  readonly showsReasons: boolean;
  select(): void;
  toggle(): void;
}

function TreeRow(props: TreeRowProps) {
  const { index, style, directory, position, entry, isOpen, isActive, count, showsReasons, select, toggle } = props;
  const indent = { width: `${directory.depth * 18}px` };
  if (entry === undefined) {
    const text = directory.problem ?? (directory.total === 0 ? 'empty' : 'loading …');
    return (
      <div
        class={`row quiet${isActive ? ' active' : ''}`}
        id={`row-${index}`}
        role="treeitem"
        tabIndex={-1}
        style={style}
      >
        <span class="indent" style={indent} />
        <span class="twist" />
        <span class="name">{text}</span>
      </div>
    );
  }
  const { hidden, rule, type } = entry;
  const isDirectory = type === 'dir';
  const classes = ['row', `type-${type}`, hidden ? 'hidden-entry' : '', isActive ? 'active' : ''];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys for all of its rows
    <div
      class={classes.join(' ')}
      id={`row-${index}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={directory.depth + 1}
      aria-posinset={position + 1}
      aria-setsize={directory.total ?? -1}
      aria-selected={isActive}
      {...(isDirectory ? { 'aria-expanded': isOpen } : {})}
      style={style}
      onClick={select}
      onDblClick={toggle}
    >
      <span class="indent" style={indent} />
      {isDirectory ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys open and close
        // biome-ignore lint/a11y/noStaticElementInteractions: a part of the row for the mouse
        <span
          class={isOpen ? 'twist open' : 'twist'}
          onClick={(event) => {
            event.stopPropagation();
            select();
            toggle();
          }}
        />
      ) : (
        <span class="twist none" />
      )}
      <span class="name">
        <Name text={entry.label} />
        {isDirectory ? '/' : type === 'link' ? '@' : ''}
      </span>
      <span class={hidden ? 'reason' : 'reason kept'}>
        {hidden ? <span class="unseen-text"> hidden: </span> : null}
        {showsReasons && rule !== null
          ? `${hidden ? '' : rule.isTracked ? 'tracked, though ' : 'kept by '}${ruleText(rule)}`
          : ''}
      </span>
      <span class="grow" />
      <Figure count={isDirectory ? count?.files : undefined} unit="files" />
      <Figure count={isDirectory ? count?.tokens : undefined} unit="tokens" />
    </div>
  );
}

function Figure({ count, unit }: { count: number | undefined; unit: string }) {
  return (
    <span class="number">
      {count === undefined ? '' : short(count)}
      {count === undefined ? null : <span class="unseen-text"> {unit} </span>}
    </span>
  );
}

function Summary({ counts, refresh }: { counts: Counts | null; refresh(): void }) {
  const text = counts === null ? '' : `${plural(counts.files, 'file')}, ≈ ${short(counts.tokens)} tokens`;
  return (
    <>
      <span class="quiet" role="status">
        {counts?.isDone === false ? `counting … ${text}` : text}
      </span>
      <button type="button" onClick={refresh}>
        Refresh
      </button>
    </>
  );
}

/** Loads pages of directories, each once. */
function useLoader(root: number, { dialect, name: tool }: ToolInfo, redraw: () => void) {
  return useMemo(() => {
    const loading = new WeakMap<Directory, Set<number>>();
    return (directory: Directory, page: number) => {
      const pages = loading.get(directory) ?? new Set();
      if (pages.has(page)) return;
      loading.set(directory, pages.add(page));
      const request: LevelRequest = { root, path: directory.path, dialect, tool, offset: page * PAGE, limit: PAGE };
      post<Level>('level', request)
        .then(
          ({ entries, total, notes }) => {
            directory.total = total;
            directory.problem = null;
            directory.setPage(page, entries);
            for (const note of notes) directory.notes.add(note);
          },
          (error: Error) => {
            directory.problem = error.message;
          },
        )
        .then(redraw);
    };
  }, [root, dialect, tool, redraw]);
}
