/**
 * Converts a tool's reply to the result that a client receives. Clients cut long answers, and some show a model the data
 * instead of the text. So both are bounded, and the data says what the text says, for about as many tokens.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DialectTool, ObjectSchema, ToolReply } from '../../dialects/dialect.ts';
import { memoized } from '../../names/memoized.ts';
import { objectOf, STRING } from '../../protocol/json-schema.ts';
import { cutToLines } from './cut.ts';

export interface AnswerSettings {
  /** Send answers as data, too, and let tools declare its shape. */
  readonly structured: boolean;
  /** `LS` answers in fewer words than its contract requires. */
  readonly brief: boolean;
  /** The maximum length of an answer. */
  readonly maxCharacters: number;
}

/** Returns the form in which a map's text is sent; undefined if unchanged. Memoised: maps are cached by form. */
export function sentForm(root: string | null, { structured }: AnswerSettings): ((text: string) => string) | undefined {
  if (structured) return formsFor(root).data;
  return root === null ? undefined : formsFor(root).text;
}

/** The number of roots whose forms are cached. */
const ROOTS = 256;

const formsFor = memoized(ROOTS, (root: string | null) => ({
  text: (text: string) => asText(text, root),
  data: (text: string) => JSON.stringify(asData({ text }, root)),
}));

/** Adds the name of the root, if there are several. */
function asText(text: string, root: string | null): string {
  return root === null ? text : `Root: ${root}\n${text}`;
}

function asData(data: object, root: string | null) {
  return root === null ? { ...data } : { root, ...data };
}

/** Declares the tool's brief form, or a text instead of it. */
export function structuredSchema({ briefProperties }: DialectTool<unknown>): ObjectSchema {
  return objectOf({ root: STRING, ...briefProperties, text: STRING, error: STRING }, []);
}

export function resultOf(
  tool: DialectTool<unknown>,
  reply: Pick<ToolReply<unknown>, 'text' | 'isError' | 'brief'>,
  root: string | null,
  { structured, brief: wantsBrief, maxCharacters }: AnswerSettings,
): CallToolResult {
  const { isError } = reply;
  const brief = structured || wantsBrief ? reply.brief?.() : undefined;
  const body = wantsBrief ? (brief?.text ?? reply.text) : reply.text;
  const cutFor = (form: (text: string) => string) => cutToLines(body, form, maxCharacters, adviceFor(tool));
  const named = (text: string) => asText(text, root);
  const result = { content: [{ type: 'text' as const, text: named(cutFor(named)) }], ...(isError ? { isError } : {}) };
  if (!structured) return result;
  const data = asData(brief?.data ?? {}, root);
  if (brief !== undefined && JSON.stringify(data).length <= maxCharacters)
    return { ...result, structuredContent: data };
  const inForm = (text: string) => asData(isError ? { error: text } : { text }, root);
  return { ...result, structuredContent: inForm(cutFor((text) => JSON.stringify(inForm(text)))) };
}

function adviceFor({ tool }: DialectTool<unknown>): string {
  const { properties } = tool.parameters as { readonly properties?: object };
  const less = 'limit' in (properties ?? {}) ? 'Send a smaller limit' : "Leave out more with 'ignore'";
  return `${less}, or list a subdirectory.`;
}
