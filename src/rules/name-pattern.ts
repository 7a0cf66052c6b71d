import type { Bytes } from '../workspace/bytes.ts';
import type { Effort } from './rule.ts';
export interface NamePattern {
  matches(name: Bytes, path: Bytes, effort: Effort): boolean;
}
export async function compileNamePattern(pattern: string): Promise<NamePattern> {
  throw new Error(pattern);
}
