/** Explore: the project as a tree that shows what is hidden, why, and what each directory costs. */
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Counts, DirectoryCount, Level, LevelEntry, LevelRequest, Start, ToolInfo } from '../faces/view/api.ts';
import { post } from './client.ts';
import { Check } from './controls.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { grouped, PAUSE, plural, short, useCounts } from './hooks.ts';
import { RULE_NAMES } from './rule.tsx';
import { Directory, PAGE, type Row } from './tree-model.ts';
import { moved, type Positioned, VirtualList } from './virtual-list.tsx';

const ROW_HEIGHT = 28;

interface ExploreProps {
  readonly start: Start;
  readonly root: number;
  ask(path: string): void;
}

export function Explore({ start, root, ask }: ExploreProps) {
  const path = start.roots[root]?.path ?? '';
  const [chosen, choose] = useState(start.tools.findIndex(({ dialect }) => dialect === start.dialect));
  const [showsHidden, setShowsHidden] = useState(true);
  const [active, setActive] = useState(0);
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  // The tool is a dependency on purpose: under another one, every entry has to be judged again.
  const top = useMemo(() => new Directory(path, 0), [path, chosen]);
  const load = useLoader(root, start.tools[chosen] as ToolInfo, redraw);
  const loaded = [...top.all()].flatMap((directory) => [...directory.loaded()]);
  const directories = loaded.filter(({ type }) => type === 'dir').map((one) => one.path);
  const { counts, summary, recount } = useCounts(root, directories);

  useEffect(() => {
    setActive(0);
    load(top, 0);
  }, [top, load]);

  const count = top.rows;
  const row = top.rowAt(Math.min(active, count - 1));
  const entry = row.directory.entryAt(row.position);

  const toggle = ({ directory, position }: Row) => {
    const found = directory.entryAt(position);
    if (found?.type !== 'dir') return;
    if (directory.opened(position) !== undefined) directory.close(position);
    else load(directory.open(position, found.path), 0);
    redraw();
  };

  const onKeyDown = (event: KeyboardEvent, inSight: number) => {
    const target = moved(event.key, active, count, inSight);
    const opened = row.directory.opened(row.position);
    if (target !== null) setActive(target);
    else if (event.key === 'ArrowRight' && entry?.type === 'dir') {
      if (opened === undefined) toggle(row);
      else setActive(active + 1);
    } else if (event.key === 'ArrowLeft') {
      const holder = top.holderOf(row.directory);
      if (opened !== undefined) toggle(row);
      else if (holder !== null) setActive(top.indexIn(holder));
    } else if (event.key === 'Enter' || event.key === ' ') toggle(row);
    else return;
    event.preventDefault();
  };

  const draw = (index: number, at: Positioned) => {
    const { directory, position } = top.rowAt(index);
    const found = directory.entryAt(position);
    if (found === undefined && directory.total !== 0) load(directory, Math.floor(position / PAGE));
    const opened = directory.opened(position);
    return (
      <TreeRow
        key={`${directory.path}\0${position}`}
        {...{ index, at, directory, position, entry: found, isOpen: opened !== undefined }}
        isActive={index === active}
        count={found && counts.get(found.path)}
        dims={showsHidden}
        select={() => setActive(index)}
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
            <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {start.tools.map(({ dialect, name }, i) => (
                <option key={`${dialect} ${name}`} value={i}>
                  {dialect} · {name}
                </option>
              ))}
            </select>
          </label>
          <Check label="Reasons" checked={showsHidden} change={setShowsHidden} />
          <span class="grow" />
          <Summary counts={summary} recount={recount} />
        </div>
        <div class="columns" aria-hidden="true">
          <span class="grow">Name</span>
          <span class="number">files</span>
          <span class="number">tokens</span>
        </div>
        <VirtualList
          role="tree"
          label="Files and directories"
          activeId={`row-${active}`}
          rowHeight={ROW_HEIGHT}
          {...{ count, active, row: draw, onKeyDown }}
        />
      </div>
      <aside class="pane detail" aria-label="About the selected entry">
        <EntryDetail
          {...{ root, entry, ask }}
          total={entry && row.directory.opened(row.position)?.total}
          count={entry && counts.get(entry.path)}
          notes={[...row.directory.notes]}
        />
      </aside>
    </section>
  );
}

interface TreeRowProps {
  readonly index: number;
  readonly at: Positioned;
  readonly directory: Directory;
  readonly position: number;
  readonly entry: LevelEntry | undefined;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly count: DirectoryCount | null | undefined;
  readonly dims: boolean;
  select(): void;
  toggle(): void;
}

function TreeRow(props: TreeRowProps) {
  const { index, at, directory, position, entry, isOpen, isActive, count, dims, select, toggle } = props;
  const indent = { width: `${directory.depth * 18}px` };
  if (entry === undefined) {
    const text = directory.problem ?? (directory.total === 0 ? 'empty' : 'loading …');
    return (
      <div class={`row quiet${isActive ? ' active' : ''}`} id={`row-${index}`} role="treeitem" tabIndex={-1} style={at}>
        <span class="indent" style={indent} />
        <span class="twist" />
        <span class="name">{text}</span>
      </div>
    );
  }
  const isDirectory = entry.type === 'dir';
  const reason = entry.rule === null ? '' : `${RULE_NAMES[entry.rule.by] ?? entry.rule.by} ${entry.rule.pattern}`;
  const classes = ['row', `type-${entry.type}`, entry.hidden ? 'hidden-entry' : '', isActive ? 'active' : ''];
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
      aria-label={`${entry.label}${entry.hidden ? `, hidden: ${reason}` : ''}`}
      style={at}
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
        {entry.label}
        {isDirectory ? '/' : entry.type === 'link' ? '@' : ''}
        {count?.hidden ? <span class="quiet"> all hidden</span> : null}
      </span>
      {dims && entry.rule !== null ? (
        <span class={entry.hidden ? 'reason' : 'reason kept'}>
          {entry.hidden ? '' : 'kept by '}
          {reason}
        </span>
      ) : null}
      <span class="grow" />
      <span class="number">{isDirectory && count ? short(count.files) : ''}</span>
      <span class="number">{isDirectory && count ? short(count.tokens) : ''}</span>
    </div>
  );
}

