/** An SFTP session over an SSH channel. Requests are sent without waiting, and answered in any order. */
import type { Duplex } from 'node:stream';
import type { Bytes } from '../../names/bytes.ts';
import { now } from '../../workspace/clock.ts';
import { codedError, systemCode } from '../../workspace/listing-error.ts';
import { ByteReader } from '../asking.ts';
import {
  type Attributes,
  FOR_READING,
  garbage,
  LONGEST_PACKET,
  type NamedAttributes,
  NOT_SFTP,
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
  #outgoing: Buffer[] = [];
  #lastId = 0;
  #ended: Error | null = null;
  readonly #onEnd: (() => void)[] = [];
  /** The time when data last arrived, or when a request ended an idle time. */
  #lastWord = now();

  private constructor(channel: Duplex, onIdle: (isIdle: boolean) => void) {
    this.#channel = channel;
    this.#onIdle = onIdle;
    channel.on('error', () => {});
    this.#receive().then(
      () => this.end(lost()),
      (error) => this.end(systemCode(error) === NOT_SFTP ? error : lost()),
    );
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

  /** Reads packets until the channel ends. */
  async #receive(): Promise<void> {
    const bytes = new ByteReader(this.#heard());
    while (!(await bytes.isAtEnd())) {
      const length = (await bytes.take(4)).readUInt32BE(0);
      if (length < 5 || length > LONGEST_PACKET) throw garbage();
      this.#settle(await bytes.take(length));
    }
  }

  async *#heard(): AsyncGenerator<Buffer> {
    for await (const bytes of this.#channel) {
      this.#lastWord = now();
      yield bytes;
    }
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
