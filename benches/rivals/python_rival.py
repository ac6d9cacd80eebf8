"""Python: orjson for records and batches, re for blocks, pyarrow for Parquet. Batches are split, YAML is left as it is."""

import re
from concurrent.futures import ProcessPoolExecutor

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from formats import BATCHES, OPENERS, PATTERNS, arguments, clock, for_python, report

SYNTAXES = [(name, OPENERS[name], re.compile(for_python(pattern))) for name, pattern in PATTERNS.items()]
SCHEMA = pa.schema([(name, pa.string()) for name in ("id", "model", "syntax", "name", "arguments")])
ROWS = 50_000


def calls_of(syntax, block):
    """Names and arguments of a block's calls."""
    if syntax == "execute_block":
        return [(call["name"], orjson.dumps(call["args"])) for call in orjson.loads(block)]
    if syntax == "scissors_cat":
        return [(call["type"], orjson.dumps(call["parameters"])) for call in orjson.loads(block)]
    head, _, body = block.partition("]" if syntax == "emoji_bracket" else "\n")
    words = head.split()
    return [(words[0] if words else "tool", body)]


def work(path, out):
    counts = dict.fromkeys(PATTERNS, 0)
    columns = [[] for _ in SCHEMA]
    with open(path, "rb") as lines, pq.ParquetWriter(out, SCHEMA, compression="zstd", compression_level=1) as writer:

        def flush():
            writer.write_batch(pa.record_batch([pa.array(column, pa.string()) for column in columns], schema=SCHEMA))
            for column in columns:
                column.clear()

        for line in lines:
            record = orjson.loads(line)
            text = record["completion"]
            for syntax, opener, pattern in SYNTAXES:
                if opener not in text:
                    continue
                for block in pattern.findall(text):
                    for name, call_arguments in calls_of(syntax, block):
                        counts[syntax] += 1
                        row = (record["id"], record["model"], syntax, name, call_arguments)
                        for column, value in zip(columns, row):
                            column.append(value)
            if len(columns[0]) >= ROWS:
                flush()
        flush()
    return counts


def main():
    args = arguments()
    start = clock()
    outs = [args.out / f"python-{index}.parquet" for index in range(len(args.files))]
    if args.threads > 1:
        with ProcessPoolExecutor(args.threads) as pool:
            found = list(pool.map(work, args.files, outs))
    else:
        found = [work(path, out) for path, out in zip(args.files, outs)]
    seconds = clock() - start
    report(seconds, {name: sum(counts[name] for counts in found) for name in PATTERNS})


if __name__ == "__main__":
    main()
