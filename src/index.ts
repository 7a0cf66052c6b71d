/** The public API. */

export type { ListDirResult } from './dialects/codex.ts';
export type {
  BriefReply,
  CallManner,
  Dialect,
  DialectTool,
  ObjectSchema,
  ToolDeclaration,
  ToolDescription,
  ToolReply,
} from './dialects/dialect.ts';
export type { FindData, FindEntry, FindResponse } from './dialects/find.ts';
export type { ListDirectoryDebug, ListDirectoryResult } from './dialects/gemini.ts';
export type { FileFiltering } from './dialects/gemini-config.ts';
export { type AnswerOf, dialects } from './dialects/index.ts';
export type { LSEntry, LSFailure, LSListing, LSOutput } from './dialects/mycode.ts';
export type {
  FindParams,
  ListDirArgs,
  LSInput,
  LSToolParams,
  LsParams,
  ParamsOf,
  ToolName,
  TreeParams,
} from './dialects/params.ts';
export type { LsResponse } from './dialects/standard-ls.ts';
export type { DialectName } from './dialects/table.ts';
export type { TreeData, TreeResponse } from './dialects/tree.ts';
export { call, find, tree, type Unchecked } from './faces/library/call.ts';
export { type ExplainOptions, type Explanation, explain } from './faces/library/explain.ts';
export type {
  DescribedEntry,
  DirectoryListing,
  EntryMetadata,
  ListedEntry,
  ListOptions,
  ListOrder,
} from './faces/library/list.ts';
export { list } from './faces/library/list.ts';
export type { FileEntry, ListDirectoryTool, ListDirectoryToolOptions } from './faces/library/list-directory-tool.ts';
export { listDirectoryTool } from './faces/library/list-directory-tool.ts';
export type { ObservedOptions } from './faces/library/misuse.ts';
export type { OpenablePath, Place, WorkspaceOptions } from './faces/library/open-workspace.ts';
export { openablePath, openWorkspace } from './faces/library/open-workspace.ts';
export { type ScanOptions, type ScanSummary, scan } from './faces/library/scan.ts';
export { type CreateToolboxOptions, createToolbox } from './faces/library/toolbox.ts';
export type { CallObserver, ObservedCall } from './faces/trace/observed.ts';
export { openTrace, type Trace } from './faces/trace/open-trace.ts';
export type { CallRecord, SessionRecord, TraceFace, TraceRecord, TraceSettings } from './faces/trace/record-types.ts';
export { type OpenTelemetryApi, type SpanOptions, spansOf } from './faces/trace/spans.ts';
export type { Selection } from './listing/query.ts';
export { type Bytes, bytesOf, textOf } from './names/bytes.ts';
export type { RootPath } from './names/paths.ts';
export type { TreeEntry, TreeFold } from './overview/entries.ts';
export { type ParsedTree, parseTree } from './overview/parse-tree.ts';
export type { MapOptions, TextLimits } from './overview/project-map.ts';
export type {
  Context,
  Data,
  EntryRow,
  ErrorCode,
  ErrorDetail,
  ErrorResponse,
  KnownData,
  MatchRow,
  PartialResponse,
  Stats,
  SuccessResponse,
  ToolKind,
  ToolResponse,
} from './protocol/envelope.ts';
export { ERROR_CODES, failure, partial, success } from './protocol/envelope.ts';
export { ENVELOPE_SCHEMA } from './protocol/envelope-schema.ts';
export type { LimitOptions } from './protocol/limits.ts';
export { normalizeResponse } from './protocol/normalize.ts';
export { dryRunPartial, failedItemsPartial, fallbackPartial, truncatedPartial } from './protocol/partial-cases.ts';
export { type AnsweredCall, type Responder, respondTo } from './protocol/respond.ts';
export type {
  AnsweredToolCall,
  DeclaredTool,
  Executable,
  Toolbox,
  ToolboxOptions,
  ToolCall,
  ToolRunOptions,
  Tools,
} from './protocol/toolbox.ts';
export { type TruncateOptions, truncateObservation } from './protocol/truncate.ts';
export { UsageError } from './protocol/usage-error.ts';
export { type ValidateOptions, type Validation, type Violation, validateResponse } from './protocol/validate.ts';
export type { Origin } from './rules/rule.ts';
export type { FileSystemDirent, FileSystemLike, FileSystemStats } from './sources/file-system/fs-tree.ts';
export { type AsyncSourceOptions, asyncSource } from './sources/loading/async-source.ts';
export type { AskOptions, AsyncEntries, AsyncEntry, AsyncTree, WalkOptions } from './sources/loading/async-tree.ts';
export type {
  MemoryEntry,
  MemoryEntryDetails,
  MemorySource,
  MemorySourceOptions,
  MemoryTree,
} from './sources/memory/memory-source.ts';
export { memorySource } from './sources/memory/memory-source.ts';
export type {
  CloudSandbox,
  DaytonaSandbox,
  E2bSandbox,
  SandboxSourceOptions,
  VercelSandbox,
} from './sources/sandbox/sandbox-tree.ts';
export { sandboxSource } from './sources/sandbox/sandbox-tree.ts';
export type { CallOptions, Stop } from './workspace/budget.ts';
export { type FailureKind, ListingError } from './workspace/listing-error.ts';
export type { DirectoryReader, EntryBuffer, EntryType, ReadBudget } from './workspace/reader.ts';
export { entryReader } from './workspace/reader.ts';
export type {
  Identity,
  LookupResult,
  Metadata,
  Outside,
  PathStyle,
  RevisionRepository,
  Source,
  SourceDirectory,
  SourceRoot,
  Stamp,
} from './workspace/source.ts';
export { newDevice, SkippedFile } from './workspace/source.ts';
export { Unloaded } from './workspace/steps.ts';
export type { Workspace } from './workspace/workspace.ts';
