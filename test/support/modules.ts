/** The modules of `src` as a parser sees them: what each imports, and what it exports. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

export interface Import {
  /** A file below `src`, or a package. */
  readonly from: string;
  readonly isPackage: boolean;
  /** `type`: gone after compiling; `static`: loaded with the importer; `dynamic`: loaded when it is called. */
  readonly kind: 'type' | 'static' | 'dynamic';
  readonly names: readonly string[];
}

export interface Module {
  /** Below `src`, with slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly exports: readonly string[];
}

const source = join(fileURLToPath(new URL('../..', import.meta.url)), 'src');

export function readModules(): Module[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((path) => parseModule(path, readFileSync(join(source, path), 'utf8')));
}

export function parseModule(path: string, text: string): Module {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const add = (specifier: string, kind: Import['kind'], names: readonly string[]) => {
    const isPackage = !specifier.startsWith('.');
    const from = isPackage ? specifier : posix.join(dirname(path), specifier);
    imports.push({ from, isPackage, kind, names });
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    add(moduleRequest.value, isType ? 'type' : 'static', entries.map(importedName));
  }
  const exports: string[] = [];
  for (const { moduleRequest, importName, exportName, isType } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    if (exportName.name !== null) exports.push(exportName.name);
    if (moduleRequest !== null) add(moduleRequest.value, isType ? 'type' : 'static', [importName.name ?? '*']);
  }
  // The result of a dynamic import may be taken apart anywhere: every name in the file could come from it.
  const words = new Set<string>();
  new Visitor({
    Identifier: ({ name }) => words.add(name),
    TSImportType: ({ source: { value } }) => add(value, 'type', ['*']),
  }).visit(program);
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = text.slice(moduleRequest.start + 1, moduleRequest.end - 1);
    add(specifier, 'dynamic', [...words]);
  }
  return { path, imports, exports };
}

function importedName({ importName: { kind, name } }: { importName: { kind: string; name: string | null } }): string {
  return kind === 'NamespaceObject' ? '*' : (name ?? 'default');
}
