import { expect, it } from 'vitest';
import type { Level } from '../../src/listing/walk.ts';
import { Chooser } from '../../src/overview/choose.ts';
import { Survey } from '../../src/overview/survey.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';

/** What a walk tells of a directory. */
function tell(survey: Survey, path: string, names: string[], type: 'dir' | 'file'): void {
  const all = names.map(bytesOf);
  const level = { path: bytesOf(path), names: all, types: new Map(all.map((name) => [name, type])) };
  survey.take(level as unknown as Level, 0, names.length);
}

it('lets others have a turn after each directory that it opens, however large', () => {
  const survey = new Survey();
  for (const name of ['a', 'b', 'c']) {
    tell(survey, '', [name], 'dir');
    tell(survey, name, ['one', 'two'], 'file');
  }
  Array.from(survey.finish([]));
  const chooser = new Chooser(survey.root, 1000, null);
  const opened = () => [...chooser.root.all()].length - 1;
  const seen = new Set<number>();
  for (const _ of chooser.run()) seen.add(opened());
  expect([...seen]).toEqual([0, 1, 2, 3]);
});
