"""Adds keys to the index of a Ceph bucket, as if such objects existed. A million keys take a quarter of a minute.

    fill-bucket.py CEPH_CONF SAMPLE < KEYS

SAMPLE is a key that is in the bucket; its row of the index is the template for the others. KEYS has one key a line. The
added keys can be listed, but not read.
"""
import struct
import sys

import rados

AT_A_TIME = 5000


def main(conf, sample):
    cluster = rados.Rados(conffile=conf, name='client.admin')
    cluster.connect()
    pool = next(name for name in cluster.list_pools() if name.endswith('.buckets.index'))
    with cluster.open_ioctx(pool) as index:
        name, row = find(index, sample)
        fill(index, name, row, sample.encode())
    cluster.shutdown()


def find(index, sample):
    for item in index.list_objects():
        with rados.ReadOpCtx() as operation:
            rows, _ = index.get_omap_vals_by_keys(operation, (sample,))
            index.operate_read_op(operation, item.key)
            for _, row in rows:
                return item.key, row
    raise SystemExit(f'{sample} is in no bucket')


def fill(index, name, row, sample):
    # Version, oldest reader, length of the rest; length of the key, the key, everything else.
    head, tail = row[:2], row[10 + len(sample):]
    keys = sys.stdin.read().split('\n')
    for start in range(0, len(keys), AT_A_TIME):
        part = [key for key in keys[start:start + AT_A_TIME] if key]
        rows = []
        for key in part:
            text = key.encode()
            rows.append(head + struct.pack('<II', 4 + len(text) + len(tail), len(text)) + text + tail)
        with rados.WriteOpCtx() as operation:
            index.set_omap(operation, tuple(part), tuple(rows))
            index.operate_write_op(operation, name)


main(*sys.argv[1:])
