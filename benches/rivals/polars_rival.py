"""Polars: scan_ndjson, extract_all for each syntax, sink_parquet. Stores matches; splits no batch, reads no arguments."""

import os

from formats import PATTERNS, arguments, clock, report

args = arguments()
os.environ["POLARS_MAX_THREADS"] = str(args.threads)

import polars as pl  # noqa: E402 (reads the variable when imported)

out = args.out / "polars.parquet"
start = clock()
(
    pl.scan_ndjson(args.files, schema={"id": pl.String, "model": pl.String, "completion": pl.String})
    .select(
        "id",
        "model",
        *(pl.col("completion").str.extract_all(pattern).alias(name) for name, pattern in PATTERNS.items()),
    )
    .sink_parquet(out, compression="zstd", compression_level=1)
)
seconds = clock() - start
counts = {}
if args.check:
    sums = pl.read_parquet(out).select(pl.col(name).list.len().sum() for name in PATTERNS)
    counts = sums.row(0, named=True)
report(seconds, counts)
