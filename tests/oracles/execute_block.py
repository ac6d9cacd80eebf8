"""Compares the valid calls of toolscan with those of the original parser of execute_block (cogency.core.parser).

Reads on stdin the lines that examples/oracle_texts.rs writes. Where the two differ, the driver looks for edits of the
text, or of the reference, each of which takes back one divergence that docs/divergences.md lists, under which both
agree. A text for which there are none fails.

usage: execute_block.py SITE_PACKAGES < texts.jsonl
"""

import asyncio
import itertools
import json
import logging
import re
import sys
import types
from collections import Counter
from pathlib import Path

# Of the package only three modules are wanted; its own __init__ would load what is not installed.
core = Path(sys.argv[1]) / "cogency" / "core"
for name, folder in (("cogency", core.parent), ("cogency.core", core)):
    package = types.ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package
from cogency.core import parser  # noqa: E402

logging.disable(logging.CRITICAL)

# Shares of the texts that have to agree without any edit: of all, and of those in which toolscan sees a valid call.
AGREE = 0.6
AGREE_WITH_CALLS = 0.4
# Edits that are tried together at most, and how many combinations.
EDITS = 12
TRIES = 5000
# Think tags of which every reading is tried.
TAGS = 12

OPEN, CLOSE = b"<execute>", b"</execute>"
RESULTS_OPEN, RESULTS_CLOSE = b"<results>", b"</results>"
BOM = "\ufeff".encode()
THINK_TAG = re.compile(rb"</?think(?:ing)?>")
SPACE = " \t\n\r\f\v\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


class Strict:
    """The reference's `json`, without the constants that RFC 8259 does not know."""

    JSONDecodeError = json.JSONDecodeError
    dumps = staticmethod(json.dumps)

    @staticmethod
    def loads(text):
        def refuse(word):
            raise json.JSONDecodeError(f"{word} is no JSON", text, 0)

        return json.loads(text, parse_constant=refuse)


plain_json, plain_call = parser.json, parser.parse_tool_call_dict


def named_call(value, **options):
    """The reference's check of an element, with names that are not empty."""
    call = plain_call(value, **options)
    if not call["name"]:
        raise ValueError("the name is empty")
    return call


async def reference(text):
    """The calls of the text's first valid block, and whether there is one."""
    calls = []
    async for event in parser.parse_tokens(text):
        if event["type"] == "call":
            calls.append(json.loads(event["content"]))
        elif event["type"] == "execute":
            return calls, True
    return calls, False


