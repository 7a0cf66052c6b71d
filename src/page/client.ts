/**
 * Sends requests to the server. The token comes in the address, and stays in this tab. All requests only read, so one
 * that got no answer is sent again until it gets one; meanwhile `useConnection` says what is wrong.
 */
import { useEffect, useState } from 'preact/hooks';

const KEY = 'agent-ls-token';

/** Milliseconds to wait before a request is sent again. */
const PAUSE = 1500;

interface Connection {
  /** Null while it answers. */
  readonly problem: string | null;
  /** When it last answered. */
  readonly answered: Date | null;
  /** Grows when views have to ask anew: the server answers again, or a root is back. */
  readonly round: number;
}

let connection: Connection = { problem: null, answered: null, round: 0 };
const listeners = new Set<(connection: Connection) => void>();

function setProblem(problem: string | null): void {
  const { problem: before, answered } = connection;
  connection = { ...connection, problem, answered: problem === null ? new Date() : answered };
  if (problem === null && before !== null) askAnew();
  else if (problem !== before) for (const listener of listeners) listener(connection);
}

/** Makes every view ask for what it shows. */
export function askAnew(): void {
  connection = { ...connection, round: connection.round + 1 };
  for (const listener of listeners) listener(connection);
}

export function useConnection(): Connection {
  const [current, setCurrent] = useState(connection);
  useEffect(() => {
    listeners.add(setCurrent);
    setCurrent(connection);
    return () => void listeners.delete(setCurrent);
  }, []);
  return current;
}

/** Takes the token out of the address, so that nobody copies it with the address. Returns false if there is none. */
export async function takeToken(): Promise<boolean> {
  const given = new URLSearchParams(location.hash.slice(1));
  const ticket = given.get('ticket');
  const token = given.get('token');
  if (token === null && ticket === null) return false;
  history.replaceState(null, '', '/');
  // A ticket that was used before is answered without a token, so the next request is refused.
  const taken = token ?? (await (await send('ticket', { ticket })).json()).token ?? 'none';
  sessionStorage.setItem(KEY, taken);
  return true;
}

const NO_ANSWER = 'agent-ls does not answer. Is it still running?';
const ANOTHER = 'This agent-ls has ended, and another one answers here. Open the address that it printed.';

/** Returns the answer, or throws an Error with the reason of a refusal. */
export async function post<Answer>(name: string, body: object, signal?: AbortSignal): Promise<Answer> {
  for (; ; await new Promise((resolve) => setTimeout(resolve, PAUSE))) {
    signal?.throwIfAborted();
    try {
      const response = await send(name, body, signal);
      const answer = await response.json();
      if (response.status !== 401) {
        setProblem(null);
        if (response.ok) return answer;
        throw new Refused(answer.error);
      }
      setProblem(connection.answered === null ? answer.error : ANOTHER);
    } catch (error) {
      if (error instanceof Refused || signal?.aborted) throw error;
      setProblem(NO_ANSWER);
    }
  }
}

class Refused extends Error {}

function send(name: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sessionStorage.getItem(KEY) ?? 'none'}` },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}
