/** Where something is in an object store: `s3://BUCKET/PREFIX`, as the `aws` command writes it. */
import { type Bytes, bytesOf } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';

interface S3Address {
  readonly bucket: string;
  /** What all keys begin with: '', or with a slash at its end. */
  readonly prefix: Bytes;
}

/** An access point is named by an ARN, which may hold slashes; it ends before the key. */
const ADDRESS =
  /^s3:\/\/(arn:[a-z-]+:s3[a-z-]*:[a-z0-9-]*:\d*:accesspoint[:/][a-z0-9.-]+|[a-zA-Z0-9][a-zA-Z0-9._-]*)(?:\/([\s\S]*))?$/;

export function parseS3Address(text: string): S3Address {
  const [, bucket, path = ''] = ADDRESS.exec(text) ?? [];
  // What was written is not repeated: something secret could stand in it.
  if (bucket === undefined) throw new ListingError('malformed', 'an address in an object store is s3://BUCKET/PREFIX');
  if (!path.isWellFormed()) throw new ListingError('malformed', 'a prefix of keys has to be valid Unicode');
  return { bucket, prefix: bytesOf(path === '' || path.endsWith('/') ? path : `${path}/`) };
}
