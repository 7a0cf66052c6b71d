// Reads a value that may be hostile (a getter that throws, a proxy) and collects what is wrong with it.
import { type Fields, isFields, messageOf } from './plain.ts';

/** One broken rule: its id, where it is broken, and what would be right. */
export interface Violation {
  rule: string;
  path: string;
  message: string;
}

export class Reader {
  readonly violations: Violation[] = [];

  report(rule: string, path: string, message: string): void {
    this.violations.push({ rule, path, message });
  }

  expect(holds: boolean, rule: string, path: string, message: string): void {
    if (!holds) this.report(rule, path, message);
  }

  /** Returns the object's own fields, each read once. Reports `rule` when it is not an object. */
  fields(value: unknown, rule: string, path: string, message: string): Fields | null {
    return this.attempt(path, null, () => {
      if (!isFields(value)) {
        this.report(rule, path, message);
        return null;
      }
      const read = (key: string) => this.attempt(path === '' ? key : `${path}.${key}`, null, () => value[key]);
      return Object.fromEntries(Object.keys(value).map((key) => [key, read(key)]));
    });
  }

  /** Returns the items of an array. Reports `rule` when it is not an array. */
  items(value: unknown, rule: string, path: string, message: string): unknown[] {
    return this.attempt(path, [], () => {
      if (Array.isArray(value)) return Array.from(value);
      this.report(rule, path, message);
      return [];
    });
  }

  /** Returns what `read` returns. Reports, and returns `otherwise`, when it throws. */
  attempt<T>(path: string, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.report('envelope.unreadable', path, `Cannot be read: ${messageOf(error)}`);
      return otherwise;
    }
  }
}
