/** Requests pages of keys and small objects from an object store. Failures are reported without the service's words. */
import { addAbortSignal, type Readable } from 'node:stream';
import type { GetObjectCommand, ListObjectsV2CommandOutput, S3ClientConfig } from '@aws-sdk/client-s3';
import { type Bytes, textOf } from '../../names/bytes.ts';
import { codedError, ListingError, systemCode } from '../../workspace/listing-error.ts';
import { firstBytes, unlessMissing } from '../asking.ts';
import { decodedKey } from './s3-keys.ts';
import { type PageStart, pageIn, type S3Object, type S3Page } from './s3-page.ts';

/** The most keys that S3 returns at a time. */
const PAGE = 1000;
/** The region if none is set: with an endpoint, any will do. */
const ANY_REGION = 'us-east-1';

export type S3Bucket = Awaited<ReturnType<typeof openBucket>>;

/** Takes credentials, region and endpoint from where the SDK finds them: the environment, a profile or the host. */
export async function openBucket(bucket: string, sdk: typeof import('@aws-sdk/client-s3')) {
  const probe = new sdk.S3Client({});
  const config = probe.config as unknown as { serviceConfiguredEndpoint?: () => Promise<string | undefined> };
  const endpoint = (await config.serviceConfiguredEndpoint?.()) ?? process.env.AWS_ENDPOINT_URL;
  const region = await probe.config.region().catch(() => null);
  probe.destroy();
  const client = new sdk.S3Client({
    followRegionRedirects: true,
    // Self-hosted servers seldom have a host name for each bucket.
    forcePathStyle: endpoint !== undefined,
    logger: SILENT,
    ...(region === null ? { region: ANY_REGION } : {}),
  });

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw failureOf(error, bucket);
    }
  }

  /** Resolves to null if there is no such object. */
  function askFor<T>(key: Bytes, question: (object: { Bucket: string; Key: string }) => Promise<T>): Promise<T | null> {
    return unlessMissing(ask(() => question({ Bucket: bucket, Key: sendable(key) })));
  }

  return {
    name: bucket,
    /** Loads a page of the keys with a prefix. With `isLevel`, keys with a further slash are grouped as `prefixes`. */
    async page(prefix: Bytes, isLevel: boolean, start: PageStart | null, signal: AbortSignal): Promise<S3Page> {
      const command = new sdk.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: sendable(prefix),
        MaxKeys: PAGE,
        // Otherwise control characters cannot be sent. Bytes that are not valid UTF-8 stay unchanged.
        EncodingType: 'url',
        ...(isLevel ? { Delimiter: '/' } : {}),
        ...(start === null
          ? {}
          : 'token' in start
            ? { ContinuationToken: start.token }
            : { StartAfter: sendable(start.after) }),
      });
      let page: S3Page | null = null;
      bounded(command, signal, async (body) => {
        const content = await firstBytes(body, LARGEST_PAGE + 1);
        if (content.length <= LARGEST_PAGE) page = await pageIn(content.toString('latin1'));
        if (page === null && content.length > LARGEST_FOR_SDK) throw TOO_MUCH;
        // What is parsed here, the SDK need not parse.
        return page === null ? content : NO_KEYS_AT_ALL;
      });
      const answer = await ask(() => client.send(command, { abortSignal: signal }));
      return page ?? pageOf(answer);
    },
    /** Returns what is known of an object; null if there is none. */
    async head(key: Bytes, signal: AbortSignal): Promise<S3Object | null> {
      const answer = await askFor(key, (object) =>
        client.send(bounded(new sdk.HeadObjectCommand(object), signal), { abortSignal: signal }),
      );
      return answer === null ? null : { key, size: answer.ContentLength, modified: answer.LastModified?.getTime() };
    },
    /** Reads the first `most` bytes of an object; null if there is none. */
    async read(key: Bytes, most: number, signal: AbortSignal): Promise<Uint8Array | null> {
      const answer = await askFor(key, (object) =>
        client.send(bounded(new sdk.GetObjectCommand(object), signal), { abortSignal: signal }),
      );
      return answer === null ? null : ask(() => firstBytes(answer.Body as AsyncIterable<Uint8Array>, most));
    },
    close: () => client.destroy(),
  };
}

