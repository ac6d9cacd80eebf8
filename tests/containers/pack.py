"""Packs log.jsonl in every way that toolscan reads. Run by scripts/containers."""

import bz2
import gzip
import io
import json
import lzma
import struct
import zipfile
from pathlib import Path

import lz4.frame
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

FOLDER = Path(__file__).parent
LOG = (FOLDER / "log.jsonl").read_bytes()
# Cuts that no stream should care about: within a line, and within a character.
PARTS = [LOG[:100], LOG[100:301], b"", LOG[301:]]
SKIPPABLE = bytes.fromhex("532a4d18") + (7).to_bytes(4, "little") + b"ignored"


def joined(pack, parts=PARTS, between=b""):
    return between.join(pack(part) for part in parts)


def zstd(part, **options):
    return zstandard.ZstdCompressor(**options).compress(part)


def zstd_stream(part):
    """A frame that does not say how large its content is."""
    packer = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    return packer.compress(part) + packer.flush()


def gz(part):
    return gzip.compress(part, mtime=0)


def gz_named(part):
    """A member with a name and an extra field, as `gzip FILE` and bgzip write them."""
    packed = gz(part)
    extra = b"BC\2\0\0\0"
    return packed[:3] + b"\x0c" + packed[4:10] + len(extra).to_bytes(2, "little") + extra + b"log.txt\0" + packed[10:]


def lz4_frame(part, **options):
    return lz4.frame.compress(part, content_checksum=True, **options)


PACKED = {
    "gzip": gz(LOG),
    "gzip-members": joined(gz),
    "gzip-header": gz_named(LOG),
    "gzip-zeros": joined(gz) + bytes(1000),
    "zstd": zstd(LOG, level=19),
    "zstd-stream": zstd_stream(LOG),
    "zstd-frames": SKIPPABLE + joined(zstd, between=SKIPPABLE) + SKIPPABLE,
    "bzip2": bz2.compress(LOG),
    "bzip2-streams": joined(bz2.compress),
    "xz": lzma.compress(LOG, preset=9),
    "xz-streams": joined(lzma.compress, between=bytes(8)) + bytes(4),
    "lz4": lz4_frame(LOG),
    "lz4-linked": lz4_frame(LOG, block_linked=True, block_size=lz4.frame.BLOCKSIZE_MAX64KB, store_size=False),
    "lz4-frames": joined(lz4_frame, between=SKIPPABLE) + SKIPPABLE,
    "gzip-in-zstd": zstd(gz(LOG)),
}

for name, packed in PACKED.items():
    (FOLDER / name).write_bytes(packed)
    print(f"{len(packed):6} {name}")


# ZIP archives, sound ones and others.


