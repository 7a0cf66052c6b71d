/**
 * The parameters of each tool, typed for programs, so that a misspelt one does not compile. The types are made of the
 * schemas that models get. `null` means unset, as strict function calling sends it.
 */
import type { codexProperties } from './codex.ts';
import type { findProperties } from './find.ts';
import type { geminiProperties } from './gemini.ts';
import type { mycodeProperties } from './mycode.ts';
import type { lsProperties } from './standard-ls.ts';
import type { DialectName } from './table.ts';
import type { treeProperties } from './tree.ts';

/** The value that a JSON Schema describes. */
type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { readonly properties: infer Properties }
    ? ParamsIn<Properties>
    : Schema extends { readonly type: keyof Values }
      ? Values[Schema['type']]
      : never;

type Values = { string: string; integer: number; boolean: boolean; array: readonly string[] };

/** An object with these properties, of which only the required ones must be there. */
type ParamsIn<Properties, Required extends keyof Properties = never> = {
  readonly [Name in Required]: ValueOf<Properties[Name]>;
} & { readonly [Name in Exclude<keyof Properties, Required>]?: ValueOf<Properties[Name]> | null | undefined };

/** The parameters of `LS` in the standard dialect: [what they mean](standard.md). */
export type LsParams = ParamsIn<typeof lsProperties>;

/** The parameters of `Tree`: [what they mean](tree.md). */
export type TreeParams = ParamsIn<typeof treeProperties>;

/** The parameters of `Find`: [what they mean](find.md). */
export type FindParams = ParamsIn<typeof findProperties, 'query'>;

/** The parameters of `list_directory` in the gemini dialect: [what they mean](gemini.md). `debug` adds counts and timings. */
export type LSToolParams = ParamsIn<typeof geminiProperties, 'path'> & { readonly debug?: boolean | null | undefined };

/** The parameters of `LS` in the mycode dialect: [what they mean](mycode.md). */
export type LSInput = ParamsIn<typeof mycodeProperties>;

/** The parameters of `list_dir` in the codex dialect: [what they mean](codex.md). */
export type ListDirArgs = ParamsIn<typeof codexProperties, 'dir_path'>;

/** The parameters that the listing tool of a dialect takes. */
export type ParamsOf<Name extends DialectName> = {
  standard: LsParams;
  gemini: LSToolParams;
  mycode: LSInput;
  codex: ListDirArgs;
}[Name];

/** The names of a dialect's tools. */
export type ToolName<Name extends DialectName = DialectName> = {
  standard: 'LS' | 'Tree' | 'Find';
  gemini: 'list_directory';
  mycode: 'LS';
  codex: 'list_dir';
}[Name];
