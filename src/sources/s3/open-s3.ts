/** Opens `s3://BUCKET/PREFIX` through the AWS SDK, which is loaded here and nowhere else. */
import type { Bytes } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { asyncSource } from '../../workspace/loading/async-source.ts';
import { type Open, optionalPackage } from '../open.ts';
import { parseS3Address } from './s3-address.ts';
import { S3Bucket } from './s3-client.ts';
import { pathOfKey } from './s3-keys.ts';
import { S3Tree } from './s3-tree.ts';

const PACKAGE = '@aws-sdk/client-s3';

export const open: Open = async (address, { maxAge, signal }) => {
  const { bucket: name, prefix } = parseS3Address(address);
  const sdk = await optionalPackage(PACKAGE, () => import('@aws-sdk/client-s3'));
  const bucket = await S3Bucket.open(name, sdk);
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
  return asyncSource(new S3Tree(bucket, prefix, `/${name.replaceAll('/', ':')}${inner}` as Bytes), { maxAge });
};
