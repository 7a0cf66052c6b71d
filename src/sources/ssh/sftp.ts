/**
 * An SFTP session over an SSH channel. Requests are sent without waiting, and answered in any order. Only a request
 * that depends on the answer to another costs a further round trip.
 */
import type { Duplex } from 'node:stream';
import type { Bytes } from '../../names/bytes.ts';
import { now } from '../../workspace/clock.ts';
import { codedError } from '../../workspace/listing-error.ts';
import {
  type Attributes,
  FOR_READING,
  garbage,
  LONGEST_PACKET,
  type NamedAttributes,
  PACKET,
  PacketReader,
  packet,
  range,
  VERSION,
} from './sftp-packets.ts';

interface Answer {
  readonly type: number;
  readonly content: PacketReader;
}

/** The id used for the first answer, which has none: it has the version in that place. */
const GREETING = -1;

/** Bytes of a file per request: the most that every server supports. */
const CHUNK = 32 * 1024;

export class SftpSession {
  readonly #channel: Duplex;
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  readonly #onIdle: (isIdle: boolean) => void;
  #received: Buffer[] = [];
  #outgoing: Buffer[] = [];
  #length = 0;
  #lastId = 0;
  #ended: Error | null = null;
  readonly #onEnd: (() => void)[] = [];
  /** The time when data last arrived, or when a request ended an idle time. */
  #lastWord = now();

  private constructor(channel: Duplex, onIdle: (isIdle: boolean) => void) {
    this.#channel = channel;
    this.#onIdle = onIdle;
    channel.on('data', (bytes: Buffer) => this.#receive(bytes));
    channel.on('error', () => this.end(lost()));
    channel.on('close', () => this.end(lost()));
    channel.on('end', () => this.end(lost()));
  }

  /** `onIdle` is called whenever the session starts or stops waiting for answers. */
  static async open(channel: Duplex, onIdle: (isIdle: boolean) => void): Promise<SftpSession> {
    const session = new SftpSession(channel, onIdle);
    const greeting = session.#wait(GREETING);
    channel.write(packet(PACKET.init, VERSION, []));
    await greeting;
    return session;
  }

  realPath(path: Bytes): Promise<Bytes> {
    return this.#askName(PACKET.realpath, path);
  }

  readLink(path: Bytes): Promise<Bytes> {
    return this.#askName(PACKET.readlink, path);
  }

  async #askName(type: number, path: Bytes): Promise<Bytes> {
    const [only] = expectType(await this.#ask(type, [path]), PACKET.name).names();
    if (only === undefined) throw garbage();
    return only.name;
  }

  async describe(path: Bytes): Promise<Attributes> {
    return expectType(await this.#ask(PACKET.lstat, [path]), PACKET.attributes).attributes();
  }

  async openDirectory(path: Bytes): Promise<Buffer> {
    return expectType(await this.#ask(PACKET.opendir, [path]), PACKET.handle).text();
  }

  /** Reads some entries; null if there are no more. */
  async readDirectory(handle: Buffer): Promise<NamedAttributes[] | null> {
    const { type, content } = await this.#ask(PACKET.readdir, [handle]);
    if (type === PACKET.name) return content.names();
    if (type === PACKET.status) return null;
    throw garbage();
  }

  async openFile(path: Bytes): Promise<Buffer> {
    return expectType(await this.#ask(PACKET.open, [path], FOR_READING), PACKET.handle).text();
  }

  /** Reads at most `most` bytes from the start of a file. */
  async readFile(handle: Buffer, most: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let length = 0; length < most; ) {
      const { type, content } = await this.#ask(PACKET.read, [handle], range(length, Math.min(CHUNK, most - length)));
      if (type === PACKET.status) break;
      if (type !== PACKET.data) throw garbage();
      const part = content.text();
      if (part.length === 0) break;
      parts.push(part);
      length += part.length;
    }
    return Buffer.concat(parts);
  }

  /** Closes a handle without waiting for the answer. */
  close(handle: Buffer): void {
    this.#ask(PACKET.close, [handle]).catch(() => {});
  }

  /** Ends the session, and rejects all pending requests with `error`. */
  end(error: Error): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#received = [];
    for (const { reject } of waiting) reject(error);
    this.#onIdle(true);
    this.#channel.destroy();
    for (const tell of this.#onEnd) tell();
  }

  /** Calls `tell` when the session ends, or now if it has ended. */
  whenEnded(tell: () => void): void {
    if (this.#ended === null) this.#onEnd.push(tell);
    else tell();
  }

  /** Milliseconds since data last arrived, if requests are pending; otherwise 0. */
  get silence(): number {
    return this.#waiting.size === 0 ? 0 : now() - this.#lastWord;
  }

  /** Rejects if the server reports a failure. */
  async #ask(type: number, texts: readonly (Bytes | Buffer)[], tail?: Buffer): Promise<Answer> {
    if (this.#ended !== null) throw this.#ended;
    this.#lastId = (this.#lastId + 1) >>> 0;
    const answer = this.#wait(this.#lastId);
    this.#send(packet(type, this.#lastId, texts, tail));
    return answer;
  }

  /** Sends all packets of one turn of the event loop together. Perf: each would be encrypted and written by itself. */
  #send(bytes: Buffer): void {
    if (this.#outgoing.push(bytes) > 1) return;
    queueMicrotask(() => {
      const all = Buffer.concat(this.#outgoing);
      this.#outgoing = [];
      if (this.#ended === null) this.#channel.write(all);
    });
  }

  #wait(id: number): Promise<Answer> {
    if (this.#waiting.size === 0) {
      this.#lastWord = now();
      this.#onIdle(false);
    }
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive(bytes: Buffer): void {
    this.#lastWord = now();
    this.#received.push(bytes);
    this.#length += bytes.length;
    try {
      for (let next = this.#nextPacket(); next !== null; next = this.#nextPacket()) this.#settle(next);
    } catch {
      this.end(garbage());
    }
  }

  /** Returns the next complete packet; null if there is none yet. */
  #nextPacket(): Buffer | null {
    if (this.#length < 5 || this.#ended !== null) return null;
    const length = this.#peek(4).readUInt32BE(0);
    if (length < 5 || length > LONGEST_PACKET) throw garbage();
    if (this.#length < 4 + length) return null;
    const all = this.#peek(4 + length);
    const rest = all.subarray(4 + length);
    this.#received = [rest, ...this.#received.slice(1)];
    this.#length -= 4 + length;
    return all.subarray(4, 4 + length);
  }

  /** Returns the first bytes received, at least `length` of them, in one buffer. */
  #peek(length: number): Buffer {
    const [first] = this.#received;
    if (first !== undefined && first.length >= length) return first;
    const all = Buffer.concat(this.#received);
    this.#received = [all];
    return all;
  }

  #settle(bytes: Buffer): void {
    const type = bytes[0] as number;
    const isGreeting = type === PACKET.version;
    const id = isGreeting ? GREETING : bytes.readUInt32BE(1);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) throw garbage();
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#onIdle(true);
    const content = new PacketReader(bytes.subarray(5));
    const failure = type === PACKET.status ? content.failure() : null;
    if (failure === null) waiting.resolve({ type, content });
    else waiting.reject(failure);
  }
}

function expectType({ type, content }: Answer, expected: number): PacketReader {
  if (type !== expected) throw garbage();
  return content;
}

function lost(): Error {
  return codedError('ECONNRESET', 'the connection was lost');
}
