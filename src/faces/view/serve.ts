/** The server of the page: it listens on 127.0.0.1, on its own port, and has a token in its URL. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Fields, parseFields } from '../../protocol/plain.ts';
import { jsonText, type Streams } from '../cli/streams.ts';
import { listenLocally, readBody } from '../http/local-server.ts';
import { RequestError, ViewGuard } from './guard.ts';
import { readPageFiles } from './page-files.ts';
import { handlersFor, type PageSettings } from './requests.ts';
import { type RootSettings, ViewRoots } from './roots.ts';

interface ViewServerSettings extends RootSettings, PageSettings {
  /** 0 picks any free port. */
  readonly port: number;
  /** Open the page in a browser. */
  readonly open: boolean;
  /** Throw if a root cannot be opened now. */
  readonly mustExist: boolean;
}

/** In bytes. */
const LARGEST_REQUEST = 256 * 1024;

/** Allows only the page's own scripts and styles, no requests to other servers, and no embedding in a frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Prints its URL on stderr once it listens. */
export async function serveView(settings: ViewServerSettings, streams: Streams): Promise<{ close(): Promise<void> }> {
  const files = readPageFiles();
  const guard = new ViewGuard();
  const roots = new ViewRoots(settings);
  if (settings.mustExist) await roots.open();
  const handlers = handlersFor(roots, settings);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    guard.checkOrigin(request, port);
    const path = request.url?.replace(/[?#].*/s, '') ?? '';
    const file = files.get(path);
    if (request.method === 'GET' && file !== undefined) {
      response.writeHead(200, { ...HEADERS, 'content-type': file.type }).end(file.content);
      return;
    }
    const name = /^\/api\/([a-z]+)$/.exec(path)?.[1];
    if (request.method !== 'POST' || name === undefined) throw new RequestError('There is no such page.', 404);
    if (name === 'ticket') {
      const token = guard.redeem((await bodyOf(request)).ticket);
      if (token !== null) return send(response, 200, { token });
      throw new RequestError('This address was used before. Open the one that agent-ls printed.', 401);
    }
    guard.checkToken(request);
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw new RequestError('There is no such request.', 404);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    send(response, 200, await handler(await bodyOf(request), gone.signal));
  }

  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    answer(request, response).catch((error) => {
      const status = error instanceof RequestError ? error.status : 400;
      if (!response.headersSent) send(response, status, { error: (error as Error).message });
      else response.destroy();
    });
  });
  const port = await listenLocally(server, settings.port, 'cannot serve the page');
  const address = (key: string, secret: string) => `http://127.0.0.1:${port}/#${key}=${secret}`;
  streams.complain(`agent-ls view: ${address('token', guard.token)}`);
  if (settings.open) openBrowser(address('ticket', guard.newTicket()));
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await roots.close();
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' });
  response.end(jsonText(body));
}

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new RequestError('Send JSON, and say so in the Content-Type.', 415);
  const bytes = await readBody(request, LARGEST_REQUEST);
  if (bytes === null) throw new RequestError(`A request has at most ${LARGEST_REQUEST} bytes.`, 413);
  const body = parseFields(bytes.toString('utf8'));
  if (body === null) throw new RequestError('The request must be an object in JSON.');
  return body;
}

/** Opens a URL in the user's browser. The program's path is fixed; PATH is not searched. */
function openBrowser(address: string): void {
  const command = openingCommand();
  if (command === null) return;
  const [program, ...words] = command;
  const browser = spawn(program, [...words, address], { stdio: 'ignore', detached: true, cwd: '/' });
  // The URL was printed, so the user can open it by hand if there is no such program.
  browser.on('error', () => {});
  browser.unref();
}

/** Returns null if there is no display, because xdg-open would then start a text browser. */
function openingCommand(): [string, ...string[]] | null {
  const { DISPLAY, WAYLAND_DISPLAY, SystemRoot = 'C:\\Windows' } = process.env;
  if (process.platform === 'darwin') return ['/usr/bin/open'];
  if (process.platform === 'win32') return [`${SystemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['/usr/bin/xdg-open'] : null;
}
