"""What is timed, and how what it found is held against the truth."""

import json

from .prepare import ROOT, SCRATCH
from .timing import Command

OPENERS = ["\U0001f6e0\ufe0f[", "```tool", "<execute>", "\u2702\ufe0f\U0001f431", "!!!GADGET_START:"]
# As they stand in a log written in ASCII.
ESCAPED = ["\\ud83d\\udee0\\ufe0f[", "\\u2702\\ufe0f\\ud83d\\udc31"]

# One block of these holds a batch of calls.
BATCHES = ("execute_block", "scissors_cat")


def wc(corpus, files):
    return Command("wc -l", corpus, ["wc", "-l", *files], read=read_wc)


def read_wc(output):
    return None, {"records": int(output.split()[-2])}


def rg(program, corpus, files, threads=1, needles=OPENERS):
    words = [program, "--no-config", "-c", "-F", f"-j{threads}"]
    for needle in needles:
        words += ["-e", needle]
    # 1 says that nothing was found.
    return Command(f"rg -c -F, {len(needles)} openers", corpus, [*words, *files], threads, read_rg, fine=(0, 1))


def read_rg(output):
    return None, {"lines": sum(int(line.rsplit(b":", 1)[1]) for line in output.split())}


def ingest(program, corpus, files, threads=1):
    out = SCRATCH / "out" / ""
    words = [program, "ingest", *files, "--out", f"{out}/", "--threads", str(threads), "--quiet", "--json"]
    return Command("toolscan ingest", corpus, words, threads, read_ingest)


def read_ingest(output):
    summary = json.loads(output)
    calls = {}
    for group in summary["groups"]:
        if group["level"] == "model_expected_syntax" and group["syntax"]:
            calls[group["syntax"]] = calls.get(group["syntax"], 0) + group["calls"]
    return None, {"records": summary["records"], "valid_calls": summary["valid_calls"], "calls": calls}


def markers(program, corpus, files, count):
    name = f"in process, {count or 'own'} markers"
    return Command(name, corpus, [program, str(count), *files], read=read_markers)


def read_markers(output):
    said = json.loads(output)
    return said["seconds"], {"all calls": said["calls"], "markers": said["anchors"]}


def rival(python, name, corpus, files, threads):
    script = ROOT / "benches" / "rivals" / f"{name}_rival.py"
    words = [python, script, "--check", "--threads", str(threads), "--out", SCRATCH / "out-rivals", *files]
    return Command(name, corpus, words, threads, read_rival)


def read_rival(output):
    said = json.loads(output)
    return said["seconds"], {"found": said["found"]}


def difference(found, truth):
    """In what a run's finds differ from the truth, in words; empty where they do not."""
    calls = {name: counts["calls"] for name, counts in truth["syntaxes"].items()}
    wanted = {"records": truth["records"], "valid_calls": truth["calls"], "all calls": truth["calls"]}
    said = [f"{what}: {found[what]}, not {wanted[what]}" for what in wanted if found.get(what, wanted[what]) != wanted[what]]
    if "calls" in found:
        pairs = [(name, found["calls"].get(name, 0), number) for name, number in calls.items()]
        said += [f"{name}: {number}, not {right} calls" for name, number, right in pairs if number != right]
    for name, number in found.get("found", {}).items():
        blocks = truth["syntaxes"][name]["completions"] if name in BATCHES else calls[name]
        if number not in (calls[name], blocks):
            said.append(f"{name}: {number}, not {calls[name]} calls in {blocks} blocks")
    return "; ".join(said)
