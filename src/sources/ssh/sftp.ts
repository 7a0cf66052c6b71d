/** An SFTP session over an SSH channel. Requests are sent without waiting, and answered in any order. */
import type { Duplex } from 'node:stream';
import type { Bytes } from '../../names/bytes.ts';
import { now } from '../../workspace/clock.ts';
import { codedError, systemCode } from '../../workspace/listing-error.ts';
import { ByteReader } from '../asking.ts';
import {
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

export type SftpSession = Awaited<ReturnType<typeof openSession>>;

/** `onIdle` is called whenever the session starts or stops waiting for answers. */
export async function openSession(channel: Duplex, onIdle: (isIdle: boolean) => void) {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  const onEnd: (() => void)[] = [];
  let outgoing: Buffer[] = [];
  let lastId = 0;
  let ended: Error | null = null;
  /** The time when data last arrived, or when a request ended an idle time. */
  let lastWord = now();

  function end(error: Error): void {
    if (ended !== null) return;
    ended = error;
    const rejected = [...waiting.values()];
    waiting.clear();
    for (const { reject } of rejected) reject(error);
    onIdle(true);
    channel.destroy();
    for (const tell of onEnd) tell();
  }

  function wait(id: number): Promise<Answer> {
    if (waiting.size === 0) {
      lastWord = now();
      onIdle(false);
    }
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  /** Rejects if the server reports a failure. Perf: all packets of one turn are encrypted and written together. */
  async function ask(type: number, texts: readonly (Bytes | Buffer)[], tail?: Buffer): Promise<Answer> {
    if (ended !== null) throw ended;
    lastId = (lastId + 1) >>> 0;
    const answer = wait(lastId);
    if (outgoing.push(packet(type, lastId, texts, tail)) > 1) return answer;
    queueMicrotask(() => {
      const all = Buffer.concat(outgoing);
      outgoing = [];
      if (ended === null) channel.write(all);
    });
    return answer;
  }

  /** Asks for something that has to be answered with one type of packet. */
  async function askFor(expected: number, ...question: Parameters<typeof ask>): Promise<PacketReader> {
    const { type, content } = await ask(...question);
    if (type !== expected) throw garbage();
    return content;
  }

  async function askName(type: number, path: Bytes): Promise<Bytes> {
    const [only] = (await askFor(PACKET.name, type, [path])).names();
    if (only === undefined) throw garbage();
    return only.name;
  }

  async function* heard(): AsyncGenerator<Buffer> {
    for await (const bytes of channel) {
      lastWord = now();
      yield bytes;
    }
  }

  async function receive(): Promise<void> {
    const bytes = new ByteReader(heard());
    while (!(await bytes.isAtEnd())) {
      const length = (await bytes.take(4)).readUInt32BE(0);
      if (length < 5 || length > LONGEST_PACKET) throw garbage();
      settle(await bytes.take(length));
    }
  }

  function settle(bytes: Buffer): void {
    const type = bytes[0] as number;
    const id = type === PACKET.version ? GREETING : bytes.readUInt32BE(1);
    const asked = waiting.get(id);
    if (asked === undefined) throw garbage();
    waiting.delete(id);
    if (waiting.size === 0) onIdle(true);
    const content = new PacketReader(bytes.subarray(5));
    const failure = type === PACKET.status ? content.failure() : null;
    if (failure === null) asked.resolve({ type, content });
    else asked.reject(failure);
  }

  channel.on('error', () => {});
  const lost = () => end(codedError('ECONNRESET', 'the connection was lost'));
  receive().then(lost, (error) => (systemCode(error) === NOT_SFTP ? end(error) : lost()));
  const greeting = wait(GREETING);
  channel.write(packet(PACKET.init, VERSION, []));
  await greeting;

  return {
    end,
    realPath: (path: Bytes) => askName(PACKET.realpath, path),
    readLink: (path: Bytes) => askName(PACKET.readlink, path),
    describe: async (path: Bytes) => (await askFor(PACKET.attributes, PACKET.lstat, [path])).attributes(),
    openDirectory: async (path: Bytes) => (await askFor(PACKET.handle, PACKET.opendir, [path])).text(),
    openFile: async (path: Bytes) => (await askFor(PACKET.handle, PACKET.open, [path], FOR_READING)).text(),
    /** Reads some entries; null if there are no more. */
    async readDirectory(handle: Buffer): Promise<NamedAttributes[] | null> {
      const { type, content } = await ask(PACKET.readdir, [handle]);
      if (type === PACKET.name) return content.names();
      if (type === PACKET.status) return null;
      throw garbage();
    },
    /** Reads at most `most` bytes from the start of a file. */
    async readFile(handle: Buffer, most: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for (let length = 0; length < most; ) {
        const { type, content } = await ask(PACKET.read, [handle], range(length, Math.min(CHUNK, most - length)));
        if (type === PACKET.status) break;
        if (type !== PACKET.data) throw garbage();
        const part = content.text();
        if (part.length === 0) break;
        parts.push(part);
        length += part.length;
      }
      return Buffer.concat(parts);
    },
    /** Closes a handle without waiting for the answer. */
    close: (handle: Buffer): void => void ask(PACKET.close, [handle]).catch(() => {}),
    /** Calls `tell` when the session ends, or now if it has ended. */
    whenEnded: (tell: () => void): void => void (ended === null ? onEnd.push(tell) : tell()),
    /** Milliseconds since data last arrived, if requests are pending; otherwise 0. */
    get silence(): number {
      return waiting.size === 0 ? 0 : now() - lastWord;
    },
  };
}
