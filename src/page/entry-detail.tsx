/** The details of the entry that is selected in Explore. */
import type { Count, Explained, LevelEntry } from '../faces/view/api.ts';
import { Badge, Facts } from './controls.tsx';
import { grouped, useRequest } from './hooks.ts';
import { RuleText } from './rule.tsx';

const TYPES = { file: 'File', dir: 'Directory', link: 'Link', other: 'Special file' } as const;

interface EntryDetailProps {
  readonly root: number;
  readonly entry: LevelEntry | undefined;
  readonly total: number | null | undefined;
  readonly count: Count | null | undefined;
  readonly notes: readonly string[];
  ask(path: string): void;
}

export function EntryDetail({ root, entry, total, count, notes, ask }: EntryDetailProps) {
  const { answer } = useRequest<Explained>('explain', entry === undefined ? null : { root, path: entry.path });
  if (entry === undefined) return <p class="quiet">Select an entry to see what each tool does with it, and why.</p>;
  const facts = [
    ['Kind', TYPES[entry.type]] as const,
    ...(typeof total === 'number' ? [['Entries', grouped(total)] as const] : []),
    ...(count ? [['Files below', grouped(count.files)] as const] : []),
    ...(count ? [['Tokens of a whole map', grouped(count.tokens)] as const] : []),
  ];
  return (
    <>
      <h2 class="entry-name">{entry.label}</h2>
      <p class="quiet path">{answer?.label ?? ' '}</p>
      <dl class="facts">
        <Facts rows={facts} />
      </dl>
      <h3>What each tool does with it</h3>
      <table class="verdicts">
        <tbody>
          {answer?.verdicts.map(({ dialect, tool, hidden, rule }) => (
            <tr key={`${dialect} ${tool}`}>
              <th scope="row">
                {dialect} {tool}
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
          <button type="button" onClick={() => ask(entry.path)}>
            Ask about this directory
          </button>
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
