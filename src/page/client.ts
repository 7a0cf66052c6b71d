/** Sends requests to the server. The token comes in the address, and stays in this tab. */

const KEY = 'agent-ls-token';

/** Thrown if the server refuses a request. The message is the reason. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Removes the token from the address, so that nobody copies it with the address. */
export async function takeToken(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1));
  const ticket = given.get('ticket');
  const token =
    given.get('token') ?? (ticket === null ? null : (await post<{ token: string }>('ticket', { ticket })).token);
  if (token === null) return;
  sessionStorage.setItem(KEY, token);
  history.replaceState(null, '', '/');
}

export async function post<Answer>(name: string, body: object, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${sessionStorage.getItem(KEY) ?? 'none'}`,
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error, response.status);
  return answer;
}
