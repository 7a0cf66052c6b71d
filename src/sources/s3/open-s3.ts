/** Opens `s3://BUCKET/PREFIX`, as the `aws` command writes it, through the AWS SDK, which is loaded only here. */
import { type Bytes, bytesOf } from '../../names/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { asyncSource } from '../loading/async-source.ts';
import { type Open, optionalPackage } from '../open.ts';
import { openBucket } from './s3-client.ts';
import { pathOfKey } from './s3-keys.ts';
import { s3Tree } from './s3-tree.ts';

export const open: Open = async (address, { maxAge, signal }) => {
  const { name, prefix } = parseAddress(address);
  const sdk = await optionalPackage('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const bucket = await openBucket(name, sdk);
  try {
    const { objects, prefixes } = await bucket.page(prefix, true, null, signal);
    if (prefix !== '' && objects.length + prefixes.length === 0) {
      throw new ListingError('missing', `no key begins with this prefix; s3://${name} shows what the bucket holds`);
    }
  } catch (error) {
    bucket.close();
    throw error;
  }
  const inner = prefix === '' ? '' : `/${pathOfKey(prefix.slice(0, -1) as Bytes)}`;
  return asyncSource(s3Tree(bucket, prefix, `/${name.replaceAll('/', ':')}${inner}` as Bytes), { maxAge });
};

/** An access point is named by an ARN, which may contain slashes; the key follows it. */
const ADDRESS =
  /^s3:\/\/(arn:[a-z-]+:s3[a-z-]*:[a-z0-9-]*:\d*:accesspoint[:/][a-z0-9.-]+|[a-zA-Z0-9][a-zA-Z0-9._-]*)(?:\/([\s\S]*))?$/;

/** Returns the name of the bucket and the prefix of all keys, which is '' or ends with a slash. */
function parseAddress(text: string): { readonly name: string; readonly prefix: Bytes } {
  const [, name, path = ''] = ADDRESS.exec(text) ?? [];
  // The address is not repeated in the error: it could contain a secret.
  if (name === undefined) throw new ListingError('malformed', 'an address in an object store is s3://BUCKET/PREFIX');
  if (!path.isWellFormed()) throw new ListingError('malformed', 'a prefix of keys has to be valid Unicode');
  return { name, prefix: bytesOf(path === '' || path.endsWith('/') ? path : `${path}/`) };
}
