/**
 * The model's part in a conversation, played from a script on 127.0.0.1: it makes the calls that the script says, one at a
 * time, and records what the client announced and what it sent back.
 */
import { createServer } from 'node:http';

/**
 * @typedef {{ name: string, text: string, description: string }} Announced `text` is the declaration as the model gets it.
 * @typedef {{ text: string, isError: boolean | null }} Result Null where the API has no such mark.
 * @typedef {{ tool: string, input?: object, before?: () => unknown, during?: () => unknown }} Step
 * @typedef {{ first: Seen, announced: Announced[], results: Result[], system: string }} Seen `first` is the first request.
 */

/** Plays one conversation. `api` reads requests and writes responses in the form of one vendor. */
export async function startModel(api, steps) {
  /** @type {Seen} */
  const seen = { first: null, announced: [], results: [], system: '' };
  const left = [...steps];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const path = request.url.replace(/\?.*/, '');
    const body = parsed(text);
    if (!api.isTurn(path, body)) return api.aside(path, body, response);
    const turn = api.read(body);
    if (turn.announced.length > 0) seen.announced = turn.announced;
    if (turn.system !== '') seen.system = turn.system;
    if (turn.isMain) seen.first ??= turn;
    seen.results = turn.results;
    const step = turn.isMain ? left.shift() : undefined;
    await step?.before?.();
    api.write(response, body, step === undefined ? null : { name: step.tool, input: step.input ?? {} });
    step?.during?.();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (event.type !== undefined) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

export function sendJson(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