function Summary({ counts, recount }: { counts: Counts | null; recount(): void }) {
  if (counts === null) return null;
  const text = `${plural(counts.files, 'file')}, ${grouped(counts.tokens)} tokens`;
  return (
    <span class="quiet" role="status">
      {counts.isDone ? text : `counting … ${text}`}{' '}
      <button type="button" class="plain" onClick={recount} disabled={!counts.isDone} title="Count again">
        ↻
      </button>
    </span>
  );
}

/** Loads pages of directories, each once. A page that failed is loaded again after a while, if it is still in sight. */
function useLoader(root: number, { dialect, name: tool }: ToolInfo, redraw: () => void) {
  return useMemo(() => {
    const loading = new WeakMap<Directory, Set<number>>();
    return (directory: Directory, page: number) => {
      const pages = loading.get(directory) ?? new Set();
      if (pages.has(page)) return;
      loading.set(directory, pages.add(page));
      const request: LevelRequest = { root, path: directory.path, dialect, tool, offset: page * PAGE, limit: PAGE };
      post<Level>('level', request).then(
        ({ entries, total, notes }) => {
          directory.total = total;
          directory.problem = null;
          directory.setPage(page, entries);
          for (const note of notes) directory.notes.add(note);
          redraw();
        },
        (error: Error) => {
          directory.problem = error.message;
          redraw();
          setTimeout(() => {
            pages.delete(page);
            redraw();
          }, PAUSE);
        },
      );
    };
  }, [root, dialect, tool, redraw]);
}
