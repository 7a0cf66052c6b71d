/** The palette: goes to any path, whether or not it exists, and to the files that words mean. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../faces/view/api.ts';
import { absolutePath, plain, useRequest, useSettled } from './hooks.ts';

/** Milliseconds for which the text must be still before files are sought. */
const SETTLED = 120;

interface PaletteProps {
  readonly root: number;
  readonly rootPath: string;
  show(path: string): void;
}

export function Palette({ root, rootPath, show }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
      const isSlash = event.key === '/' && !isTyping;
      if (!isSlash && !((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p')) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <>
      <button type="button" class="seek" onClick={() => setOpen(true)}>
        Go to … <kbd>/</kbd>
      </button>
      <dialog ref={dialog} class="palette" aria-label="Go to a path" onClose={() => setOpen(false)}>
        {isOpen ? (
          <Search
            {...{ root, rootPath }}
            choose={(path) => {
              dialog.current?.close();
              show(path);
            }}
          />
        ) : null}
      </dialog>
    </>
  );
}

interface FoundData {
  readonly data?: { readonly entries?: readonly { readonly path: string; readonly type: string }[] };
}

interface SearchProps extends Omit<PaletteProps, 'show'> {
  choose(path: string): void;
}

function Search({ root, rootPath, choose }: SearchProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const query = useSettled(text, SETTLED);
  const params = { query, limit: 30 };
  const body = query.trim() === '' ? null : { root, dialect: 'standard', tool: 'Find', params };
  const { answer, isLoading } = useRequest<CallAnswer>('call', body);
  const found = text === '' ? [] : (((answer?.answer ?? {}) as FoundData).data?.entries ?? []);
  const options = text.trim() === '' ? [] : [text, ...found.map(({ path }) => absolutePath(rootPath, path))];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active];
    if (step !== undefined) setActive(Math.max(0, Math.min(options.length - 1, active + step)));
    else if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
    else return;
    event.preventDefault();
  };
  useEffect(() => document.getElementById(`found-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="A path, or words"
        aria-expanded={options.length > 0}
        aria-controls="found"
        aria-activedescendant={options.length > 0 ? `found-${active}` : undefined}
        placeholder="A path, or words such as: http retry test"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class={isLoading ? 'found busy' : 'found'} id="found" role="listbox" aria-label="Where to go">
        {options.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys for all options
          <div
            key={at}
            id={`found-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            class={at === active ? 'active' : ''}
            onClick={() => choose(option)}
          >
            {at === 0 ? <span class="quiet">Go to the path </span> : null}
            <code>{at === 0 ? option : plain(found[at - 1]?.path ?? '')}</code>
          </div>
        ))}
      </div>
      <p class="quiet legend">
        {answer !== null && !isLoading && found.length === 0 ? 'Find knows no file by these words. ' : ''}A path that
        does not exist is explained, too.
      </p>
    </>
  );
}
