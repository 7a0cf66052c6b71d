/** A treemap that shows where files and tokens are: directories as areas, two levels deep. */
import { useState } from 'preact/hooks';
import type { Count, TreemapNode } from '../faces/view/api.ts';
import { Chips } from './controls.tsx';
import { grouped, plural, short, useRequest, useSize } from './hooks.ts';
import { type Rectangle, squarify } from './squarify.ts';

/** The height of the name of an outer area, in pixels. */
const TITLE = 26;

/** The least side of an area that can be clicked: a smaller one is too easy to miss. */
const LEAST_TARGET = 26;

const BY: readonly (keyof Count)[] = ['tokens', 'files'];

interface TreemapProps {
  readonly root: number;
  readonly rootPath: string;
  /** The directory that is shown. */
  readonly path: string;
  enter(path: string): void;
  explore(path: string): void;
  /** Returns true if the map shows the entries of a directory. */
  isOpen(path: string): boolean;
  readonly isCounted: boolean;
}

export function Treemap({ root, rootPath, path, enter, explore, isOpen, isCounted }: TreemapProps) {
  const [by, setBy] = useState<keyof Count>('tokens');
  const [ref, size] = useSize<HTMLDivElement>();
  const { answer } = useRequest<{ node: TreemapNode | null }>('treemap', isCounted ? { root, path, by } : null);
  const node = answer?.node ?? null;
  return (
    <figure class="treemap-figure">
      <figcaption class="toolbar small">
        <Crumbs {...{ rootPath, path }} go={enter} />
        <span class="grow" />
        <Chips names={BY} chosen={by} choose={(name) => setBy(name)} />
      </figcaption>
      <div class="treemap" ref={ref}>
        {node === null ? (
          <p class="quiet">{isCounted ? '' : 'counting …'}</p>
        ) : (
          <Areas {...{ node, by, size, isOpen, enter, explore }} />
        )}
      </div>
      <p class="quiet legend">Coloured: directories whose entries the map shows. Tokens are estimates (≈).</p>
    </figure>
  );
}

interface AreasProps {
  readonly node: TreemapNode;
  readonly by: keyof Count;
  readonly size: { readonly width: number; readonly height: number };
  isOpen(path: string): boolean;
  enter(path: string): void;
  explore(path: string): void;
}

function Areas({ node, by, size, ...rest }: AreasProps) {
  return (
    <>
      {placed(node.children, by, { x: 0, y: 0, ...size }).map(({ node: outer, at }) => {
        const inner = { x: 2, y: TITLE, width: at.width - 4, height: at.height - TITLE - 2 };
        const hasRoom = inner.width > 30 && inner.height > 18;
        return (
          <Area key={outer.label} node={outer} parent={node} {...{ at, by, ...rest }}>
            {hasRoom
              ? placed(outer.children, by, inner).map(({ node: one, at: place }) => (
                  <Area key={one.label} node={one} parent={outer} at={place} isInner {...{ by, ...rest }} />
                ))
              : null}
          </Area>
        );
      })}
    </>
  );
}

interface AreaProps extends Omit<AreasProps, 'size'> {
  readonly parent: TreemapNode;
  readonly at: Rectangle;
  readonly isInner?: boolean;
  readonly children?: preact.ComponentChildren;
}

function Area({ node, parent, at, by, isInner = false, isOpen, enter, explore, children }: AreaProps) {
  const { label, path, files, tokens } = node;
  const style = { left: `${at.x}px`, top: `${at.y}px`, width: `${at.width}px`, height: `${at.height}px` };
  const about = `: ${plural(files, 'file')}, ≈ ${grouped(tokens)} tokens`;
  const kind = path === null ? 'rest' : isOpen(path) ? 'opened' : 'closed';
  const isLabelled = at.width > 34 && at.height > 16;
  const name = (
    <>
      <span class={isLabelled ? '' : 'unseen-text'}>{label}</span>
      <span class="unseen-text">{about}</span>
      {isLabelled && at.width > 90 ? (
        <span class="area-size" aria-hidden="true">
          {short(node[by])}
        </span>
      ) : null}
    </>
  );
  return (
    <div class={`area ${kind}${isInner ? ' inner' : ''}`} style={style} title={`${label}${about}`}>
      {Math.min(at.width, at.height) < LEAST_TARGET ? (
        <span class="area-name">{name}</span>
      ) : (
        // A part that stands for several entries leads to its directory in Explore, which shows them all.
        <button
          type="button"
          class="area-name"
          onClick={() => (path === null ? explore(parent.path ?? '') : enter(path))}
        >
          {name}
        </button>
      )}
      {children}
    </div>
  );
}

function placed(nodes: readonly TreemapNode[], by: keyof Count, within: Rectangle) {
  const sorted = [...nodes].sort((a, b) => b[by] - a[by]);
  const places = squarify(
    sorted.map((node) => node[by]),
    within,
  );
  return sorted.map((node, index) => ({ node, at: places[index] as Rectangle }));
}

/** Links to the directories from the root to the one that is shown. */
function Crumbs({ rootPath, path, go }: { rootPath: string; path: string; go(path: string): void }) {
  const names = path.slice(rootPath.length).split('/').filter(Boolean);
  const base = rootPath.replace(/\/$/, '');
  return (
    <nav aria-label="Shown directory" class="crumbs">
      <button type="button" class="link" onClick={() => go(rootPath)}>
        {base.slice(base.lastIndexOf('/') + 1) || '/'}
      </button>
      {names.map((name, at) => (
        <span key={names.slice(0, at + 1).join('/')}>
          {' / '}
          <button type="button" class="link" onClick={() => go(`${base}/${names.slice(0, at + 1).join('/')}`)}>
            {name}
          </button>
        </span>
      ))}
    </nav>
  );
}
