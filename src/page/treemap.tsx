/** A treemap that shows where files and tokens are: directories as areas, two levels deep. */
import { useState } from 'preact/hooks';
import type { Count, TreemapNode } from '../faces/view/api.ts';
import { Button, Chips } from './controls.tsx';
import { grouped, plural, short, useRequest, useSize } from './hooks.ts';
import { type Rectangle, squarify } from './squarify.ts';

const TITLE = 26;

/** The least side of an area that can be clicked: a smaller one is too easy to miss. */
const LEAST_TARGET = 26;

const BY: readonly (keyof Count)[] = ['tokens', 'files'];

interface Leads {
  enter(path: string): void;
  explore(path: string): void;
  /** Returns true if the map shows the entries of a directory. */
  isOpen(path: string): boolean;
}

export function Treemap(props: Leads & { root: number; rootPath: string; path: string }) {
  const { root, rootPath, path, ...leads } = props;
  const [by, setBy] = useState<keyof Count>('tokens');
  const [ref, size] = useSize<HTMLDivElement>();
  const { answer } = useRequest<{ node: TreemapNode | null }>('treemap', { root, path, by });
  const node = answer?.node ?? null;
  const why = answer === null ? 'counting …' : 'Nothing in it is counted: it is hidden.';
  return (
    <figure class="treemap-figure">
      <figcaption class="toolbar small">
        <Crumbs {...{ rootPath, path }} go={leads.enter} />
        <span class="grow" />
        <Chips names={BY} chosen={by} choose={(name) => setBy(name)} />
      </figcaption>
      <div class="treemap" ref={ref}>
        {node === null ? (
          <p class="quiet">{why}</p>
        ) : (
          <Areas {...{ node, by, within: { x: 0, y: 0, ...size }, isInner: false, ...leads }} />
        )}
      </div>
      <p class="quiet legend">Coloured: directories whose entries the map shows. Tokens are estimates (≈).</p>
    </figure>
  );
}

type AreasProps = Leads & { node: TreemapNode; by: keyof Count; within: Rectangle; isInner: boolean };

/** The areas of a directory's children; in each there are those of its own, if there is room. */
function Areas({ node: parent, by, within, isInner, ...leads }: AreasProps) {
  const nodes = [...parent.children].sort((a, b) => b[by] - a[by]);
  const sizes = nodes.map((node) => node[by]);
  const places = squarify(sizes, within);
  return nodes.map((node, index) => {
    const { label, path } = node;
    const at = places[index] as Rectangle;
    const style = { left: `${at.x}px`, top: `${at.y}px`, width: `${at.width}px`, height: `${at.height}px` };
    const about = `: ${plural(node.files, 'file')}, ≈ ${grouped(node.tokens)} tokens`;
    const kind = path === null ? 'rest' : leads.isOpen(path) ? 'opened' : 'closed';
    const isLabelled = at.width > 34 && at.height > 16;
    const inner = { x: 2, y: TITLE, width: at.width - 4, height: at.height - TITLE - 2 };
    const name = (
      <>
        <span class={isLabelled ? '' : 'unseen-text'}>{label}</span>
        <span class="unseen-text">{about}</span>
        <span class="area-size" aria-hidden="true">
          {isLabelled && at.width > 90 ? short(node[by]) : ''}
        </span>
      </>
    );
    // A part that stands for several entries leads to its directory in Explore, which shows them all.
    const go = () => (path === null ? leads.explore(parent.path ?? '') : leads.enter(path));
    return (
      <div key={label} class={`area ${kind}${isInner ? ' inner' : ''}`} style={style} title={`${label}${about}`}>
        {Math.min(at.width, at.height) < LEAST_TARGET ? (
          <span class="area-name">{name}</span>
        ) : (
          <Button text={name} press={go} class="area-name" />
        )}
        {!isInner && inner.width > 30 && inner.height > 18 ? (
          <Areas {...{ node, by, within: inner, isInner: true, ...leads }} />
        ) : null}
      </div>
    );
  });
}

/** Links to the directories from the root to the one that is shown. */
function Crumbs({ rootPath, path, go }: { rootPath: string; path: string; go(path: string): void }) {
  const names = path.slice(rootPath.length).split('/').filter(Boolean);
  const base = rootPath.replace(/\/$/, '');
  return (
    <nav aria-label="Shown directory" class="crumbs">
      <Button text={base.slice(base.lastIndexOf('/') + 1) || '/'} press={() => go(rootPath)} class="link" />
      {names.map((name, at) => (
        <span key={at}>
          {' / '}
          <Button text={name} press={() => go(`${base}/${names.slice(0, at + 1).join('/')}`)} class="link" />
        </span>
      ))}
    </nav>
  );
}
