"""Runs programs, interleaved, and keeps what was measured in a journal, so that a run can be resumed.

The journal is a file of JSON lines, one for each finished run, under a key made of the program's bytes,
its arguments and the tool. A run whose key has enough lines already is not made again.
"""
import hashlib
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

import build
import modes

LIMIT = 120  # seconds for one run
SURE = 0.04  # a median that is known this well needs no more runs


class Journal:
    def __init__(self, path):
        self.path = path
        self.runs = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    try:
                        record = json.loads(line)
                    except ValueError:
                        continue  # cut short when a run was interrupted
                    self.runs.setdefault(record["key"], []).append(record)

    def add(self, key, record):
        record = {"key": key, **record}
        self.runs.setdefault(key, []).append(record)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def of(self, key):
        return self.runs.get(key, [])


class Job:
    """A program to be run under a mode: `rounds` times, or more while the median is not stable."""

    def __init__(self, program, mode, command, key, rounds, most=None, planted=None):
        self.program, self.mode, self.command = program, mode, command
        self.key = key
        self.rounds, self.most = rounds, most or rounds
        self.planted = planted  # (file, lines): what a report must name; None: not a racy variant
        self.failed = None

    def counted(self, journal):
        return [r for r in journal.of(self.key) if not r["warm"]]

    def wanted(self, journal):
        """How many runs are still to be made."""
        if self.failed:
            return 0
        runs = self.counted(journal)
        walls = [r["wall"] for r in runs]
        rounds = self.rounds
        long = statistics.median(walls) if walls else 0  # long runs vary less, and cost more
        if long > 3:
            rounds = min(rounds, 3)
        elif len(runs) >= rounds and doubt(walls) > SURE:
            rounds = self.most
        return max(0, rounds - len(runs))

    def share(self, journal):
        """How much of what is wanted has been made."""
        made = len(self.counted(journal))
        return made / (made + self.wanted(journal))


def interval(values):
    """Where the median of many more runs would be, 19 times in 20, whatever the distribution: it is below the k-th
    smallest of n values as often as fewer than k of n coins show heads. Of eight or fewer values, all of them."""
    ordered, n, k = sorted(values), len(values), 1
    while 2 * sum(math.comb(n, heads) for heads in range(k + 1)) <= 0.05 * 2 ** n:
        k += 1
    return ordered[k - 1], ordered[n - k]


def doubt(values):
    """Half the length of that interval, relative to the median."""
    low, high = interval(values)
    return (high - low) / 2 / statistics.median(values)


class Runner:
    def __init__(self, builder, journal):
        self.builder, self.journal = builder, journal
        self.once = builder.tool("once.c")
        self.started = time.monotonic()
        self.spent = {}  # mode: (seconds, runs) in this process

    def run(self, command, mode, planted=None, limit=LIMIT):
        """One run: what it took, what it printed, what was reported."""
        result, out, err = files = [self.builder.path("run", f"{os.getpid()}.{name}")
                                    for name in ("result", "out", "err")]
        remove(files)
        with open(out, "wb") as stdout, open(err, "wb") as stderr:
            subprocess.run([self.once, result, str(limit), *command], stdout=stdout, stderr=stderr,
                           stdin=subprocess.DEVNULL, env=modes.environment(), check=False)
        text, digest = build.content(err).decode(errors="replace"), hashlib.sha256(build.content(out)).hexdigest()
        taken = build.content(result).split() if os.path.exists(result) else None
        remove(files)
        if not taken:
            return {"status": None, "error": text.strip()[:500] or "cannot be run"}
        wall, cpu, peak, status = taken
        record = {"wall": float(wall), "cpu": float(cpu), "peak": int(peak), "status": int(status),
                  "digest": digest[:16], "reports": mode.reports(text)}
        if planted:
            source, lines = planted
            record["found"] = any(re.search(rf"\b{source}:{line}\b", text) for line in lines)
        if record["status"] != 0:
            record["error"] = ("killed after %d s" % limit if record["wall"] >= limit else
                               f"exit status {int(status)}: " + text.strip()[-300:])
        return record

    def step(self, job):
        begin = time.monotonic()
        warm = job.most > 1 and not job.mode.valgrind and not job.planted and not self.journal.of(job.key)
        for is_warm in (True, False) if warm else (False,):
            record = self.run(job.command, job.mode, job.planted)
            if record["status"] != 0:
                job.failed = record["error"]
                print(f"{job.program}, {job.mode.label}: {job.failed}", file=sys.stderr)
                return
            self.journal.add(job.key, {"program": job.program, "mode": job.mode.name, "warm": is_warm, **record})
        seconds, runs = self.spent.get(job.mode.name, (0.0, 0))
        self.spent[job.mode.name] = seconds + time.monotonic() - begin, runs + 1

    def estimate(self, job):
        """Seconds that one more run takes: as before, or as others of its mode, or a guess."""
        known = [r["wall"] for r in self.journal.of(job.key)]
        if known:
            return statistics.median(known)
        seconds, runs = self.spent.get(job.mode.name, (0.0, 0))
        if runs:
            return seconds / runs
        return 8.0 if job.mode.valgrind else 0.2 if job.mode.name == "native" else 1.5

    def run_all(self, jobs):
        """All jobs, a round at a time, so that a slow spell of the machine hits all modes alike. A job of fewer runs
        waits until the others have caught up: its runs are to see as much of the machine's day as theirs."""
        number = 0
        while True:
            left = [job for job in jobs if job.wanted(self.journal)]
            if not left:
                return
            number += 1
            behind = min(job.share(self.journal) for job in left)
            for job in [job for job in left if job.share(self.journal) <= behind]:
                wanted = [(j.wanted(self.journal), j) for j in left]
                seconds = sum(runs * self.estimate(j) for runs, j in wanted)
                progress(f"round {number}: {job.program}, {job.mode.label}; {sum(runs for runs, _ in wanted)} runs and "
                         f"about {duration(seconds)} left")
                self.step(job)
            progress("")


def remove(files):
    for path in files:
        if os.path.exists(path):
            os.remove(path)


def progress(text):
    """On a terminal one line that changes; else a line now and then."""
    if sys.stderr.isatty():
        print("\r\033[K" + text, end="", file=sys.stderr, flush=True)
    elif text and time.monotonic() - progress.last > 10:
        progress.last = time.monotonic()
        print(text, file=sys.stderr, flush=True)


progress.last = 0.0


def duration(seconds):
    return f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
