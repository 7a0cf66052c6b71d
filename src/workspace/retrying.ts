import type { Budget } from './budget.ts';
import { loading } from './steps.ts';

/**
 * Calls `ask` until everything that it needs is loaded, and waits no longer than the budget allows. If nothing has to
 * be loaded, it returns the answer directly, not a promise.
 *
 * `ask` starts from the beginning each time, so it must not change anything before its last query.
 */
export function retrying<T>(ask: () => T | Promise<T>, budget: Budget): T | Promise<T> {
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch((error) => askAgain(error, ask, budget)) : answer;
  } catch (error) {
    return askAgain(error, ask, budget);
  }
}

function askAgain<T>(error: unknown, ask: () => T | Promise<T>, budget: Budget): Promise<T> {
  return budget.waitFor(loading(error)).then(() => retrying(ask, budget));
}
