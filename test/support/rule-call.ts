/** A call that rules are bound for: it never ends, may read anything, and keeps what it is told. */
import type { RuleCall } from '../../src/rules/rule.ts';

export function ruleCall(): RuleCall & { readonly notes: string[]; pauses: number } {
  const notes: string[] = [];
  return {
    steps: 0,
    pauses: 0,
    notes,
    async pause() {
      this.pauses++;
    },
    mayRead: () => true,
    note: (text) => notes.push(text),
  };
}
