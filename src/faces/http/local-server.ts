/** Shared by the servers for this machine: MCP over HTTP, and the server of the page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the port; `port` 0 picks any free one. Throws an Error whose message begins with `failure`. */
export function listenLocally(server: Server, port: number, failure: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) => reject(new Error(`${failure} on port ${port}: ${message}`)));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Returns null for a body of more than `most` bytes, and stops reading. `onPart` learns how many have arrived. */
export async function readBody(request: IncomingMessage, most: number, onPart?: (length: number) => void) {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > most) return null;
    parts.push(part);
    onPart?.(length);
  }
  return Buffer.concat(parts);
}

/** Returns a function that tests if a text is the secret, in constant time. */
export function secretChecker(secret: string): (given: string) => boolean {
  // Digests have equal length, so the duration of a comparison reveals nothing.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (given) => timingSafeEqual(digest(given), expected);
}
