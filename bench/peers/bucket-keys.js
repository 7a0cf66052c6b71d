// All keys of a bucket as a user of the SDK asks for them, and counted; with a prefix, one level of it.
//
//     node bucket-keys.js BUCKET PREFIX
import { readFileSync } from 'node:fs';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const { paginateListObjectsV2, S3Client } = await import('@aws-sdk/client-s3');
const [Bucket, Prefix] = process.argv.slice(2);
const client = new S3Client({ forcePathStyle: true });
const level = Prefix === '' ? {} : { Prefix, Delimiter: '/' };
// The credentials and the connection are there before.
for await (const _ of paginateListObjectsV2({ client }, { Bucket, MaxKeys: 1 })) break;
const [started, used] = [performance.now(), process.cpuUsage()];
let count = 0;
for await (const page of paginateListObjectsV2({ client }, { Bucket, ...level })) {
  count += (page.Contents?.length ?? 0) + (page.CommonPrefixes?.length ?? 0);
}
const took = performance.now() - started;
const { user, system } = process.cpuUsage(used);
client.destroy();
const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
console.log(JSON.stringify({ took, cpu: (user + system) / 1e6, peak, count }));
