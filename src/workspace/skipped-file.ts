/** Bytes of a file that holds rules. Fifty thousand rules take less. */
export const LARGEST_RULE_FILE = 1024 * 1024;

/** A file that is there, and is not read. */
export class SkippedFile {
  /** Completes "'.gitignore' …". */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }

  static readonly link = new SkippedFile('is a link');
  static readonly notPlain = new SkippedFile('is not a plain file');
  static readonly unreadable = new SkippedFile('cannot be read');

  static largerThan(bytes: number): SkippedFile {
    const size = bytes < LARGEST_RULE_FILE ? `${bytes} bytes` : `${bytes / LARGEST_RULE_FILE} MB`;
    return new SkippedFile(`is larger than ${size}`);
  }
}
