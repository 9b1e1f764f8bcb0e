"""The running detector against the definition of a data race, on random programs that really run.

programs.py --deadheat PROGRAM --judge PROGRAM [--seed N] [--batches N] [--runs N] [--tiny PROGRAM]

Programs (program_maker.py) are built by the batch, at -O0 and -O2, with and without --audit and -flto, and with a
runtime whose epochs run out all the time; they run with real threads under the system's scheduler, which a random yield
or sleep in the programs makes worse, and record what they do. Then

    the bytes that the running detector found racy are exactly those of the definition, on the trace that was
    recorded (judge.c); and in an audited program, each access is covered by a check, and each check legitimate
    (deadheat replay --audit).

A program is made from its seed alone, which is what is printed when it fails, with the text of the program after
statements were left out for as long as it went on failing. What a run does is up to the scheduler, so the one that
failed is looked for again by running often.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from program_maker import Maker, source

HERE = Path(__file__).resolve().parent
BATCH = 40  # programs in one executable
CHUNK = 8  # of them in one run: the definition compares all pairs of its events
TIMEOUT = 120  # seconds, for runs that take a fraction of one
ATTEMPTS = 20  # runs to see a failure again
REDUCTIONS = 60


class Way:
    """One way to build and run programs."""

    def __init__(self, name, deadheat, flags, noise):
        self.name, self.deadheat, self.flags, self.noise = name, deadheat, flags, noise
        self.audit = "--audit" in flags

    def build(self, programs, directory):
        text = directory / "programs.c"
        text.write_text(source(programs), encoding="utf-8")
        executable = directory / "programs"
        subprocess.run([self.deadheat, "cc", *self.flags, "-g0", "-w", "-pthread", f"-I{HERE}", text, "-o", executable],
                       check=True)
        return executable


def seeds_of(batch, seed):
    return range(seed + batch * BATCH, seed + (batch + 1) * BATCH)


def program_of(seed):
    return Maker(random.Random(seed), f"p{seed}").program()


class Bench:
    """Runs and judges; a directory of its own."""

    def __init__(self, options, way):
        self.options, self.way = options, way
        self.holder = tempfile.TemporaryDirectory()
        self.directory = Path(self.holder.name)
        self.events = self.racy = 0

    def run(self, executable, first, end, count=True):
        """What is wrong, or nothing."""
        trace = self.directory / "trace"
        environment = dict(os.environ, DEADHEAT_OPTIONS=f"record={trace}:symbolize=0:exitcode=0")
        if self.way.noise:
            environment["NOISE"] = "1"
        try:
            done = subprocess.run([executable, str(first), str(end)], env=environment, timeout=TIMEOUT, check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return f"no end after {TIMEOUT} seconds"
        if done.returncode != 0:
            return f"exit status {done.returncode}: {done.stderr[-1000:]}"
        return self.judge(trace, count)

    def judge(self, trace, count):
        verdict = subprocess.run([self.options.judge, trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, check=False)
        if verdict.returncode != 0:
            return verdict.stdout
        if count:
            words = verdict.stdout.split()
            self.events += int(words[1])
            self.racy += int(words[3])
        if self.way.audit:
            audit = subprocess.run([self.way.deadheat, "replay", "--audit", trace], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, check=False)
            last = audit.stdout.splitlines()[-1] if audit.stdout else ""
            if " 0 not covered;" not in last or " 0 not legitimate;" not in last:
                return audit.stdout[-2000:]
        return None

    def fails(self, program):
        """A program for itself, often."""
        try:
            executable = self.way.build([program], self.directory)
        except subprocess.CalledProcessError:
            return None
        for _ in range(ATTEMPTS):
            problem = self.run(executable, 0, 1, count=False)
            if problem:
                return problem
        return None

    def reduce(self, program):
        """Leaves out what the failure does not need, as far as a number of attempts goes."""
        attempts = 0
        for thread in range(len(program.threads)):
            number = len(program.threads[thread]) - 1
            while number >= 0 and attempts < REDUCTIONS:
                shorter = program.without(thread, number)
                if "barrier" not in program.threads[thread][number]:
                    attempts += 1
                    if self.fails(shorter):
                        program = shorter
                number -= 1
        return program

    def show(self, seeds, problem):
        print(f"{self.way.name}, seeds {seeds[0]} to {seeds[-1]}: {problem}", flush=True)
        for seed in seeds:
            program = program_of(seed)
            if not self.fails(program):
                continue
            print(f"seed {seed} fails by itself; shortened:")
            program = self.reduce(program)
            print(program.text())
            print(self.fails(program) or "(it does not fail every time)", flush=True)
            return
        print("none of them fails by itself")

    def batch(self, number):
        """How many chunks failed."""
        seeds = list(seeds_of(number, self.options.seed))
        executable = self.way.build([program_of(seed) for seed in seeds], self.directory)
        failures = 0
        for _ in range(self.options.runs):
            for first in range(0, BATCH, CHUNK):
                problem = self.run(executable, first, first + CHUNK)
                if problem:
                    failures += 1
                    self.show(seeds[first:first + CHUNK], problem)
                    return failures
        return failures


def ways_of(options):
    every = "--detector=fasttrack"  # the default moves checks
    ways = [Way("-O2", options.deadheat, ["-O2"], False),
            Way("-O2 --audit", options.deadheat, ["-O2", "--audit"], True),
            Way("-O0", options.deadheat, ["-O0"], True),
            Way("-O2, a check at every access", options.deadheat, ["-O2", every], True),
            Way("-O0 --audit", options.deadheat, ["-O0", "--audit"], False),
            Way("-O2 --audit, no redundant checks", options.deadheat, ["-O2", "--audit", "--detector=redcard"], True),
            Way("-O2 --audit, a check at every access", options.deadheat, ["-O2", "--audit", every], False),
            Way("-O2 --audit, footprints", options.deadheat, ["-O2", "--audit", "--detector=slimstate"], True),
            Way("-O2, no redundant checks, footprints", options.deadheat, ["-O2", "--detector=slimcard"], False),
            Way("-O2 --audit, linked as a whole", options.deadheat, ["-O2", "--audit", "-flto"], True),
            Way("-O2 --audit, no redundant checks, footprints, linked as a whole", options.deadheat,
                ["-O2", "--audit", "--detector=slimcard", "-flto"], False)]
    if options.tiny:
        ways += [Way("-O2, few epochs", options.tiny, ["-O2"], True),
                 Way("-O1 --audit, few epochs", options.tiny, ["-O1", "--audit"], False),
                 Way("-O2 --audit, footprints, few epochs", options.tiny,
                     ["-O2", "--audit", "--detector=slimstate"], True)]
    return ways


def one(options, ways, number):
    way = ways[number % len(ways)]
    bench = Bench(options, way)
    try:
        return bench.batch(number), bench.events, bench.racy
    finally:
        bench.holder.cleanup()


def main():
    parser = argparse.ArgumentParser(description="The running detector against the definition, on random programs.")
    parser.add_argument("--deadheat", required=True, help="the command")
    parser.add_argument("--judge", required=True, help="judge.c, built")
    parser.add_argument("--tiny", help="a command whose runtime has few epochs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, help=f"of {BATCH} programs; one for each way if it is not said")
    parser.add_argument("--runs", type=int, default=2, help="of each program")
    options = parser.parse_args()
    ways = ways_of(options)
    options.batches = options.batches or len(ways)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda number: one(options, ways, number), range(options.batches)))
    failures = sum(result[0] for result in results)
    print(f"{options.batches * BATCH} programs from seed {options.seed}, {options.runs} runs each: "
          f"{sum(result[1] for result in results)} events, {sum(result[2] for result in results)} racy bytes, "
          f"{failures} batches wrong")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
