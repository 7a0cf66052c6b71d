import { expect, it } from 'vitest';
import { pageIn } from '../../../src/sources/s3/s3-page.ts';

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
const page = (inside: string) => `${HEAD}<Name>b</Name><Prefix>a/</Prefix>${inside}</ListBucketResult>`;
const LAST = '<IsTruncated>false</IsTruncated>';
const object = (key: string, more = '') =>
  `<Contents><Key>${key}</Key><LastModified>2024-05-01T10:00:00.123Z</LastModified><ETag>&quot;9&quot;</ETag><Size>12</Size>${more}</Contents>`;
const read = (key: string) => ({ key, size: 12, modified: Date.UTC(2024, 4, 1, 10, 0, 0, 123) });

it.each([
  ['an empty page', LAST, { objects: [], prefixes: [], next: null }],
  [
    'keys, with whatever else is told of them',
    `${LAST}${object('a/b%20c+d', '<StorageClass>STANDARD</StorageClass><Owner><ID>x</ID></Owner>')}${object('a/%C3%A9')}`,
    { objects: [read('a/b c d'), read('a/Ã©')], prefixes: [], next: null },
  ],
  [
    'prefixes, and where the next page begins',
    '<CommonPrefixes><Prefix>a/x/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>a%2Fy/</Prefix></CommonPrefixes><NextContinuationToken>a=/+</NextContinuationToken><IsTruncated>true</IsTruncated>',
    { objects: [], prefixes: ['a/x/', 'a/y/'], next: { token: 'a=/+' } },
  ],
])('reads %s', async (_, xml, expected) => {
  expect(await pageIn(page(xml))).toEqual(expected);
});

it.each([
  ['an error', '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>'],
  ['an answer that is cut off', page(LAST + object('a/b')).slice(0, -20)],
  ['what is not XML', '404 page not found'],
  ['a page that does not tell whether it is the last', page(object('a/b'))],
  ['a page that has a next one, and does not tell where', page('<IsTruncated>true</IsTruncated>')],
  ['a key with something to decode', page(LAST + object('a/b&amp;c'))],
  ['a key in another form', page(LAST + object('<![CDATA[a/b]]>'))],
  ['an object with an attribute', page(`${LAST}<Contents id="1"><Key>a</Key></Contents>`)],
  ['an object without a key', page(`${LAST}<Contents><Size>1</Size></Contents>`)],
  ['two keys in one object', page(LAST + object('a/b', '<Key>a/c</Key>'))],
  ['a size that is no number', page(LAST + object('a/b').replace('12', '-12'))],
  ['two prefixes in one', page(`${LAST}<CommonPrefixes><Prefix>a/</Prefix><Prefix>b/</Prefix></CommonPrefixes>`)],
])('leaves %s to the SDK', async (_, xml) => {
  expect(await pageIn(xml)).toBe(null);
});
