/** Shows a rule, and the lines around it in its file. */
import { useState } from 'preact/hooks';
import type { Rule, RuleLines } from '../faces/view/api.ts';
import { useRequest } from './hooks.ts';

const RULE_NAMES: Readonly<Record<string, string>> = {
  argument: 'pattern of the call',
  gemini: 'gemini',
  git: 'git',
  builtin: 'built-in name',
  dotfile: 'dotfile',
  worktree: 'worktree',
};

/** Returns a text such as `git dist/`. */
export function ruleText({ by, pattern }: Rule): string {
  return `${RULE_NAMES[by] ?? by} ${pattern}`;
}

/** The rule's file and line are a button that shows the lines around it. */
export function RuleText({ root, rule }: { root: number; rule: Rule }) {
  const [isOpen, setOpen] = useState(false);
  const place = rule.source === null ? null : `${rule.source}:${rule.line}`;
  return (
    <span class="rule">
      <span class="quiet">
        {rule.isTracked ? 'git tracks it, though ' : ''}
        {RULE_NAMES[rule.by] ?? rule.by}
      </span>{' '}
      <code>{rule.pattern}</code>
      {place === null ? null : (
        <>
          {' '}
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {place}
          </button>
        </>
      )}
      {isOpen && rule.source !== null ? <Lines root={root} source={rule.source} line={rule.line ?? 1} /> : null}
    </span>
  );
}

function Lines({ root, source, line }: { root: number; source: string; line: number }) {
  const { answer, problem } = useRequest<RuleLines>('rule', { root, source, line });
  const reason = problem ?? answer?.problem ?? null;
  if (reason !== null) return <p class="quiet">{reason}</p>;
  return (
    <ol class="lines" start={answer?.lines[0]?.number ?? 1} aria-label={`Lines of ${source}`}>
      {answer?.lines.map(({ number, text }) => (
        <li key={number} value={number} class={number === line ? 'mark' : ''} aria-current={number === line}>
          <code>{text || ' '}</code>
        </li>
      ))}
    </ol>
  );
}
