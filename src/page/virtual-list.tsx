/**
 * A list of any length. Only the visible rows are in the page. Browsers limit the height of an element, so a very long
 * list scrolls in larger steps.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSize } from './hooks.ts';

/** In pixels. The limit of Firefox is 17.8 million. */
const TALLEST = 15_000_000;

/** Extra rows above and below the visible ones. */
const SPARE = 6;

export interface ListRow {
  readonly key: string;
  readonly className: string;
  readonly content: ComponentChildren;
  readonly about?: Readonly<Record<string, unknown>>;
}

interface VirtualListProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly active: number;
  /** False if the active row is only where keys go on from. */
  readonly isSelected?: boolean;
  readonly role: 'tree' | 'listbox';
  readonly label: string;
  /** True while the rows are being replaced. */
  readonly isBusy?: boolean;
  /** True if the active row has to be in sight, even if the list was scrolled away from it. */
  readonly isFollowing?: boolean;
  row(index: number): ListRow;
  select(index: number): void;
  onScrollUp?(): void;
  /** Takes the keys that do not move; returns true for one that it knows. */
  onKey?(key: string): boolean;
}

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, active, isSelected = true, role, label, isBusy = false, row, select, onKey } = props;
  const [ref, { height }] = useSize<HTMLDivElement>();
  const [scrolled, setScrolled] = useState(0);
  /** Where the list has scrolled to by itself. */
  const own = useRef(0);
  const whole = count * rowHeight;
  const content = Math.min(whole, TALLEST);
  const factor = content > height && whole > content ? (whole - height) / (content - height) : 1;
  const inSight = Math.max(1, Math.floor(height / rowHeight));
  const keys = { ArrowDown: 1, ArrowUp: -1, PageDown: inSight, PageUp: -inSight, Home: -count, End: count };
  const steps: Readonly<Record<string, number>> = keys;
  const top = scrolled * factor;
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + SPARE);

  // Some dependencies are left out on purpose: only a move of the active row scrolls to it.
  useEffect(() => {
    const element = ref.current;
    if (element === null || height === 0) return;
    const start = element.scrollTop * factor;
    const at = active * rowHeight;
    if (at < start) element.scrollTop = at / factor;
    else if (at + rowHeight > start + height) element.scrollTop = (at + rowHeight - height) / factor;
    own.current = element.scrollTop;
  }, [active, height, props.isFollowing ?? false]);

  const rows: ComponentChildren[] = [];
  for (let index = first; index < last; index++) {
    const style = { transform: `translateY(${index * rowHeight - top + scrolled}px)`, height: `${rowHeight}px` };
    const { key, className, content: inside, about } = row(index);
    const named = { id: `${role}-${index}`, role: role === 'tree' ? 'treeitem' : 'option', tabIndex: -1 } as const;
    rows.push(
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys for all of its rows
      // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles
      <div
        class={`row ${className}${isSelected && index === active ? ' active' : ''}`}
        {...{ key, style, ...named, 'aria-selected': isSelected && index === active, ...about }}
        onClick={() => select(index)}
      >
        {inside}
      </div>,
    );
  }
  const about = { role, tabIndex: 0, 'aria-label': label, 'aria-activedescendant': `${role}-${active}` };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles that take the focus
    <div
      ref={ref}
      class={isBusy ? 'list busy' : 'list'}
      {...about}
      onScroll={({ currentTarget: { scrollTop, scrollHeight } }) => {
        // A list that became shorter is at its end, and was not scrolled by anybody.
        const isAtEnd = scrollTop + height >= scrollHeight - 1;
        if (scrollTop < scrolled && scrollTop !== own.current && !isAtEnd) props.onScrollUp?.();
        setScrolled(scrollTop);
      }}
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (step !== undefined) select(Math.max(0, Math.min(count - 1, active + step)));
        else if (onKey?.(event.key) !== true) return;
        event.preventDefault();
      }}
    >
      <div class="list-content" role="presentation" style={{ height: `${content}px` }}>
        {rows}
      </div>
    </div>
  );
}
