"""What all rivals written in Python look for: one regular expression for the blocks of each syntax."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

# In a dialect that Python, RE2 (DuckDB) and Rust's regex (Polars) share. Group 1 is what is kept.
PATTERNS = {
    "emoji_bracket": r"(?s)\x{1F6E0}\x{FE0F}?\[([^\]\n]+\].*?)\x{1F6E0}\x{FE0F}?\[/end\]",
    "markdown_fence": r"(?sm)^```tool([^\n]*\n.*?)^```[ \t]*$",
    "execute_block": r"(?s)<execute>(.*?)</execute>",
    "scissors_cat": r"(?s)^\s*(\[.*?\])\s*\x{2702}\x{FE0F}?\x{1F431}",
    "gadget_block": r"(?s)!!!GADGET_START:([^\n]*\n.*?)!!!GADGET_END",
}

# A text without it has no block of the syntax.
OPENERS = {
    "emoji_bracket": "\U0001f6e0",
    "markdown_fence": "```tool",
    "execute_block": "<execute>",
    "scissors_cat": "\u2702",
    "gadget_block": "!!!GADGET_START:",
}

# One block of these holds a batch of calls.
BATCHES = ("execute_block", "scissors_cat")


def for_python(pattern):
    """The pattern in the spelling of Python's re."""
    for code in ("1F6E0", "FE0F", "2702", "1F431"):
        pattern = pattern.replace("\\x{%s}" % code, chr(int(code, 16)))
    return pattern


def arguments():
    """The command line that all rivals share."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--check", action="store_true", help="count what was found, after the time is taken")
    parser.add_argument("files", nargs="+")
    parsed = parser.parse_args()
    parsed.out.mkdir(parents=True, exist_ok=True)
    return parsed


def report(seconds, counts):
    """Prints how long the work took, imports left out, and what was found."""
    json.dump({"seconds": seconds, "found": counts}, sys.stdout)
    print()
    sys.stdout.flush()
    # Tearing down large tables is not part of the work.
    os._exit(0)


def clock():
    return time.perf_counter()
