"""Packs log.jsonl in every way that toolscan reads. Run by scripts/containers."""

import bz2
import gzip
import lzma
from pathlib import Path

import lz4.frame
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
