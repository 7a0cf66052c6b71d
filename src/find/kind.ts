/**
 * What a file is, by its name and its directories: source, or something that is rarely meant when source has the same
 * words. A wrong guess hides nothing: it only changes the order.
 */
import type { Bytes } from '../names/bytes.ts';
import { foldText } from '../protocol/words.ts';

export const SOURCE = 0;
const TEST = 1;
const DOCUMENT = 2;
/** Made by a program, or by others. */
const FOREIGN = 3;

const DIRECTORIES: ReadonlyMap<string, number> = new Map(
  [
    [TEST, 'test tests __test__ __tests__ spec specs testing testdata test-data test_data testsuite e2e playground'],
    [TEST, 'fixture fixtures __fixtures__ __mocks__ __snapshots__ snapshots cassettes golden goldens acceptance'],
    [TEST, 'bench benches benchmark benchmarks'],
    [DOCUMENT, 'doc docs documentation example examples sample samples site website man locale locales i18n l10n'],
    [DOCUMENT, 'translations'],
    [FOREIGN, 'node_modules bower_components vendor vendors vendored third_party third-party thirdparty external'],
    [FOREIGN, 'externals deps pods site-packages venv .venv __pycache__ dist build out target obj generated gen'],
    [FOREIGN, '__generated__ autogen _build .next .nuxt coverage cjs esm umd amd'],
  ].flatMap(([kind, names]) =>
    String(names)
      .split(' ')
      .map((name) => [name, kind as number] as const),
  ),
);

const TEST_NAME = /(?:^|[-_.])(?:tests?|specs?|snap|snapshot|conftest)(?:[-_.]|$)|[a-z](?:Tests?|Spec)\.\w+$/;
const DOCUMENT_NAME =
  /\.(?:md|mdx|rst|txt|adoc|asciidoc|html?|po|pot|mo|pdf|png|jpe?g|gif|svg|ico|webp|woff2?|ttf)$|^(?:changelog|changes|history|authors|contributors|licen[cs]e|copying|readme|news|release[-_]?notes?)\b/i;
const FOREIGN_NAME =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|\.ds_store)$|[-.]lock(?:\.\w+)?$|\.(?:map|lock|lockb|pyc|class|o|a|so|dll|dylib|exe|wasm|log|orig|rej|tsbuildinfo)$|\.(?:min|bundle|chunk|generated|gen|pb|g|freezed)\.\w+$/i;

export function kindOfDirectory(name: Bytes): number {
  return DIRECTORIES.get(foldText(name)) ?? (/[-_.]tests?$|Tests?$/.test(name) ? TEST : SOURCE);
}

export function kindOfFile(name: Bytes): number {
  if (TEST_NAME.test(name)) return TEST;
  if (FOREIGN_NAME.test(name)) return FOREIGN;
  return DOCUMENT_NAME.test(name) ? DOCUMENT : SOURCE;
}

/** The words of a query that ask for files of a kind. */
const ASKING: ReadonlyMap<string, number> = new Map(
  [
    [
      TEST,
      'test tests testing spec specs fixture fixtures snapshot snapshots mock mocks bench benchmark benchmarks e2e',
    ],
    [DOCUMENT, 'doc docs document documents documentation readme changelog changes example examples license image'],
    [FOREIGN, 'vendor vendored generated lockfile'],
  ].flatMap(([kind, words]) =>
    String(words)
      .split(' ')
      .map((word) => [word, kind as number] as const),
  ),
);

/** The kinds of files that a query asks for, besides source. */
export function kindsAsked(words: readonly string[]): ReadonlySet<number> {
  return new Set(words.flatMap((word) => ASKING.get(word) ?? []));
}
