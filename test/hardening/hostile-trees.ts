/** Archives, repositories and object stores as no program would make them. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { onTestFinished, vi } from 'vitest';

const BLOCK = 512;

/** A header of a tar archive, and what follows it. */
export function tarEntry(name: string, type = '0', content = ''): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100, 'latin1');
  header.write('0000755\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.from(content, 'latin1'), Buffer.alloc(-content.length & (BLOCK - 1))]);
}

/** Values for the next header, as pax writes them. */
export function pax(values: Readonly<Record<string, string>>): Buffer {
  const records = Object.entries(values).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const digits = [1, 2, 3, 4, 5, 6, 7].find((count) => `${rest.length + count}`.length === count) ?? 8;
    return `${rest.length + digits}${rest}`;
  });
  return tarEntry('pax', 'x', records.join(''));
}

/** Writes an archive in parts, each of which is packed by itself: the whole may be larger than the memory. */
export function writeTarGz(path: string, parts: Iterable<Buffer>): void {
  writeFileSync(path, '');
  for (const part of parts) appendFileSync(path, gzipSync(part, { level: 1 }));
  appendFileSync(path, gzipSync(Buffer.alloc(2 * BLOCK)));
}

export type TreeEntries = readonly (readonly [mode: string, name: string, id: Buffer])[];

/** Makes a bare repository out of objects that git itself would not write. */
export class ForgedRepository {
  readonly #objects = new Map<string, Buffer>();

  tree(entries: TreeEntries): Buffer {
    return this.#add(
      2,
      'tree',
      Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), id])),
    );
  }

  /** A file without content. */
  blob(): Buffer {
    return this.#add(3, 'blob', Buffer.alloc(0));
  }

  write(path: string, tree: Buffer): void {
    const who = 'a <a@b> 0 +0000';
    const commit = this.#add(
      1,
      'commit',
      Buffer.from(`tree ${tree.toString('hex')}\nauthor ${who}\ncommitter ${who}\n\nx\n`),
    );
    mkdirSync(join(path, 'objects/pack'), { recursive: true });
    mkdirSync(join(path, 'refs/heads'), { recursive: true });
    writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(path, 'config'), '[core]\n\tbare = true\n\trepositoryformatversion = 0\n');
    writeFileSync(join(path, 'refs/heads/main'), `${commit.toString('hex')}\n`);
    const start = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
    start.writeUInt32BE(this.#objects.size, 8);
    const all = Buffer.concat([start, ...this.#objects.values()]);
    const pack = join(path, 'objects/pack', 'pack-forged.pack');
    writeFileSync(pack, Buffer.concat([all, createHash('sha1').update(all).digest()]));
    execFileSync('git', ['index-pack', pack], { stdio: 'pipe' });
  }

  #add(type: number, name: string, content: Buffer): Buffer {
    const id = createHash('sha1').update(`${name} ${content.length}\0`).update(content).digest();
    const size: number[] = [(type << 4) | (content.length & 15)];
    for (let rest = Math.floor(content.length / 16); rest > 0; rest = Math.floor(rest / 128)) {
      size[size.length - 1] = (size.at(-1) as number) | 128;
      size.push(rest & 127);
    }
    this.#objects.set(id.toString('hex'), Buffer.concat([Buffer.from(size), deflateSync(content, { level: 1 })]));
    return id;
  }
}

/** An object store that sends what `answer` writes. Processes that are started meanwhile use it. */
export async function hostileStore(answer: (response: ServerResponse, request: number) => void): Promise<void> {
  let requests = 0;
  const server = createServer((_, response) => answer(response, requests++));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    vi.unstubAllEnvs();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
}

/** Sends a page of keys, as S3 does. */
export function sendKeys(response: ServerResponse, keys: readonly string[], next: string): void {
  const objects = keys.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>`,
  );
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>${objects.join('')}</ListBucketResult>`,
  );
}
