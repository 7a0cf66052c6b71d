/** A map as the model reads it, with new parts marked. */
import { Button } from './controls.tsx';
import { type MapWord, mapLines } from './map-changes.ts';

/** The most lines to show. A map has at most 40,000 characters. */
const MAX_LINES = 2000;

/** `open` is called for a closed directory or a fold. Without this function, they are plain text. */
export function MapText(props: { text: string; before: string | null; open?: (path: string) => void }) {
  const { text, before, open } = props;
  const lines = mapLines(text, before).slice(0, MAX_LINES);
  const draw = ({ text: name, kind, isNew }: MapWord, directory: string | null) => {
    const look = `word-${kind}${isNew ? ' new' : ''}`;
    const isClosed = kind === 'closed' || kind === 'fold';
    // A path with quoted names cannot be made by joining them.
    const isPlain = directory !== null && !name.startsWith('"');
    if (open === undefined || !isClosed || !isPlain) return <span class={look}>{name}</span>;
    return <Button text={name} press={() => open(`${directory}${name}`)} class={`link ${look}`} />;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keys
    <section class="map-text" tabIndex={0} aria-label="The map as the model reads it">
      {lines.map(({ indent, words, isNew, directory }, at) => (
        <div key={at} class={isNew ? 'map-line new' : 'map-line'}>
          {indent}
          {words.map((word, position) => (
            <span key={position}>{draw(word, directory)} </span>
          ))}
        </div>
      ))}
    </section>
  );
}