def archive(members, compression=zipfile.ZIP_DEFLATED):
    """`members`: name → bytes, in this order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as packed:
        for name, content in members.items():
            packed.writestr(zipfile.ZipInfo(name), content, compression)
    return out.getvalue()


def twice(packed):
    """The list names the one member twice: what a ZIP bomb does a thousand times."""
    end = packed.rindex(b"PK\5\6")
    start = packed.index(b"PK\1\2")
    entry = packed[start:end]
    other = entry.replace(b"log.jsonl", b"l2g.jsonl")
    last = packed[end:]
    last = last[:8] + struct.pack("<HHII", 2, 2, 2 * len(entry), start) + last[20:]
    return packed[:start] + entry + other + last


def patched(packed, offset, value):
    """The list says something else of its first member."""
    place = packed.index(b"PK\1\2") + offset
    return packed[:place] + value + packed[place + len(value) :]


SOUND = archive({"log.jsonl": LOG})
ZIPS = {
    "deflated": SOUND,
    "stored": archive({"log.jsonl": LOG}, zipfile.ZIP_STORED),
    "bzip2": archive({"log.jsonl": LOG}, zipfile.ZIP_BZIP2),
    "folders": archive(
        {
            "b/": b"",
            "b/log.jsonl.gz": gz(LOG),
            "../a.jsonl": LOG,
            "notes.txt": b"no log",
            "_set/aside.jsonl": LOG,
            "__MACOSX/b.jsonl": b"\0",
        }
    ),
    "unnamed": archive({"part-00000": LOG}),
    "commented": SOUND[:-2] + struct.pack("<H", 7) + b"comment",
    "overlapping": twice(SOUND),
    "larger": patched(SOUND, 24, struct.pack("<I", len(LOG) - 1)),
    "smaller": patched(SOUND, 24, struct.pack("<I", len(LOG) + 1)),
    "checksum": patched(SOUND, 16, bytes(4)),
    "encrypted": patched(SOUND, 8, bytes([1])),
    "unknown": patched(SOUND, 10, bytes([99])),
    "nested": archive({"a.zip": SOUND}),
    "notes": archive({"a/": b""}),
}

(FOLDER / "zip").mkdir(exist_ok=True)
for name, packed in ZIPS.items():
    (FOLDER / "zip" / name).write_bytes(packed)
    print(f"{len(packed):6} zip/{name}")


# Tables, as data sets are kept.

RECORDS = []
for line in LOG.decode().splitlines():
    try:
        RECORDS.append(json.loads(line))
    except ValueError:
        continue

KEYS = list(dict.fromkeys(key for record in RECORDS for key in record))
TABLE = pa.Table.from_pylist([{key: record.get(key) for key in KEYS} for record in RECORDS])
# Structs of one column have the same members, so that each call gets the arguments of the other, null.
MESSAGES = [
    {
        "id": f"m{place}",
        "messages": [
            {"role": "user", "content": "Do."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{place}", "type": "function", "function": call}]},
            {"role": "assistant", "content": "🛠️[done]\n\n🛠️[/end]"},
        ],
    }
    for place, call in enumerate(
        [
            {"name": "read", "arguments": {"file": "a.txt", "lines": [1, 2]}},
            {"name": "search", "arguments": {"query": "ä \" b", "exact": True, "weight": 0.5}},
        ]
    )
]


def parquet(table, **options):
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def arrow(table, writer, codec=None):
    out = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with writer(out, table.schema, options=options) as packed:
        for batch in table.to_batches(max_chunksize=3):
            packed.write_batch(batch)
    return out.getvalue()


BY_NAME = TABLE.set_column(
    TABLE.schema.get_field_index("model"), "model", TABLE["model"].dictionary_encode().combine_chunks()
)
ROWS = {
    "parquet": parquet(TABLE),
    "parquet-zstd": parquet(TABLE, compression="zstd", row_group_size=3),
    "parquet-lz4": parquet(BY_NAME, compression="lz4", data_page_version="2.0", use_dictionary=False),
    "parquet-gzip": parquet(TABLE, compression="gzip", row_group_size=1),
    "arrow-file": arrow(TABLE, pa.ipc.new_file),
    "arrow-file-lz4": arrow(BY_NAME, pa.ipc.new_file, "lz4"),
    "arrow-stream": arrow(BY_NAME, pa.ipc.new_stream),
    "arrow-stream-zstd": arrow(TABLE, pa.ipc.new_stream, "zstd"),
    "arrow-in-gzip": gz(arrow(TABLE, pa.ipc.new_stream)),
}
ROWS_ELSEWHERE = {
    "messages.parquet": parquet(pa.Table.from_pylist(MESSAGES)),
    "messages.jsonl": "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in MESSAGES).encode(),
    "types.parquet": parquet(
        pa.table(
            {
                "completion": pa.array(["a", "b"], pa.large_string()),
                "map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int8())),
                "time": pa.array([0, None], pa.timestamp("us", "UTC")),
                "bytes": pa.array([b"\xff", b"x"]),
                "list": pa.array([[[1.5], []], None], pa.list_(pa.list_(pa.float32()))),
                "null": pa.nulls(2),
                "decimal": pa.array([None, 12], pa.decimal128(10, 2)),
            }
        )
    ),
}

(FOLDER / "rows").mkdir(exist_ok=True)
for name, packed in (ROWS | ROWS_ELSEWHERE).items():
    (FOLDER / "rows" / name).write_bytes(packed)
    print(f"{len(packed):6} rows/{name}")
