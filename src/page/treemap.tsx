/** A treemap that shows where files and tokens are: directories as areas, two levels deep. */
import { useState } from 'preact/hooks';
import type { Count, TreemapNode } from '../faces/view/api.ts';
import { Chips } from './controls.tsx';
import { grouped, short, useRequest, useSize } from './hooks.ts';
import { type Rectangle, squarify } from './squarify.ts';

/** The height of the name of an outer area, in pixels. */
const TITLE = 20;

const BY: readonly (keyof Count)[] = ['tokens', 'files'];

interface TreemapProps {
  readonly root: number;
  readonly rootPath: string;
  /** Returns true if the map shows the entries of a directory. */
  isOpen(path: string): boolean;
  readonly isCounted: boolean;
}

export function Treemap({ root, rootPath, isOpen, isCounted }: TreemapProps) {
  const [by, setBy] = useState<keyof Count>('tokens');
  const [path, setPath] = useState(rootPath);
  const [ref, size] = useSize<HTMLDivElement>();
  const { answer } = useRequest<{ node: TreemapNode | null }>('treemap', isCounted ? { root, path, by } : null);
  const node = answer?.node ?? null;
  return (
    <figure class="treemap-figure">
      <figcaption class="toolbar small">
        <Crumbs {...{ rootPath, path }} go={setPath} />
        <span class="grow" />
        <Chips names={BY} chosen={by} choose={(name) => setBy(name)} />
      </figcaption>
      <div class="treemap" ref={ref}>
        {node === null ? <p class="quiet">counting …</p> : <Areas {...{ node, by, size, isOpen }} go={setPath} />}
      </div>
      <p class="quiet legend">Coloured: directories whose entries the map shows.</p>
    </figure>
  );
}

interface AreasProps {
  readonly node: TreemapNode;
  readonly by: keyof Count;
  readonly size: { readonly width: number; readonly height: number };
  isOpen(path: string): boolean;
  go(path: string): void;
}

function Areas({ node, by, size, isOpen, go }: AreasProps) {
  return (
    <>
      {placed(node.children, by, { x: 0, y: 0, ...size }).map(({ node: outer, at }) => {
        const inner = { x: 2, y: TITLE, width: at.width - 4, height: at.height - TITLE - 2 };
        const hasRoom = inner.width > 30 && inner.height > 18;
        return (
          <Area key={outer.label} node={outer} {...{ at, by, isOpen, go }}>
            {hasRoom
              ? placed(outer.children, by, inner).map(({ node: one, at: place }) => (
                  <Area key={one.label} node={one} at={place} isInner {...{ by, isOpen, go }} />
                ))
              : null}
          </Area>
        );
      })}
    </>
  );
}

interface AreaProps extends Omit<AreasProps, 'size'> {
  readonly at: Rectangle;
  readonly isInner?: boolean;
  readonly children?: preact.ComponentChildren;
}

function Area({ node, at, by, isInner = false, isOpen, go, children }: AreaProps) {
  const { label, path, files, tokens } = node;
  const style = { left: `${at.x}px`, top: `${at.y}px`, width: `${at.width}px`, height: `${at.height}px` };
  const about = `${label}: ${grouped(files)} files, ${grouped(tokens)} tokens`;
  const kind = path === null ? 'rest' : isOpen(path) ? 'opened' : 'closed';
  const isLabelled = at.width > 34 && at.height > 16;
  return (
    <div class={`area ${kind}${isInner ? ' inner' : ''}`} style={style}>
      <button
        type="button"
        class="area-name"
        title={about}
        aria-label={about}
        disabled={path === null}
        onClick={() => path !== null && go(path)}
      >
        {isLabelled ? label : ''}
        {isLabelled && at.width > 90 ? <span class="area-size">{short(node[by])}</span> : null}
      </button>
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
