"""Runs commands one after the other in turn, and takes their time."""

import os
import subprocess
import time
from dataclasses import dataclass, field


@dataclass
class Command:
    """Something that is timed."""

    name: str
    corpus: str
    """The corpus that it reads."""
    words: list
    threads: int = 1
    """As many processors are there for it."""
    read: object = None
    """Makes of the output what was found, and perhaps the seconds by its own clock: a function, or None."""
    times: int = 1
    """How often it is run in a round; the median counts."""
    fine: tuple = (0,)
    """Exit codes that mean that all went well."""
    runs: list = field(default_factory=list)


@dataclass
class Run:
    seconds: float
    processor_seconds: float
    peak_mib: float
    found: dict


def median(numbers):
    numbers = sorted(numbers)
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2


def run(command):
    """One round of a command."""
    runs = [run_once(command) for _ in range(command.times)]
    return Run(
        median([run.seconds for run in runs]),
        median([run.processor_seconds for run in runs]),
        max(run.peak_mib for run in runs),
        runs[0].found,
    )


def run_once(command):
    processors = sorted(os.sched_getaffinity(0))[: command.threads]
    start = time.perf_counter()
    child = subprocess.Popen(
        command.words,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, processors),
    )
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in command.fine:
        raise SystemExit(f"{command.name}: ended with {child.returncode}: {' '.join(map(str, command.words))}")
    own_seconds, found = command.read(output) if command.read else (None, {})
    return Run(own_seconds or seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, found)


def interleave(commands, rounds, say):
    """Runs every command once a round, each round in the other direction."""
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for command in commands if number % 2 == 0 else reversed(commands):
            command.runs.append(run(command))
