/** An object store that fails, through a proxy before a real one: whatever happens is answered, and tells no secret. */
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, openWorkspace, tree, type Workspace } from '../../../src/index.ts';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { makeBucket, putObjects, type S3Server, s3Server } from '../../support/servers.ts';
import { withTimeEnough } from '../../support/time-enough.ts';

const server = await s3Server();
const BUCKET = 'agent-ls-faults';
const PAGES = 4;

const secrets = [server?.environment.AWS_SECRET_ACCESS_KEY, server?.environment.AWS_ACCESS_KEY_ID, 'Signature='];

/** What an answer or an error says, if it tells no secret. */
function told(value: unknown): string {
  const text = value instanceof Error ? `${value.message}\n${value.stack}` : JSON.stringify(value);
  for (const secret of secrets) expect(text).not.toContain(secret);
  return value instanceof Error ? value.message : text;
}

describe.skipIf(server === null)('an object store', () => {
  let proxy: FaultyProxy;

  beforeAll(async () => {
    proxy = await FaultyProxy.before((server as S3Server).port);
    await makeBucket(BUCKET);
    await putObjects(server as S3Server, BUCKET, [['sample', 'x']]);
    const many = Array.from({ length: PAGES * 1000 }, (_, i) => `many/f${i}`);
    const deep = Array.from({ length: PAGES * 1000 }, (_, i) => `deep/d${i % 40}/e${i % 7}/f${i}`);
    const far = Array.from({ length: PAGES * 1000 }, (_, i) => `far/a/b/c/d/f${i}`);
    const beside = ['far/a/b/d/x', 'far/a/b/e', 'far/a/z', 'far/y/y/y/y/y'];
    await server?.fill('sample', [...many, ...deep, ...far, ...beside, 'a/b/c/d', 'a/b/c/e']);
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${proxy.port}`);
  });
  afterEach(() => {
    proxy.fault = 'none';
    proxy.requests = 0;
  });
  afterAll(() => proxy.stop());

  /** The bucket, or what is below a prefix. */
  async function opened(prefix = ''): Promise<Workspace> {
    const workspace = await openWorkspace(`s3://${BUCKET}/${prefix}`);
    onTestFinished(() => workspace.close());
    proxy.requests = 0;
    return workspace;
  }

  /** What is answered where so many bytes came before the time was over, and nothing more. */
  function untilSilent<Answer extends { status: string }>(
    silentAfter: number,
    ask: (timeLimit: number) => Promise<Answer>,
  ): Promise<Answer> {
    const anew = (timeLimit: number) => {
      proxy.fault = { silentAfter };
      return ask(timeLimit);
    };
    return withTimeEnough(1500, anew, ({ status }) => status !== 'error');
  }

  it.each([
    ['a level of one page', '', '.', 1],
    ['a level of four pages', 'many', '.', PAGES],
    ['a level further down', '', 'a/b/c', 2],
  ])('is asked for %s as seldom as can be', async (_, prefix, path, requests) => {
    const workspace = await opened(prefix);
    expect((await call('standard', { path }, workspace)).status).not.toBe('error');
    expect(proxy.requests).toBe(requests);
  });

  it('is asked for a whole tree by pages, not by directories', async () => {
    const workspace = await opened('deep');
    expect((await tree({}, workspace)).stats).toMatchObject({ files: PAGES * 1000, directories: 40 + 40 * 7 });
    // One more tells that there is no repository.
    expect(proxy.requests).toBe(PAGES + 1);
  });

  it('is not asked for what is further down than anybody wants to see', async () => {
    const workspace = await opened('far');
    const { entries } = await call('mycode', { recursive: true, depth: 3 }, workspace);
    expect(entries.map(({ path }) => path)).toEqual([
      ...['a', 'a/b', 'a/b/c', 'a/b/d', 'a/b/e', 'a/z', 'y', 'y/y', 'y/y/y'],
    ]);
    expect(proxy.requests).toBeLessThan(5);
    const inner = await call('mycode', { path: 'a/b/c/d', recursive: true }, workspace);
    expect(inner.truncated).toBe(true);
  });

  it('is not asked again within the time for which answers may be used', async () => {
    const workspace = await openWorkspace(`s3://${BUCKET}/deep`, { maxAge: 60_000 });
    await tree({}, workspace);
    proxy.requests = 0;
    expect((await tree({}, workspace)).stats).toMatchObject({ files: PAGES * 1000 });
    expect(proxy.requests).toBe(0);
    workspace.close();
  });

  it('that cuts every connection in the middle gives what came before, and says so', async () => {
    const workspace = await opened('many');
    proxy.fault = { cutAfter: 600_000 };
    const answer = await call('standard', {}, workspace);
    expect(answer.status).toBe('partial');
    expect(told(answer)).toContain('reading failed in the middle');
    const entries = Number(/Total: (\d+) items/.exec(answer.text)?.[1]);
    expect(entries).toBeGreaterThan(0);
    expect(entries % 1000).toBe(0);
  });

  it('that ends a connection once is asked again by the SDK', async () => {
    const workspace = await opened('many');
    proxy.cut();
    expect((await call('standard', {}, workspace)).text).toContain(`Total: ${PAGES * 1000} items`);
  });

  it('that sends something else fails, and says so', async () => {
    const workspace = await opened();
    proxy.fault = { garbageAfter: 100 };
    const answer = await call('standard', {}, workspace);
    expect(answer.status).toBe('error');
    expect(told(answer)).toContain('object store');
  });

  it('that says nothing more is not waited for beyond the time limit', async () => {
    const workspace = await opened('many');
    const answer = await untilSilent(600_000, (timeLimit) => call('standard', {}, workspace, { timeLimit }));
    expect(answer.status).toBe('partial');
    proxy.fault = { silentAfter: 0 };
    const nothing = await call('standard', {}, workspace, { timeLimit: 300 });
    expect(nothing.error?.code).toBe('TIMEOUT');
    told([answer, nothing]);
  });

  it('that is slow is waited for', async () => {
    const workspace = await opened();
    proxy.fault = { delay: 50 };
    expect((await call('standard', {}, workspace)).status).toBe('success');
  });

  it('with more keys than there is time for gives a map of those that were seen', async () => {
    const workspace = await opened('deep');
    const answer = await untilSilent(900_000, (timeLimit) => tree({}, workspace, { timeLimit }));
    expect(answer.status).toBe('partial');
    expect(answer.text).toContain('incomplete: out of time');
    expect(answer.stats.files).toBeGreaterThan(0);
    told(answer);
  });

  it('that fails in the middle of a tree gives a map of what was seen', async () => {
    const workspace = await opened('deep');
    proxy.fault = { cutAfter: 900_000 };
    const answer = await tree({}, workspace);
    expect(answer.status).toBe('partial');
    expect(told(answer)).toContain('cannot be reached (ECONNRESET)');
    expect(answer.stats.files).toBeGreaterThan(1000);
  });

  it('that is not there is told when it is opened', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    const failure = await openWorkspace(`s3://${BUCKET}`).catch((error: unknown) => error);
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${proxy.port}`);
    expect(told(failure)).toContain('cannot be reached (ECONNREFUSED)');
  });

  it.each([
    ['no-such-bucket', 's3://agent-ls-none', {}, "there is no bucket 'agent-ls-none'; check its name"],
    ['no such prefix', `s3://${BUCKET}/nothing`, {}, 'no key begins with this prefix; s3://agent-ls-faults shows'],
    ['a wrong key', `s3://${BUCKET}`, { AWS_ACCESS_KEY_ID: 'AKWRONG' }, 'InvalidAccessKeyId'],
    ['a wrong secret', `s3://${BUCKET}`, { AWS_SECRET_ACCESS_KEY: 'SKWRONG' }, 'SignatureDoesNotMatch'],
    [
      'no credentials',
      `s3://${BUCKET}`,
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nonexistent' },
      'there are no credentials',
    ],
    ['an address that is none', 's3://user:password@host/x', {}, 's3://BUCKET/PREFIX'],
  ])('tells of %s', async (_, address, environment, message) => {
    const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const failure = await openWorkspace(address).catch((error: unknown) => error);
    for (const [name, value] of before) vi.stubEnv(name, value ?? '');
    expect(told(failure)).toContain(message);
    expect(told(failure)).not.toMatch(/SKWRONG|AKWRONG|password/);
  });

  // The gateway gives no tokens that expire, so this one answer is not its own.
  it('tells of credentials that have expired', async () => {
    const stand = createServer((_, answer) => {
      answer.statusCode = 400;
      answer.end('<Error><Code>ExpiredToken</Code><Message>token SECRET expired</Message></Error>');
    });
    await new Promise<void>((resolve) => stand.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(stand.address() as { port: number }).port}`);
    const failure = await openWorkspace(`s3://${BUCKET}`).catch((error: unknown) => error);
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${proxy.port}`);
    stand.close();
    expect(told(failure)).toContain('does not accept the credentials (ExpiredToken)');
    expect(told(failure)).not.toContain('SECRET');
  });
});
