"""Reads the tables in every folder of the given one with several readers; their rows and the run's summary must agree."""

import json
import math
import sys
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow.parquet

TABLES = ("calls", "errors", "completions", "stats")


def duckdb_rows(path):
    result = duckdb.execute("SELECT * FROM read_parquet(?)", [str(path)])
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]


READERS = {
    "pyarrow": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
    "duckdb": duckdb_rows,
    "polars": lambda path: polars.read_parquet(path).to_dicts(),
    "pandas": lambda path: pandas.read_parquet(path).to_dict("records"),
}


def plain(value):
    """The value as JSON knows it: pandas has arrays for lists and NaN for null."""
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(element) for element in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def counts(tables):
    """What the summary says, counted in the rows. The datasets have too few findings for any to be left out."""
    calls, errors, completions = (tables[name] for name in TABLES[:3])
    of_severity = lambda severity: sum(row["severity"] == severity for row in errors)
    codes = {}
    for row in errors:
        codes[row["code"]] = codes.get(row["code"], 0) + 1
    return {
        "completions": len(completions),
        "with_calls": sum(row["n_calls"] > 0 for row in completions),
        "adherent": sum(row["outcome"] == "adherent" for row in completions),
        "calls": len(calls),
        "valid_calls": sum(row["valid"] for row in calls),
        "errors": of_severity("error"),
        "warnings": of_severity("warning"),
        "code_counts": codes,
    }


def said(row):
    """A row of the stats table with its counts of codes as the summary writes them."""
    return row | {"code_counts": {entry["code"]: entry["count"] for entry in row["code_counts"]}}


def faults(folder, read, reference):
    """What is wrong with what a reader makes of the folder's tables."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    tables = {name: [plain(row) for row in read(folder / f"{name}.parquet")] for name in TABLES}
    for name in TABLES:
        if tables[name] != reference[name]:
            yield f"{name}: other rows than pyarrow's"
    for name, count in counts(tables).items():
        if count != summary[name]:
            yield f"{name}: {count} in the rows, {summary[name]} in the summary"
    everything, *groups = map(said, tables["stats"])
    for name, value in everything.items():
        if value != summary.get(name, "all" if name == "level" else None):
            yield f"stats: {name} is {value} in the table, {summary.get(name)} in the summary"
    if groups != summary["groups"]:
        yield "stats: other groups than the summary's"


def main(folders):
    passed = failed = 0
    for folder in sorted(folders):
        reference = {name: READERS["pyarrow"](folder / f"{name}.parquet") for name in TABLES}
        for reader, read in READERS.items():
            try:
                found = list(faults(folder, read, reference))
            except Exception as error:  # Whatever a reader stumbles over is what this test is for.
                found = [f"{type(error).__name__}: {error}"]
            for fault in found:
                print(f"FAILED: {reader} on {folder.name}: {fault}")
            passed += not found
            failed += bool(found)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).iterdir()))
