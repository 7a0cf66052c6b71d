/** Shows one of several texts, with a button that copies it. */
import { useState } from 'preact/hooks';
import type { CallForm } from './call-forms.ts';

export function CopyForms({ forms }: { forms: readonly CallForm[] }) {
  const [chosen, setChosen] = useState(0);
  const [copied, setCopied] = useState('');
  const text = forms[chosen]?.text ?? '';
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(''),
    );
  };
  return (
    <details class="forms">
      <summary>The same call elsewhere</summary>
      <div class="toolbar small">
        {forms.map(({ name }, at) => (
          <button
            key={name}
            type="button"
            class={at === chosen ? 'chip chosen' : 'chip'}
            aria-pressed={at === chosen}
            onClick={() => setChosen(at)}
          >
            {name}
          </button>
        ))}
        <span class="grow" />
        <button type="button" onClick={copy}>
          {copied === text ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre class="code">{text}</pre>
    </details>
  );
}