def comparable(value):
    """The value with all numbers as f64, booleans and objects told apart from them."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        try:
            return ("number", float(value))
        except OverflowError:
            return ("number", float("inf"))
    if isinstance(value, list):
        return [comparable(item) for item in value]
    return {key: comparable(item) for key, item in value.items()}


def batches(scan):
    """What toolscan holds for valid: calls of each block, and where the block ends at the earliest."""
    blocks = {}
    for call in scan["calls"]:
        if call["valid"]:
            blocks.setdefault(call["block"], []).append(call)
    found = []
    for calls in blocks.values():
        read = [{"name": call["name"], "args": comparable(json.loads(call["arguments"]))} for call in calls]
        found.append((calls[-1]["span"][1], read))
    # An empty batch is a valid block of the reference, too, unless it stands in a code fence.
    text = scan["text"].encode()
    fences = [code["span"] for code in scan["codes"] if code["code"] == "json_in_code_fence"]
    for code in scan["codes"]:
        start, end = code["span"]
        fenced = any(fence[1] <= start and CLOSE not in text[fence[0] : start] for fence in fences)
        if code["code"] == "empty_batch" and not fenced:
            found.append((end, []))
    return sorted(found, key=lambda batch: batch[0])


class Edit:
    """A change of some bytes that takes back one divergence."""

    def __init__(self, kind, start, end, into):
        self.kind, self.start, self.end, self.into = kind, start, end, into


def neutral(kind, start, marker):
    """Makes plain text of a marker."""
    return Edit(kind, start, start + len(marker), b"(" + marker[1:-1] + b")")


def apply(text, edits):
    edits = sorted(edits, key=lambda edit: edit.start)
    out, at = [], 0
    for edit in edits:
        if edit.start < at:
            return None
        out += [text[at : edit.start], edit.into]
        at = edit.end
    return b"".join(out + [text[at:]])


def places(text, marker, start=0):
    while (at := text.find(marker, start)) >= 0:
        yield at
        start = at + 1


def in_backticks(text, at):
    """Whether backticks stand on both sides of the place, with no blank line between them."""
    before = re.split(rb"\n[ \t>]*\r?\n", text[:at])[-1]
    after = re.split(rb"\n[ \t>]*\r?\n", text[at:])[0]
    return b"`" in before and b"`" in after


def in_strings(text, tag, start, stop):
    """The places of `tag` behind `start` in a JSON string, if reading begins there, up to the first `stop` that stands
    in none."""
    inside, at = False, start
    while at < len(text):
        if text[at] == ord('"'):
            inside = not inside
        elif inside and text[at] == ord("\\"):
            at += 1
        elif inside and text.startswith(tag, at):
            yield at
        elif not inside and text.startswith(stop, at):
            return
        at += 1


def mentions(text, scan):
    """Openers that are plain text to toolscan: in inline code, or in front of what is no JSON."""
    for code in scan["codes"]:
        start, end = code["span"]
        if code["code"] != "stray_marker" or text[start:end] not in (OPEN, RESULTS_OPEN):
            continue
        if in_backticks(text, start):
            yield neutral("inline code", start, text[start:end])
            continue
        content = text[end:].decode().lstrip(SPACE)
        closer, other = text.find(CLOSE, end), text.find(OPEN, end)
        if not content.startswith(("[", "{", "```", "~~~")) and (closer < 0 or 0 <= other):
            yield neutral("mention", start, OPEN)


def unclosed(text, scan):
    """Openers whose block has no end marker of its own."""
    for code in scan["codes"]:
        start, end = code["span"]
        if code["code"] == "unclosed_block" and text[start:end] == OPEN:
            yield neutral("unclosed block", start, OPEN)
            # The reference would meet the openers in its strings next.
            for tag in (OPEN, RESULTS_OPEN):
                inner = in_strings(text, tag, end, OPEN)
                yield from (Edit("unclosed block", at, at + 1, b"\\u003c") for at in inner)
        if code["code"] == "invalid_results" and text[start:end] == RESULTS_OPEN:
            yield neutral("unclosed block", start, RESULTS_OPEN)
    last = text.rfind(RESULTS_CLOSE)
    yield from (neutral("unclosed block", at, RESULTS_OPEN) for at in places(text, RESULTS_OPEN, max(last, 0)))


def escapes(text):
    """Closing tags inside of JSON strings, written so that the reference does not see them."""
    for opener, closer in ((OPEN, CLOSE), (RESULTS_OPEN, RESULTS_CLOSE)):
        for at in places(text, opener):
            for found in in_strings(text, closer, at + len(opener), closer):
                yield Edit("closing tag in a string", found + 1, found + 2, b"\\/")


def byte_order_marks(text):
    """Byte order marks at the ends of a block's content, as blanks."""
    behind = rb"(?<=<execute>)\s*(\ufeff)".replace(rb"\ufeff", BOM)
    before = rb"(\ufeff)\s*(?=</execute>)".replace(rb"\ufeff", BOM)
    for pattern in (behind, before):
        for found in re.finditer(pattern, text):
            yield Edit("byte order mark", found.start(1), found.end(1), b" ")


def readings(text, hidden):
    """Ways to read the think tags in which `hidden` bytes are hidden: lists of edits that hide or neutralise."""
    tags = list(THINK_TAG.finditer(text))
    if not tags or len(tags) > TAGS:
        return [[]]
    found = []
    for count in range(len(tags), -1, -1):
        for live in itertools.combinations(tags, count):
            regions = hide(text, live)
            if regions is None or sum(inner for _, _, inner in regions) != hidden:
                continue
            edits = [Edit("reasoning", start, end, b" ") for start, end, _ in regions]
            outside = (tag for tag in tags if not any(start <= tag.start() < end for start, end, _ in regions))
            edits += [plain_tag(text, tag.start()) for tag in outside]
            found.append(edits)
    return found or [[]]


def plain_tag(text, at):
    """Makes text of a tag: as JSON escapes it, for it may stand in a string of a call, but where it would mend one."""
    escaped = (at - len(text[:at].rstrip(b"\\"))) % 2 == 1
    return Edit("reasoning", at, at + 1, b"(" if escaped else b"\\u003c")


