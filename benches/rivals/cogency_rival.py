"""The reference parser of execute_block (cogency), fed with whole completions. Finds that one syntax, writes nothing."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

import orjson
from cogency.core.parser import parse_tokens

from formats import OPENERS, arguments, clock, report

OPENER = OPENERS["execute_block"]


async def read(path):
    calls = 0
    with open(path, "rb") as lines:
        for line in lines:
            text = orjson.loads(line)["completion"]
            # Kind to it: what has no opener need not be parsed.
            if OPENER in text:
                async for event in parse_tokens(text):
                    calls += event["type"] == "call"
    return calls


def work(path):
    return asyncio.run(read(path))


def main():
    args = arguments()
    start = clock()
    if args.threads > 1:
        with ProcessPoolExecutor(args.threads) as pool:
            calls = sum(pool.map(work, args.files))
    else:
        calls = sum(work(path) for path in args.files)
    report(clock() - start, {"execute_block": calls})


if __name__ == "__main__":
    main()
