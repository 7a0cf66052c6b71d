/** A proxy before a real server, on which a connection can be cut, held up or answered with something else. */
import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What it does to what the server says. */
export type Fault =
  | 'none'
  /** Connections end after so many bytes of the server, all of them together, and so does every new one. */
  | { readonly cutAfter: number }
  /** After so many bytes nothing more comes, and nothing ends. */
  | { readonly silentAfter: number }
  /** After so many bytes others come. */
  | { readonly garbageAfter: number }
  /** Each piece comes so many milliseconds late. */
  | { readonly delay: number };

export class FaultyProxy {
  #fault: Fault = 'none';
  #passed = 0;
  /** Requests of HTTP that were seen. */
  requests = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#server = createServer((client) => this.#connect(client, connect(target, '127.0.0.1')));
  }

  static async before(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** From now on. */
  set fault(fault: Fault) {
    this.#fault = fault;
    this.#passed = 0;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #connect(client: Socket, server: Socket): void {
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (/^(?:GET|HEAD|PUT) \//.test(bytes.toString('latin1', 0, 6))) this.requests++;
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      const fault = this.#fault;
      const before = this.#passed;
      this.#passed += bytes.length;
      if (fault === 'none') client.write(bytes);
      else if ('delay' in fault) setTimeout(() => client.write(bytes), fault.delay);
      else {
        const limit = Object.values(fault)[0] as number;
        client.write(bytes.subarray(0, Math.max(0, limit - before)));
        if (this.#passed <= limit) return;
        if ('cutAfter' in fault) client.destroy();
        if ('garbageAfter' in fault) client.write(randomBytes(bytes.length));
      }
    });
  }
}
