/** The requests that the page may send. They are answered by the same calls that any user makes, in the given roots. */
import { dialects } from '../../dialects/index.ts';
import { DIALECT_NAMES, type DialectName } from '../../dialects/table.ts';
import { countTokens } from '../../overview/token-count.ts';
import type { Fields } from '../../protocol/plain.ts';
import { Budget } from '../../workspace/budget.ts';
import { loadTool } from '../library/misuse.ts';
import { parametersForModels } from '../tools/shapes.ts';
import { replayCall } from '../trace/replay.ts';
import type { CallAnswer, Level, Replayed, Start, ToolInfo } from './api.ts';
import { type CallLog, sentText } from './call-log.ts';
import { explainedIn, levelOf, linesAround, placesOf } from './explore.ts';
import { RequestError } from './guard.ts';
import type { ViewRoots } from './roots.ts';

type Handler = (body: Fields, signal: AbortSignal) => Promise<unknown>;

export interface PageSettings {
  /** The dialect that is selected at first. */
  readonly dialect: string;
  /** The calls that Watch shows; null if there are none to watch. */
  readonly calls: CallLog | null;
}

/** The maximum number of entries per page of a level. */
const MAX_ENTRIES = 500;

export function handlersFor(roots: ViewRoots, { dialect, calls }: PageSettings): Readonly<Record<string, Handler>> {
  const rootOf = ({ root }: Fields) => roots.at(checkedNumber(root, 'root'));
  const workspaceOf = async (body: Fields) => (await rootOf(body)).workspace;
  const pathOf = ({ path }: Fields) => checkedText(path, 'path');
  const dialectOf = (body: Fields): DialectName => checkedName(body.dialect, DIALECT_NAMES, 'dialect');
  const watched = () => {
    if (calls === null) throw new Error('There are no calls to watch.');
    return calls;
  };
  const found = ({ id }: Fields) => {
    const call = watched().find(checkedNumber(id, 'id'));
    if (call === null) throw new RequestError('The call is no longer known.');
    return call;
  };
  return {
    start: async (): Promise<Start> => ({
      roots: await roots.describe(),
      tools: DIALECT_NAMES.flatMap(toolsOf),
      dialect,
      watch: calls === null ? null : { kind: calls.kind, label: calls.label },
    }),
    roots: async () => ({ roots: await roots.describe() }),
    level: async (body, signal): Promise<Level> => {
      const as = { dialect: dialectOf(body), tool: checkedText(body.tool, 'tool') };
      const offset = checkedNumber(body.offset, 'offset');
      const limit = Math.max(1, Math.min(checkedNumber(body.limit, 'limit'), MAX_ENTRIES));
      return levelOf(await workspaceOf(body), pathOf(body), as, { offset, limit }, signal);
    },
    explain: async (body) => explainedIn(await workspaceOf(body), pathOf(body)),
    places: async (body, signal) => ({
      places: await placesOf(await workspaceOf(body), checkedList(body.paths, 'paths'), signal),
    }),
    rule: async (body) =>
      linesAround(await workspaceOf(body), checkedText(body.source, 'source'), checkedNumber(body.line, 'line')),
    counts: async (body) =>
      (await rootOf(body)).survey.counts(checkedList(body.paths, 'paths'), checkedNumber(body.since, 'since')),
    treemap: async (body) => {
      const by = checkedName(body.by, ['files', 'tokens'] as const, 'by');
      return { node: await (await rootOf(body)).survey.treemap(pathOf(body), by) };
    },
    call: async (body, signal): Promise<CallAnswer> => {
      const workspace = await workspaceOf(body);
      const tool = await loadTool(dialectOf(body), checkedText(body.tool, 'tool'));
      const started = performance.now();
      const { text, isError, answer } = await tool.call(body.params, workspace, { signal });
      const ms = Math.round((performance.now() - started) * 100) / 100;
      return { text, isError, answer, ms, tokens: await new Budget().finish(countTokens(text)) };
    },
    calls: (body, signal) => watched().after(checkedNumber(body.after, 'after'), signal),
    watched: async (body) => ({ text: sentText(found(body).record) }),
    replay: async (body): Promise<Replayed> => {
      const { record, settings } = found(body);
      return replayCall(record, settings, (root, cwd) => roots.openRecorded(root, cwd));
    },
  };
}

/** Dialects whose contract accepts only absolute paths. */
const ABSOLUTE: readonly DialectName[] = ['gemini', 'codex'];

function toolsOf(dialect: DialectName): ToolInfo[] {
  return dialects[dialect].tools.map(({ tool }) => {
    const parameters = parametersForModels(tool) as ToolInfo['parameters'];
    const pathParameter = 'dir_path' in (parameters.properties ?? {}) ? 'dir_path' : 'path';
    return { dialect, name: tool.name, parameters, pathParameter, needsAbsolute: ABSOLUTE.includes(dialect) };
  });
}

function checkedText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new RequestError(`${name} must be a string.`);
}

function checkedNumber(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new RequestError(`${name} must be a non-negative integer.`);
}

const LONGEST_LIST = 2000;

function checkedList(value: unknown, name: string): string[] {
  const isList = Array.isArray(value) && value.length <= LONGEST_LIST && value.every((one) => typeof one === 'string');
  if (isList) return value;
  throw new RequestError(`${name} must be a list of at most ${LONGEST_LIST} strings.`);
}

function checkedName<Name extends string>(value: unknown, known: readonly Name[], name: string): Name {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new RequestError(`${name} must be one of ${known.join(', ')}.`);
}
