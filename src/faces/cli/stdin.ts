/**
 * `agent-ls call --stdin`: reads one request per line and answers each with one line, in order, until the input ends.
 * An invalid line is answered with an error, and the next one is read.
 *
 *     {"id": 1, "root": "/abs/project", "params": {"limit": 2}}
 *     {"id": 1, "answer": { … }, "text": "Listed 2 entries in '.' … "}
 */
import { isUtf8 } from 'node:buffer';
import { type DialectTool, ParameterError, type ToolReply } from '../../dialects/dialect.ts';
import { type DialectName, isDialectName, loadListingTool } from '../../dialects/table.ts';
import { escaped, shownAsGiven } from '../../names/quote.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { isFields } from '../../protocol/plain.ts';
import { tooLarge } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { isOnNetwork } from '../../sources/address.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect, loadTool } from '../library/misuse.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import type { CommandLine } from './command-line.ts';
import { boundedLines } from './lines.ts';
import { namedWorkspace } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

const REQUEST_KEYS = ['id', 'dialect', 'tool', 'root', 'cwd', 'params'];

/** In bytes. A megabyte of patterns is more than any model sends. */
const LONGEST_LINE = 1024 * 1024;

/** The number of workspaces that stay open for later lines. */
const KEPT = 16;

export async function answerStdin(line: CommandLine, dialect: DialectName, streams: Streams): Promise<number> {
  const usual = await namedWorkspace(line);
  const workspaces = openWorkspaces(line, usual);
  /** `bytes` is null for a line that is too long to be read. */
  const answer = async (bytes: Buffer | null): Promise<string> => {
    let raw: unknown = null;
    try {
      if (bytes === null) throw new UsageError(`The line is longer than ${LONGEST_LINE} bytes.`);
      if (!isUtf8(bytes)) throw new UsageError('The line is not valid UTF-8.');
      // Some programs start their output with a byte order mark.
      raw = bytes.toString('utf8').replace(/^\ufeff/, '');
      raw = JSON.parse(raw as string);
      const request = checkedRequest(raw);
      const tool = await loadTool(checkedDialect(request.dialect ?? dialect), request.tool);
      const workspace = await workspaces.for(request);
      const reply = await tool.call(request.params ?? {}, workspace, { cache: !line.switch('no-cache') });
      return replyLine(request.id ?? null, reply);
    } catch (error) {
      // In the dialect that the request names, if it could be parsed; otherwise in that of the command line.
      const named = typeof raw === 'object' && raw !== null && 'dialect' in raw ? raw.dialect : null;
      const speaker = await loadListingTool(isDialectName(named) ? named : dialect);
      const next = error instanceof ListingError ? ROOT_ADVICE : LINE_ADVICE;
      return refusal(raw, new ParameterError(escaped(requestFault(error)), next), speaker, usual);
    }
  };
  try {
    for await (const bytes of boundedLines(streams.input, LONGEST_LINE)) {
      if (bytes === null || bytes.toString('latin1').trim() !== '') await streams.print(await answer(bytes));
    }
    return 0;
  } finally {
    workspaces.close();
  }
}

function checkedRequest(request: unknown): Readonly<Record<string, unknown>> {
  if (!isFields(request)) throw new UsageError('A request is a JSON object.');
  const { params, ...words } = request;
  const reason = tooLarge(words, 'Beside its params the request holds');
  if (reason !== null) throw new UsageError(reason);
  const unknown = Object.keys(words).find((key) => !REQUEST_KEYS.includes(key));
  if (unknown === undefined) return request;
  throw new UsageError(`A request has no key '${shownAsGiven(unknown)}'.${didYouMean(unknown, REQUEST_KEYS)}`);
}

/** The workspaces of requests. Some stay open for later lines. `usual` is that of the command line. */
function openWorkspaces(line: CommandLine, usual: Workspace) {
  const opened = new Map<string, Workspace>();
  return {
    close: () => {
      for (const workspace of [usual, ...opened.values()]) workspace.close();
    },
    for: async (request: Readonly<Record<string, unknown>>): Promise<Workspace> => {
      if ((request.root ?? request.cwd ?? null) === null) return usual;
      const root = request.root ?? line.value('root') ?? '.';
      if (typeof request.root === 'string' && isOnNetwork(request.root) && !line.switch('allow-network-roots'))
        throw new UsageError(NETWORK_ROOT);
      const cwd = request.cwd ?? line.value('cwd') ?? '.';
      // Opened anew each time: a link on the way may lead elsewhere by now. Cached data about the place is kept.
      const fresh = await openWorkspace(root as string, { cwd: cwd as string, git: !line.switch('no-git') });
      const key = JSON.stringify([fresh.aliases, fresh.cwd]);
      const known = opened.get(key);
      if (known !== undefined) fresh.close();
      // Move the workspace to the end, so that the first one is the least recently used.
      opened.delete(key);
      opened.set(key, known ?? fresh);
      for (const [oldest, unused] of opened) {
        if (opened.size <= KEPT) break;
        unused.close();
        opened.delete(oldest);
      }
      return known ?? fresh;
    },
  };
}

const NETWORK_ROOT =
  'The root is on another machine. A line may name such a root only if agent-ls was started with --allow-network-roots.';
const LINE_ADVICE = 'Send one JSON object a line, such as {"id": 1, "params": {"path": "src"}}.';
const ROOT_ADVICE = 'Send the path of a directory that exists as root, and one inside it as cwd.';

function refusal(raw: unknown, error: ParameterError, tool: DialectTool<unknown>, workspace: Workspace): string {
  const refused = (id: unknown, params: unknown) => replyLine(id, tool.refuse(error, params, workspace));
  try {
    return isFields(raw) ? refused(raw.id ?? null, raw.params ?? {}) : refused(null, raw);
  } catch {
    // An id or parameters that cannot be serialised are not repeated.
    return refused(null, null);
  }
}

function replyLine(id: unknown, { answer, text }: ToolReply<unknown>): string {
  return jsonText({ id, answer, text });
}

function requestFault(error: unknown): string {
  if (error instanceof SyntaxError) return `The line is not valid JSON (${error.message}).`;
  if (error instanceof RangeError) return 'The request is nested too deeply.';
  return error instanceof Error ? error.message : String(error);
}
