/** The palette: goes to any path, whether or not it exists, and to the files that words mean. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../faces/view/api.ts';
import { Button, textField } from './controls.tsx';
import { absolutePath, plain, useRequest, useSettled } from './hooks.ts';

/** Milliseconds for which the text must be still before files are sought. */
const SETTLED = 120;

export function Palette(props: { root: number; rootPath: string; show(path: string): void }) {
  const { root, rootPath, show } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [moved, setMoved] = useState<number | null>(null);
  const query = useSettled(text.trim(), SETTLED);
  const body = query === '' ? null : { root, dialect: 'standard', tool: 'Find', params: { query, limit: 30 } };
  const { answer, isLoading } = useRequest<CallAnswer>('call', body);
  const { data } = (answer?.answer ?? {}) as { data?: { entries?: readonly { path: string }[] } };
  const found = text === '' ? [] : (data?.entries ?? []);
  const options = text.trim() === '' ? [] : [text, ...found.map(({ path }) => absolutePath(rootPath, path))];
  // Words lead to the best file, anything else to the path.
  const active = moved ?? (/\S\s+\S/.test(text) && found.length > 0 && !isLoading ? 1 : 0);

  const type = (to: string) => {
    setText(to);
    setMoved(null);
  };
  const open = () => {
    type('');
    dialog.current?.showModal();
  };
  const choose = (path: string) => {
    dialog.current?.close();
    show(path);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
      const isMeant = (event.key === '/' && !isTyping) || ((event.ctrlKey || event.metaKey) && /^p$/i.test(event.key));
      if (!isMeant || dialog.current?.open) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => document.getElementById(`found-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);

  return (
    <>
      <Button text={['Go to … ', <kbd key="key">/</kbd>]} press={open} class="seek" />
      <dialog ref={dialog} class="palette" aria-label="Go to a path">
        <input
          {...textField(text, type)}
          role="combobox"
          {...{ 'aria-label': 'A path, or words', 'aria-controls': 'found' }}
          aria-expanded={options.length > 0}
          aria-activedescendant={options.length > 0 ? `found-${active}` : undefined}
          placeholder="A path, or words such as: http retry test"
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            const chosen = options[active];
            if (step !== undefined) setMoved(Math.max(0, Math.min(options.length - 1, active + step)));
            else if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
            else return;
            event.preventDefault();
          }}
        />
        <div class={isLoading ? 'found busy' : 'found'} id="found" role="listbox" aria-label="Where to go">
          {options.map((option, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys for all options
            <div
              key={at}
              {...{ id: `found-${at}`, class: at === active ? 'active' : '' }}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
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
      </dialog>
    </>
  );
}
