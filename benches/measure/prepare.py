"""Builds what is measured, writes the corpora, and installs the rivals."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".scratch" / "bench"

RIPGREP = "15.2.0"

# Name of each corpus and the flags that make it.
CORPORA = {
    "40 %": ["--calls", "0.4"],
    "none": ["--calls", "0"],
    "all": ["--calls", "1"],
    "quoted": ["--calls", "0.4", "--quote-formats"],
}


def call(*words, **more):
    return subprocess.run(words, check=True, cwd=ROOT, **more)


def build_toolscan():
    """The binary as it is shipped."""
    call("cargo", "build", "--locked", "--release", "--bin", "toolscan")
    return target() / "release" / "toolscan"


def target():
    metadata = call("cargo", "metadata", "--format-version=1", "--no-deps", capture_output=True).stdout
    return Path(json.loads(metadata)["target_directory"])


def build_markers():
    """The bench of further markers, with Arrow."""
    words = ("cargo", "bench", "--locked", "--profile", "quick", "--no-run", "--bench", "markers")
    said = call(*words, stderr=subprocess.PIPE, text=True).stderr
    return ROOT / re.search(r"Executable .*\((.*)\)", said)[1]


def build_corpus():
    """The program that writes the corpora."""
    manifest = "benches/programs/Cargo.toml"
    call("cargo", "build", "--locked", "--release", "--manifest-path", manifest, "--target-dir", str(target()))
    return target() / "release" / "corpus"


def corpora(program, mib):
    """The files of each corpus and what is true of it. Written anew where size or flags have changed."""
    made = {}
    for name, flags in CORPORA.items():
        directory = SCRATCH / f"corpus-{re.sub('[^a-z0-9]', '', name)}"
        words = [str(program), str(directory), "--mib", str(mib), *flags]
        note = directory / "made-by.txt"
        # Another program is another generator.
        made_by = " ".join(words[1:]) + f" {program.stat().st_size}"
        if not note.exists() or note.read_text() != made_by:
            shutil.rmtree(directory, ignore_errors=True)
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            note.write_text(made_by)
        made[name] = (sorted(directory.glob("*.jsonl")), json.loads((directory / "truth.json").read_text()))
    return made


def refresh(files):
    """Writes the files anew, in order: how the page cache holds a file depends on how it came to be there."""
    for file in files:
        copy = file.with_suffix(".copy")
        with open(file, "rb") as source, open(copy, "wb") as sink:
            shutil.copyfileobj(source, sink, 4 << 20)
            sink.flush()
            os.fsync(sink.fileno())
        copy.replace(file)


def ripgrep():
    tools = SCRATCH / "tools"
    program = tools / "bin" / "rg"
    if not program.exists():
        call("cargo", "install", "--locked", f"ripgrep@{RIPGREP}", "--root", str(tools))
    return program


def rivals_python():
    """A Python that has the rivals' packages, in the versions of the lock file; None where there is no pip."""
    lock = ROOT / "benches" / "rivals" / "requirements.txt"
    venv = SCRATCH / "venv"
    python = venv / "bin" / "python"
    note = venv / "made-by.txt"
    if not note.exists() or note.read_text() != lock.read_text():
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
            call(str(python), "-m", "pip", "install", "--quiet", "--requirement", str(lock))
        except subprocess.CalledProcessError:
            return None
        note.write_text(lock.read_text())
    return python
