/** The details of the entry that is selected in Explore, with the rules that decide about it. */
import { useState } from 'preact/hooks';
import type { CallAnswer, Count, Explained, Place, Rule, RuleLines, ToolInfo } from '../faces/view/api.ts';
import { Badge, Button, Facts, Name } from './controls.tsx';
import { grouped, useRequest } from './hooks.ts';

const TYPES = { file: 'File', dir: 'Directory', link: 'Link', other: 'Special file' } as const;

interface EntryDetailProps {
  readonly root: number;
  readonly tool: ToolInfo;
  readonly entry: Pick<Place, 'label' | 'path' | 'type'> | undefined;
  readonly total: number | null | undefined;
  readonly count: Count | null | undefined;
  readonly notes: readonly string[];
  ask(path: string): void;
}

export function EntryDetail({ root, tool, entry, total, count, notes, ask }: EntryDetailProps) {
  const body = entry === undefined ? null : { root, path: entry.path };
  const { answer, isLoading } = useRequest<Explained>('explain', body);
  const cost = useCost(root, tool, entry);
  if (entry === undefined) return <p class="quiet">Select an entry to see what each tool does with it, and why.</p>;
  const facts = [
    ...(entry.type === null ? [] : [['Kind', TYPES[entry.type]] as const]),
    ...(typeof total === 'number' ? [['Entries', grouped(total)] as const] : []),
    ...(count ? [['Files below', grouped(count.files)] as const] : []),
    ...(count ? [['Tokens of a complete map', `≈ ${grouped(count.tokens)}`] as const] : []),
    ...(cost === null ? [] : [[`Tokens of ${tool.name} here`, grouped(cost)] as const]),
  ];
  return (
    <>
      <h2 class="entry-name">
        <Name text={entry.label} />
      </h2>
      <p class="quiet path">{isLoading ? ' ' : answer?.label}</p>
      {entry.type === null ? (
        <p>Nothing is there. A {/[\\/]$/.test(entry.path) ? 'directory' : 'file'} of that name would be:</p>
      ) : (
        <dl class="facts">
          <Facts rows={facts} />
        </dl>
      )}
      <h3>What each tool does with it</h3>
      <table class={isLoading ? 'verdicts busy' : 'verdicts'} aria-busy={isLoading}>
        <tbody>
          {answer?.verdicts.map(({ dialect, tool: name, hidden, rule }) => (
            <tr key={`${dialect} ${name}`}>
              <th scope="row">
                {name} <span class="quiet">{dialect}</span>
              </th>
              <td>
                <Badge isOn={!hidden} on="shown" off="hidden" />
              </td>
              <td>{rule === null ? <span class="quiet">no rule matches</span> : <RuleText {...{ root, rule }} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entry.type === 'dir' ? (
        <p>
          <Button text="Ask about this directory" press={() => ask(entry.path)} />
        </p>
      ) : null}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}

/** Returns the tokens of the tool's answer about a directory; null if it has none, or until it is known. */
function useCost(root: number, { dialect, name, pathParameter }: ToolInfo, entry: EntryDetailProps['entry']) {
  const takesDirectory = entry?.type === 'dir' && name !== 'Find';
  const params = { [pathParameter]: entry?.path };
  const body = takesDirectory ? { root, dialect, tool: name, params } : null;
  const { answer, isLoading } = useRequest<CallAnswer>('call', body);
  return answer === null || answer.isError || isLoading ? null : answer.tokens;
}

/** Any other kind of rule is named by its own word. */
const RULE_NAMES: Readonly<Record<string, string>> = { argument: 'pattern of the call', builtin: 'built-in name' };

export const ruleText = ({ by, pattern }: Rule): string => `${RULE_NAMES[by] ?? by} ${pattern}`;

/** The rule's file and line are a button that shows the lines around it. */
function RuleText({ root, rule }: { root: number; rule: Rule }) {
  const [isOpen, setOpen] = useState(false);
  const { source, line } = rule;
  return (
    <span class="rule">
      <span class="quiet">
        {rule.isTracked ? 'git tracks it, though ' : ''}
        {RULE_NAMES[rule.by] ?? rule.by}
      </span>{' '}
      <code>{rule.pattern}</code>
      {source === null ? null : (
        <>
          {' '}
          <Button text={`${source}:${line}`} press={() => setOpen(!isOpen)} class="link" aria-expanded={isOpen} />
          {isOpen ? <Lines {...{ root, source }} line={line ?? 1} /> : null}
        </>
      )}
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
