"""Holds the runtime against the definition of a data race, on random traces.

oracle.py --deadheat PROGRAM [--seed N] [--traces N] [--level O2]
oracle.py --deadheat PROGRAM --replay FILE

A trace (traces.py) is a list of events: accesses, locks, atomics, malloc, threads. interpreter.c, built with
deadheat, executes it in exactly that order, which the detector cannot see being forced, and prints the bytes
that are reported. definition.py says from the same list which bytes race. For every event of every trace:

    no guesses          each byte that is reported races, in that event, with an earlier one;
    nothing forgotten   each byte that races for the first time in its life is reported, in that event.

For a byte that has raced before the first rule still holds, while the runtime need not report it again. Nor
does it report a pair of places in the code twice: a byte may be missing if a report, on other bytes, has
named its two places already. Such bytes are counted as excused.

Traces are built once as C and once as C++20, whose release sequences differ; those of even seeds run as C,
those of odd seeds as C++20. A trace is made from its seed alone, and trace i of a run has seed SEED + i:
`--seed N --traces 1` repeats the one that failed. A failing trace is shrunk, by leaving out events for as
long as it goes on failing, and printed with what was expected and what came; saved to a file, it can be
edited and replayed.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from definition import ATOMICS, races_of
from traces import Generator, parse, possible, watched

HERE = Path(__file__).resolve().parent
TIMEOUT = 60  # seconds, for a trace that takes milliseconds
MAX_FAILURES = 3


class Build:
    """The interpreter, built in one language."""

    def __init__(self, deadheat, language, level, directory):
        self.cxx20 = language == "C++20"
        self.language = language
        self.path = directory / language
        verb = ["c++", "-std=c++20", "-x", "c++"] if self.cxx20 else ["cc", "-std=gnu17"]
        subprocess.run([deadheat, *verb, f"-{level}", "-mcx16", "-pthread", "-Wall", "-Wextra", "-Werror",
                        HERE / "interpreter.c", "-o", self.path], check=True)

    def run(self, trace):
        """The reports as (event, block, offset, bytes), and what went wrong otherwise, if anything."""
        environment = dict(os.environ, DEADHEAT_OPTIONS="symbolize=0")
        text = "".join(f"{event}\n" for event in trace)
        try:
            done = subprocess.run([self.path], input=text, env=environment, text=True, check=False,
                                  timeout=TIMEOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return [], f"no end after {TIMEOUT} seconds"
        *lines, last = done.stdout.splitlines() or [""]
        reports = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("race ")]
        if done.returncode != 0 or last != "end":
            return [], f"exit status {done.returncode}: {done.stderr[-500:]}"
        return reports, None


class Judgement:
    """One trace, executed and compared."""

    def __init__(self, build, trace):
        self.trace = trace
        self.races = races_of(trace, build.cxx20)
        reports, problem = build.run(trace)
        self.problems = [problem] if problem else []
        self.excused = 0
        self.reported = [set() for _ in trace]
        if not problem:
            self.take(reports)
            self.compare()

    def take(self, reports):
        for number, block, offset, count in reports:
            found = range(offset, offset + count)
            event = self.trace[number]
            if event.operation == "free" and event.block == block:
                # Of a large block the definition knows some bytes only.
                found = [byte for start, size in watched(self.size_at(number, block))
                         for byte in range(start, start + size) if byte in found]
            self.reported[number] |= {(block, byte) for byte in found}

    def size_at(self, number, block):
        return next(e.size for e in reversed(self.trace[:number])
                    if e.operation == "malloc" and e.block == block)

    def place(self, number):
        """Atomics share their code."""
        return "atomics" if self.trace[number].operation in ATOMICS else number

    def pairs(self, number, byte):
        """The pairs of places that may be named by a report of this byte."""
        return {frozenset((self.place(number), self.place(other))) for other in self.races[number][byte]}

    def compare(self):
        raced, known_pairs = set(), set()
        for number, races in enumerate(self.races):
            event, reported = self.trace[number], self.reported[number]
            if event.operation == "malloc":
                raced = {byte for byte in raced if byte[0] != event.block}
            wrong = reported - set(races)
            if wrong:
                self.problems.append(f"event {number} ({event}): reported but no race: {shown(wrong)}")
            for byte in reported & set(races):
                known_pairs |= self.pairs(number, byte)
            missing = set(races) - raced - reported
            excused = {byte for byte in missing if self.pairs(number, byte) & known_pairs}
            if missing != excused:
                self.problems.append(f"event {number} ({event}): not reported: {shown(missing - excused)}")
            self.excused += len(excused)
            raced |= set(races)


def shown(racy):
    return " ".join(f"{block}:{offset}" for block, offset in sorted(racy))


def without_pieces(build, trace, size):
    """Leaves out pieces of this size, from the end, where the rest still fails. What cannot happen without
    them, such as the unlock of a lock that is not taken any more, goes too."""
    start = len(trace)
    while start > 0:
        start = max(0, start - size)
        shorter = possible(trace[:start] + trace[start + size:])
        if len(shorter) < len(trace) and Judgement(build, shorter).problems:
            trace = shorter
    return trace


def shrink(build, trace):
    size = len(trace) // 2
    while size > 0:
        shorter = without_pieces(build, trace, size)
        if len(shorter) == len(trace):
            size //= 2
        trace = shorter
    return trace


def show_failure(build, trace, name):
    print(f"{name}, as {build.language}: {len(trace)} events, shrinking", flush=True)
    trace = shrink(build, trace)
    judgement = Judgement(build, trace)
    for number, event in enumerate(trace):
        racy = judgement.races[number]
        notes = [f"races: {shown(racy)}"] if racy else []
        if judgement.reported[number]:
            notes.append(f"reported: {shown(judgement.reported[number])}")
        print(f"{str(event):30} # {number} {'; '.join(notes)}".rstrip())
    print("\n".join(judgement.problems) or "the shrunk trace does not fail every time", flush=True)


def replay(builds, path):
    trace = parse(Path(path).read_text(encoding="utf-8"))
    if possible(trace) != trace:
        sys.exit(f"{path}: not all of these events can happen in this order")
    failed = False
    for build in builds:
        judgement = Judgement(build, trace)
        print(f"{build.language}: {'; '.join(judgement.problems) or 'as defined'}")
        failed |= bool(judgement.problems)
    return failed


def judge(builds, seed, count):
    failures = events = racy = excused = reported = 0
    for number in range(seed, seed + count):
        build = builds[number % 2]
        trace = Generator(random.Random(number)).trace()
        judgement = Judgement(build, trace)
        events += len(trace)
        racy += any(judgement.races)
        reported += sum(map(len, judgement.reported))
        excused += judgement.excused
        if judgement.problems:
            print(*judgement.problems, sep="\n")
            show_failure(build, trace, f"seed {number}")
            failures += 1
            if failures == MAX_FAILURES:
                print("and so on: stopped")
                break
    print(f"{number - seed + 1} traces of {events} events from seed {seed}: {racy} with races, "
          f"{reported} racy bytes reported, {excused} excused, {failures} traces wrong")
    return failures > 0


def main():
    parser = argparse.ArgumentParser(description="The runtime against the definition of a data race.")
    parser.add_argument("--deadheat", required=True, help="the command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traces", type=int, default=1000)
    parser.add_argument("--level", default="O2", help="at which the interpreter is compiled")
    parser.add_argument("--replay", help="a file with one trace, for both languages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        builds = [Build(options.deadheat, language, options.level, Path(directory))
                  for language in ("C", "C++20")]
        if options.replay:
            return replay(builds, options.replay)
        return judge(builds, options.seed, options.traces)


if __name__ == "__main__":
    sys.exit(main())
