/**
 * `agent-ls call --stdin`: one request a line, one answer a line, in order, until the input ends. A line that makes no
 * sense is answered with an error, and the next one is read.
 *
 *     {"id": 1, "root": "/abs/project", "params": {"limit": 2}}
 *     {"id": 1, "answer": { … }, "text": "Listed 2 entries in '.' … "}
 */

import { isUtf8 } from 'node:buffer';
import { type Call, type DialectTool, listingTool, ParameterError } from '../../dialects/dialect.ts';
import { loadDialect, loadTool } from '../../dialects/load.ts';
import { type DialectName, isDialectName } from '../../dialects/names.ts';
import { isObject } from '../../dialects/parameters.ts';
import { now } from '../../listing/clock.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { tooLarge } from '../../protocol/size.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { escaped, shownAsGiven } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect, checkedTool } from '../library/dialect-name.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { jsonText } from './json.ts';
import { boundedLines } from './lines.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';
import { namedWorkspace } from './workspace.ts';

const KEYS = ['id', 'dialect', 'tool', 'root', 'cwd', 'params'];

/** Bytes of a request; a megabyte of patterns is more than any model sends. */
const LONGEST = 1024 * 1024;

/** Workspaces that stay open for the next line. */
const KEPT = 16;

interface Request {
  readonly id: unknown;
  readonly tool: DialectTool<unknown>;
  readonly workspace: Workspace;
  readonly params: unknown;
}

export async function answerStdin(line: CommandLine, dialect: DialectName, streams: Streams): Promise<number> {
  const desk = new Desk(line, dialect, listingTool(await loadDialect(dialect)), await namedWorkspace(line));
  try {
    for await (const bytes of boundedLines(streams.input, LONGEST)) {
      if (bytes === null || bytes.toString('latin1').trim() !== '') await streams.print(await desk.answer(bytes));
    }
    return 0;
  } finally {
    desk.close();
  }
}

class Desk {
  readonly #line: CommandLine;
  readonly #dialect: DialectName;
  readonly #tool: DialectTool<unknown>;
  readonly #workspace: Workspace;
  readonly #opened = new Map<string, Workspace>();

  constructor(line: CommandLine, dialect: DialectName, tool: DialectTool<unknown>, workspace: Workspace) {
    this.#line = line;
    this.#dialect = dialect;
    this.#tool = tool;
    this.#workspace = workspace;
  }

  close(): void {
    for (const workspace of [this.#workspace, ...this.#opened.values()]) workspace.close();
  }

  /** The answer as JSON. `line` is null for one that was too long to be read. */
  async answer(line: Buffer | null): Promise<string> {
    let raw: unknown = null;
    try {
      if (line === null) throw new UsageError(`The line is longer than ${LONGEST} bytes.`);
      if (!isUtf8(line)) throw new UsageError('The line is no valid UTF-8.');
      // Some programs begin what they write with a byte order mark.
      raw = line.toString('utf8').replace(/^\ufeff/, '');
      raw = JSON.parse(raw as string);
      const { id, tool, workspace, params } = await this.#read(raw);
      const answer = await tool.call(params, workspace, { cache: !this.#line.switch('no-cache') });
      return jsonText({ id, answer, text: tool.text(answer) });
    } catch (error) {
      return this.#refuse(raw, escaped(reasonOf(error)), await this.#toolOf(raw));
    }
  }

  async #read(request: unknown): Promise<Request> {
    if (!isObject(request)) throw new UsageError('A request is a JSON object.');
    const { params, ...words } = request;
    const reason = tooLarge(words, 'Beside its params the request holds');
    if (reason !== null) throw new UsageError(reason);
    const unknown = Object.keys(words).find((key) => !KEYS.includes(key));
    if (unknown !== undefined) {
      throw new UsageError(`A request has no key '${shownAsGiven(unknown)}'.${didYouMean(unknown, KEYS)}`);
    }
    const dialect = checkedDialect(request.dialect ?? this.#dialect);
    const tool = await loadTool(dialect, checkedTool(dialect, request.tool));
    const workspace = await this.#workspaceOf(request);
    return { id: request.id ?? null, tool, workspace, params: params ?? {} };
  }

  async #workspaceOf(request: Record<string, unknown>): Promise<Workspace> {
    const root = request.root ?? this.#line.value('root') ?? '.';
    const cwd = request.cwd ?? this.#line.value('cwd') ?? '.';
    if ((request.root ?? null) === null && (request.cwd ?? null) === null) return this.#workspace;
    // Opened anew each time, because a link on the way may lead elsewhere by now; what is known of the place is kept.
    const fresh = await openWorkspace(root as string, { cwd: cwd as string, git: !this.#line.switch('no-git') });
    const key = JSON.stringify([fresh.realPath, fresh.givenPath, fresh.cwd]);
    const known = this.#opened.get(key);
    if (known !== undefined) fresh.close();
    // The one that was used last goes to the end, so that the one at the front was not used for longest.
    this.#opened.delete(key);
    const workspace = known ?? fresh;
    this.#opened.set(key, workspace);
    for (const [oldest, unused] of this.#opened) {
      if (this.#opened.size <= KEPT) break;
      unused.close();
      this.#opened.delete(oldest);
    }
    return workspace;
  }

  /** The dialect that a request names, as far as it got; otherwise the command line's. */
  async #toolOf(raw: unknown): Promise<DialectTool<unknown>> {
    const named = typeof raw === 'object' && raw !== null && 'dialect' in raw ? raw.dialect : null;
    return isDialectName(named) ? listingTool(await loadDialect(named)) : this.#tool;
  }

  #refuse(raw: unknown, reason: string, tool: DialectTool<unknown>): string {
    const next = 'Send one JSON object a line, such as {"id": 1, "params": {"path": "src"}}.';
    const reply = (id: unknown, params: unknown) => {
      const call: Call = { params, path: '.', workspace: this.#workspace, started: now() };
      const answer = tool.fail(new ParameterError(reason, next), call);
      return jsonText({ id, answer, text: tool.text(answer) });
    };
    try {
      if (!isObject(raw)) return reply(null, raw);
      return reply(raw.id ?? null, raw.params ?? {});
    } catch {
      // What cannot be written cannot be repeated.
      return reply(null, null);
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return `The line is no JSON (${error.message}).`;
  if (error instanceof RangeError) return 'The request is nested too deeply.';
  return error instanceof Error ? error.message : String(error);
}
