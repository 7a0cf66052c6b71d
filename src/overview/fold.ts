/** A fold: neighbours in one directory whose names start alike, which a map writes as one word. */
import type { Bytes } from '../names/bytes.ts';
import type { FoldName } from './dense-name.ts';

export class Fold implements FoldName {
  readonly ofFolders: boolean;
  readonly prefix: Bytes;
  readonly range: FoldName['range'];
  /** The files in it, including those below its directories. */
  readonly files: number;

  constructor({ ofFolders, prefix, range }: FoldName, files: number) {
    this.ofFolders = ofFolders;
    this.prefix = prefix;
    this.range = range;
    this.files = files;
  }
}
