"""The bars, and the results as JSON and as a Markdown page."""

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import date

from .prepare import ROOT
from .timing import median


@dataclass
class Bar:
    """A ratio that has to be at most, or at least, so much."""

    what: str
    over: tuple
    """Name, corpus and threads of the command above the line."""
    under: tuple
    most: float = None
    least: float = None


RG = "rg -c -F, 5 openers"
INGEST = "toolscan ingest"
BASE = (INGEST, "40 %", 1)

BARS = [
    Bar("ingest, one thread, against `rg -c -F` of the five openers", BASE, (RG, "40 %", 1), most=4.0),
    Bar("one thread against two", BASE, (INGEST, "40 %", 2), least=1.75),
    Bar("no calls in the corpus, against `rg -c -F`", (INGEST, "none", 1), (RG, "none", 1), most=1.7),
    Bar("DuckDB against ingest, one thread", ("duckdb", "40 %", 1), BASE, least=3.5),
    Bar("Polars against ingest, one thread", ("polars", "40 %", 1), BASE, least=4.0),
    Bar("Python with orjson against ingest, one thread", ("python", "40 %", 1), BASE, least=9.0),
    Bar("every completion holds calls, against 40 %", (INGEST, "all", 1), BASE, most=2.2),
    Bar("prompts that quote all formats, against none that do", (INGEST, "quoted", 1), BASE, most=1.15),
    Bar(
        "61 markers against the syntaxes' own",
        ("in process, 61 markers", "40 %", 1),
        ("in process, own markers", "40 %", 1),
        most=1.2,
    ),
    Bar(
        "120 markers against 61",
        ("in process, 120 markers", "40 %", 1),
        ("in process, 61 markers", "40 %", 1),
        most=1.3,
    ),
]


def key(command):
    return command.name, command.corpus, command.threads


def ratio(bar, commands, sizes, clock="seconds"):
    """Median of the rounds' ratios, per byte of the corpus; None where one of the two was not run."""
    of = {key(command): command for command in commands}
    if bar.over not in of or bar.under not in of:
        return None
    per_byte = sizes[bar.under[1]] / sizes[bar.over[1]]
    rounds = zip(of[bar.over].runs, of[bar.under].runs)
    return median([getattr(over, clock) / getattr(under, clock) * per_byte for over, under in rounds])


def bars(commands, sizes):
    """Each bar as a row: what, the limit, what was measured, whether it holds, the same by processor time."""
    rows = []
    for bar in BARS:
        measured = ratio(bar, commands, sizes)
        limit = f"at most {bar.most}" if bar.most else f"at least {bar.least}"
        if measured is None:
            rows.append((bar.what, limit, "not run", None, ""))
            continue
        holds = measured <= bar.most if bar.most else measured >= bar.least
        processor = ratio(bar, commands, sizes, "processor_seconds")
        same_threads = bar.over[2] == bar.under[2]
        rows.append((bar.what, limit, f"{measured:.2f}", holds, f"{processor:.2f}" if same_threads else ""))
    of = {key(command): command for command in commands}
    for threads in (1, 2):
        peak = max(run.peak_mib for run in of[INGEST, "40 %", threads].runs)
        limit = 256 + 32 * threads
        rows.append((f"peak memory, threads: {threads}", f"at most {limit} MiB", f"{peak:.0f} MiB", peak <= limit, ""))
    tiny = median([run.seconds for run in of["toolscan ingest, 1 kB", "tiny", 1].runs]) * 1000
    rows.append(("a 1 kB input in all", "under 10 ms", f"{tiny:.1f} ms", tiny < 10, ""))
    return rows


def rows_of(commands, sizes):
    """Each command as a row of numbers."""
    for command in commands:
        seconds = median([run.seconds for run in command.runs])
        yield (
            command.name,
            command.corpus,
            command.threads,
            f"{seconds:.3f}",
            f"{min(run.seconds for run in command.runs):.3f}",
            f"{median([run.processor_seconds for run in command.runs]):.3f}",
            f"{sizes[command.corpus] / seconds / 1e9:.3f}",
            f"{max(run.peak_mib for run in command.runs):.0f}",
        )


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def machine():
    model = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    return model, len(os.sched_getaffinity(0))


def versions(*commands):
    said = []
    for words in commands:
        out = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False).stdout
        said.append(out.splitlines()[0] if out else f"{words[0]}: unknown")
    return said


def write(name, commands, truths, differences, said_versions, sections, rounds):
    """Writes benches/results/NAME/ and returns the page."""
    sizes = {corpus: truth["bytes"] for corpus, truth in truths.items()}
    model, processors = machine()
    verdicts = bars(commands, sizes)
    words = {True: "holds", False: "**does not hold**", None: ""}
    page = f"# {name}\n\n{date.today()}, {model}, {processors} processors; {rounds} rounds. " + "; ".join(said_versions)
    page += ".\n\nWritten by `scripts/bench`; how to read it: [benches/README.md](../../README.md).\n\n## Bars\n\n"
    page += table(
        ["what", "bar", "measured", "", "by processor time"],
        [(*row[:3], words[row[3]], row[4]) for row in verdicts],
    )
    page += "\n## Times\n\nSeconds: median and least of the rounds, and the median of the processor's, start and imports included.\n\n"
    head = ["command", "corpus", "threads", "seconds", "least", "processor", "GB/s", "peak MiB"]
    page += table(head, rows_of(commands, sizes))
    page += "\n## Corpora\n\n"
    page += table(
        ["corpus", "bytes", "records", "completions with calls", "calls"],
        [(n, t["bytes"], t["records"], t["completions_with_calls"], t["calls"]) for n, t in truths.items()],
    )
    page += "\n## What was found\n\n"
    page += "".join(f"- {line}\n" for line in differences) or "Every command found what the generator wrote.\n"
    page += "".join(f"\n## {title}\n\n{text}\n" for title, text in sections)
    directory = ROOT / "benches" / "results" / name
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "README.md").write_text(page)
    results = {
        "machine": model,
        "processors": processors,
        "versions": said_versions,
        "truths": truths,
        "bars": [dict(zip(("what", "bar", "measured", "holds", "by_processor_time"), row)) for row in verdicts],
        "commands": [
            {"name": c.name, "corpus": c.corpus, "threads": c.threads, "runs": [asdict(run) for run in c.runs]}
            for c in commands
        ],
    }
    (directory / "results.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    return page
