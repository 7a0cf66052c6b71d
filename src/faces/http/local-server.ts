/** What the servers for this machine share: MCP on HTTP, and the page's. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the port, 0 being any. Throws an Error whose message begins with `failure`. */
export function listenLocally(server: Server, port: number, failure: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) => reject(new Error(`${failure} on port ${port}: ${message}`)));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Null for a body of more than `most` bytes, of which the rest is not read. */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
