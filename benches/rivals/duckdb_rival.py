"""DuckDB: read_json, regexp_extract_all for each syntax, COPY TO Parquet. Stores matches; splits no batch, reads no arguments."""

import duckdb

from formats import PATTERNS, arguments, clock, report

args = arguments()
out = str(args.out / "duckdb.parquet").replace("'", "''")
connection = duckdb.connect()
connection.execute(f"SET threads = {args.threads}")
connection.execute("SET preserve_insertion_order = false")
matches = ", ".join(
    f"regexp_extract_all(completion, '{pattern}', 1) AS {name}" for name, pattern in PATTERNS.items()
)
start = clock()
connection.execute(
    f"""
    COPY (
        SELECT id, model, {matches}
        FROM read_json(?, format = 'newline_delimited', maximum_object_size = 67108864,
            columns = {{id: 'VARCHAR', model: 'VARCHAR', completion: 'VARCHAR'}})
    ) TO '{out}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)
    """,
    [args.files],
)
seconds = clock() - start
counts = {}
if args.check:
    sums = ", ".join(f"sum(len({name}))::BIGINT" for name in PATTERNS)
    counts = dict(zip(PATTERNS, connection.execute(f"SELECT {sums} FROM '{out}'").fetchone()))
report(seconds, counts)
