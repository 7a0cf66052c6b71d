// What a search should find: the source files of a commit. And what a shell finds with the same words.
import { nameOf } from '../navigation/paths.js';

const TEST =
  /(^|\/)(tests?|__tests?__|specs?|testing|testdata|test-data|fixtures?|__fixtures__|__mocks__|__snapshots__|e2e|playground|acceptance|benches|bench|benchmarks?)\/|[-_.]tests?\/|[a-z]Tests?\//i;
const TEST_NAME = /(^|[-_.])(tests?|spec|snap|snapshot|conftest)([-_.]|$)|[a-z](Tests?|Spec)\.\w+$/;
const DOCUMENT =
  /\.(md|mdx|rst|txt|adoc|asciidoc|html?|po|pot|mo)$|(^|\/)(docs?|documentation|examples?|site|website|man)\/|(^|\/)(changelog|changes|history|authors|contributors|license|copying|readme|news|release[-_ ]?notes?)[^/]*$/i;
const LOCK = /(^|\/)(npm-shrinkwrap\.json|go\.sum|[^/]*[-.]lock(\.\w+)?)$/;

/** Not a test, a document or a lock file. */
export function isSource(path) {
  return !(TEST.test(path) || TEST_NAME.test(nameOf(path)) || DOCUMENT.test(path) || LOCK.test(path));
}

const COMMON = new Set('the and for with from into this that are not add fix use when make remove update'.split(' '));

/** `git ls-files | grep -iE 'a|b'`, those with the most words first: better than a shell does it. */
export function grepped(query, paths) {
  const words = [...new Set(query.toLowerCase().split(/[^a-z0-9]+/))].filter(
    (word) => word.length > 2 && !COMMON.has(word),
  );
  const rated = paths.map((path) => {
    const lower = path.toLowerCase();
    return { path, count: words.filter((word) => lower.includes(word)).length };
  });
  return rated
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ path }) => path);
}