/** Describes a failure in our own words: those of a service may repeat a key or a signature. */
function failureOf(error: unknown, bucket: string): Error {
  if (error instanceof ListingError || systemCode(error) === 'ENOENT') return error as Error;
  const name = nameOf(error);
  const status = (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
  const code = systemCode(error);
  if (name === 'AbortError') return withCode('ECANCELED', 'cancelled');
  if (name === 'NoSuchBucket') {
    const message = `there is no bucket '${bucket}'; check its name, AWS_PROFILE and AWS_ENDPOINT_URL`;
    return new ListingError('missing', message);
  }
  if (NO_CREDENTIALS.test(name)) return new ListingError('failed', NO_KEYS);
  if (BAD_CREDENTIALS.has(name)) {
    return new ListingError('failed', `the object store does not accept the credentials (${name}); renew them`);
  }
  if (name === 'NoSuchKey' || name === 'NotFound' || status === 404) return codedError('ENOENT', 'no such object');
  if (status === 403) return withCode('EACCES', `the credentials do not allow access to '${bucket}'`);
  if (code !== '') {
    return withCode(code, `the object store cannot be reached (${code}); check the network and AWS_ENDPOINT_URL`);
  }
  if (name === 'TimeoutError') return withCode('ETIMEDOUT', 'the object store does not answer (ETIMEDOUT)');
  return new ListingError('failed', `the object store failed (${name}${status === undefined ? '' : `, ${status}`})`);
}

const NO_CREDENTIALS = /^(?:CredentialsProviderError|TokenProviderError|ProviderError)$/;
const NO_KEYS =
  'there are no credentials for the object store; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE';

const BAD_CREDENTIALS: ReadonlySet<string> = new Set([
  ...['ExpiredToken', 'ExpiredTokenException', 'InvalidAccessKeyId', 'InvalidToken', 'SignatureDoesNotMatch'],
  ...['RequestTimeTooSkewed', 'TokenRefreshRequired', 'AuthorizationHeaderMalformed', 'UnrecognizedClientException'],
]);

/** Logs nothing. Perf: without an `info` method, the SDK does not copy each answer for it. */
const SILENT = { debug() {}, warn() {}, error() {} } as NonNullable<S3ClientConfig['logger']>;

/** Returns the name of an error if it is a plain word: a server could send anything. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return /^[A-Za-z][A-Za-z0-9.]{0,63}$/.test(name) ? name : 'unknown';
}

function withCode(code: string, message: string): Error {
  return Object.assign(new ListingError(code === 'EACCES' ? 'denied' : 'failed', message), { code });
}

const LONGEST_KEY = 1024;

/** Returns a key as the SDK takes it. Keys are UTF-8, so no object can have other bytes as its key. */
function sendable(key: Bytes): string {
  const text = textOf(key);
  if (text === null || key.length > LONGEST_KEY + 1) throw codedError('ENOENT', 'no such object');
  return text;
}

function pageOf({ Contents, CommonPrefixes, NextContinuationToken, IsTruncated }: ListObjectsV2CommandOutput): S3Page {
  return {
    objects: (Contents ?? []).map(({ Key, Size, LastModified }) => ({
      key: decodedKey(Key ?? ''),
      size: Size,
      modified: LastModified?.getTime(),
    })),
    prefixes: (CommonPrefixes ?? []).map(({ Prefix }) => decodedKey(Prefix ?? '')),
    next: IsTruncated && NextContinuationToken !== undefined ? { token: NextContinuationToken } : null,
  };
}

const OK = 200;
const NO_KEYS_AT_ALL = Buffer.from('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');

/** The largest page, in bytes: a key has at most a kilobyte, and three when it is encoded. */
const LARGEST_PAGE = 4 * 1024 * 1024;
/** The largest page, and the largest error, that the SDK parses, which it does at once. */
const LARGEST_FOR_SDK = 1024 * 1024;
const LARGEST_ERROR = 64 * 1024;

const TOO_MUCH = new ListingError('failed', 'the object store sends more than a page of keys');

/** Bounds an error that a service sends, which may have no end. `read` may replace the body of a success. */
function bounded<T extends { readonly middlewareStack: unknown }>(
  command: T,
  signal: AbortSignal,
  read?: (body: Readable) => Promise<Buffer>,
): T {
  // The last step before the network.
  (command as unknown as Pick<GetObjectCommand, 'middlewareStack'>).middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { readonly statusCode: number; body: Readable | Buffer };
      const body = addAbortSignal(signal, response.body as Readable);
      if (response.statusCode !== OK) response.body = await firstBytes(body, LARGEST_ERROR);
      else if (read !== undefined) response.body = await read(body);
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  return command;
}