def hide(text, live):
    """What these tags hide, each as start, end and bytes between the tags; `None` where a tag is in the way."""
    regions, at = [], 0
    live = list(live)
    while live:
        tag = live.pop(0)
        word = tag.group()
        if word.startswith(b"</"):
            if regions:
                return None
            regions.append((0, tag.end(), tag.start()))
            continue
        closer = text.find(b"</" + word[1:], tag.end())
        end = len(text) if closer < 0 else closer
        regions.append((tag.start(), end if closer < 0 else end + len(word) + 1, end - tag.end()))
        live = [tag for tag in live if tag.start() >= regions[-1][1]]
    return regions


async def agrees(text, expected, restart):
    """Whether the reference finds these batches, one behind the other, and nothing else. As it stops after a valid
    block, `restart` lets it read on behind each."""
    while True:
        found, complete = await reference(text.decode())
        found = [{"name": call["name"], "args": comparable(call["args"])} for call in found]
        if not complete:
            return not expected and not found
        if not expected or found != expected[0]:
            return False
        expected = expected[1:]
        if not restart:
            return not expected
        text = behind_first_valid(text)


def behind_first_valid(text):
    """The text behind the block at which the reference stopped: the shortest one at which it stops as well."""
    for at in places(text, CLOSE):
        end = at + len(CLOSE)
        events = parser.parse_tokens(text[:end].decode())
        if asyncio_free(events):
            return text[end:]
    raise AssertionError("the reference found a valid block that has no end")


def asyncio_free(events):
    """Whether the events hold the end of a batch. The generator awaits nothing, so no loop is needed."""
    try:
        while True:
            step = events.__anext__()
            try:
                step.send(None)
            except StopIteration as stop:
                if stop.value["type"] == "execute":
                    return True
    except StopAsyncIteration:
        return False


async def explain(text, scan, expected):
    """The kinds of edits under which both agree; `None` if there are none."""
    codes = {code["code"] for code in scan["codes"]}
    details = set()
    if re.search(rb"NaN|Infinity", text):
        details.add("non-finite number")
    if "empty_name" in codes:
        details.add("empty name")
    edits = [*mentions(text, scan), *unclosed(text, scan), *escapes(text), *byte_order_marks(text)]
    unique = {(edit.start, edit.end): edit for edit in edits}
    edits = list(unique.values())[:EDITS]
    parser.json = Strict if "non-finite number" in details else plain_json
    parser.parse_tool_call_dict = named_call if "empty name" in details else plain_call
    ways = readings(text, scan["think_bytes"])
    try:
        tries = 0
        for count in range(len(edits) + 1):
            for chosen in itertools.combinations(edits, count):
                for reading in ways:
                    tries += 1
                    if tries > TRIES:
                        return None
                    edited = apply(text, [*chosen, *reading])
                    if edited is None:
                        continue
                    if await agrees(edited, expected, restart=True):
                        kinds = {edit.kind for edit in (*chosen, *reading)} | details
                        return kinds | ({"later block"} if len(expected) > 1 else set())
    finally:
        parser.json, parser.parse_tool_call_dict = plain_json, plain_call
    return None


async def main():
    outright = explained = failed = with_calls = outright_with_calls = 0
    kinds = Counter()
    for line in sys.stdin:
        scan = json.loads(line)
        text = scan["text"].encode()
        found = batches(scan)
        expected = [calls for _, calls in found]
        holds_calls = any(expected)
        with_calls += holds_calls
        if await agrees(text, expected, restart=False):
            outright += 1
            outright_with_calls += holds_calls
            continue
        reasons = await explain(text, scan, expected)
        if reasons is None:
            failed += 1
            if failed <= 5:
                print(f"not explained: {line.strip()}\nreference: {await reference(scan['text'])}", file=sys.stderr)
            continue
        explained += 1
        kinds.update(reasons)
    total = outright + explained + failed
    print(f"execute_block: {total} texts, {outright} agree outright, {explained} by listed divergences:")
    for kind, count in kinds.most_common():
        print(f"  {kind}: {count}")
    if outright < AGREE * total or outright_with_calls < AGREE_WITH_CALLS * with_calls or not with_calls:
        print(f"too few agree outright: {outright} of {total}, {outright_with_calls} of {with_calls} with calls")
        failed += 1
    print(f"{outright + explained} passed, {failed} failed")
    sys.exit(failed > 0)


asyncio.run(main())
