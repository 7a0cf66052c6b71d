/** Converts between Node's HTTP server and the web's `Request` and `Response`, which the SDK uses. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

export async function readBody(request: IncomingMessage, largest: number): Promise<Buffer | 'too large'> {
  const parts: Buffer[] = [];
  let length = 0;
  if (Number(request.headers['content-length'] ?? 0) > largest) return 'too large';
  for await (const part of request) {
    length += part.length;
    if (length > largest) return 'too large';
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The request without its body, which is passed on separately. */
export function webRequest({ method = 'GET', url, rawHeaders }: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  }
  return new Request(new URL(url ?? '/', 'http://127.0.0.1'), { method, headers, signal });
}

export async function send(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body !== null) {
    for await (const chunk of from.body) {
      if (to.destroyed) break;
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    }
  }
  to.end();
}
