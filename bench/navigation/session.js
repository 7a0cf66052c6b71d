// What a session costs a reader: the tokens of all answers until it has seen every file that it looks for, and a price
// for each call, because each is a turn of the model.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens. */
const PRICE_OF_CALL = 500;

/** A reader that needs more for one target is lost. */
const MAX_CALLS = 2000;

/** `{ tokens, calls, cost, lost }` for each session. */
export async function costsOf(sessions, reader, root, ask) {
  const costs = [];
  for (const targets of sessions) {
    const session = reader.begin(root);
    let [tokens, calls, lost] = [0, 0, 0];
    for (const target of targets) {
      const most = calls + MAX_CALLS;
      while (!session.known.has(target) && calls < most) {
        const params = session.toward(target);
        const answered = await ask(params);
        tokens += answered.tokens;
        calls++;
        session.see(params, answered.answer);
      }
      if (!session.known.has(target)) lost++;
    }
    costs.push({ tokens, calls, cost: tokens + PRICE_OF_CALL * calls, lost });
  }
  return costs;
}

export function summaryOf(costs) {
  const tokens = costs.map((cost) => cost.tokens).sort((a, b) => a - b);
  const mean = (key) => costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
  return {
    cost: mean('cost'),
    tokens: mean('tokens'),
    p90: tokens[Math.floor(tokens.length * 0.9)],
    calls: mean('calls'),
    lost: costs.reduce((sum, { lost }) => sum + lost, 0),
  };
}

/** Asks through the library. The same call always has the same answer. */
export function asker(dialect, { dialects }, workspace) {
  const tool = dialect === 'Tree' ? dialects.standard.tools[1] : dialects[dialect];
  const known = new Map();
  return async (params) => {
    const key = JSON.stringify(params);
    if (!known.has(key)) {
      const { answer, text } = await tool.call(params, workspace, {});
      known.set(key, { answer, tokens: tokensOf(text) });
    }
    return known.get(key);
  };
}

export function tokensOf(text) {
  return encode(text, { disallowedSpecial: new Set() }).length;
}
