#!/usr/bin/env python3
"""Two definitions of a data race, written apart: definition.py, which judges the runtime, and
src/detect/definition.c, which judges the detectors over traces. Random traces are put into the text form
(docs/traces.md), judged by both, and must have the same racy bytes.

Usage: definitions.py --deadheat PATH [--seed N] [--traces N]
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import definition
import traces

BASE = 1 << 24  # each block has addresses of its own
ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
PLAIN = {"lock": "acquire", "unlock": "release", "spinlock": "acquire", "spinunlock": "release",
         "wrlock": "acquire", "rdlock": "rdacquire", "post": "signal", "wait": "wait", "release": "signal",
         "acquire": "wait"}
SPACES = {"lock": 0, "unlock": 0, "spinlock": 1000, "spinunlock": 1000, "wrlock": 2000, "rdlock": 2000,
          "post": 0, "wait": 0, "release": 3000, "acquire": 3000}


class Translation:
    """A trace as lines of the text form."""

    def __init__(self, cxx20):
        self.cxx20 = cxx20
        self.lines = []
        self.numbers = {0: 0}  # of threads: forks number them in order
        self.writers, self.sizes = {}, {}
        self.rounds = 0

    def put(self, text):
        self.lines.append(text)

    def event(self, e):
        t = self.numbers[e.thread]
        order = ORDERS[e.order] + (" c++20" if self.cxx20 else "")
        address = f"{BASE * (e.block + 1) + e.offset:#x}"
        if e.operation in ("read", "write"):
            self.put(f"{t} {e.operation} {address} {e.size}")
        elif e.operation in ("load", "store", "compare"):
            self.put(f"{t} {e.operation} {address} {e.size} {order}")
        elif e.operation in ("add", "swap"):
            self.put(f"{t} rmw {address} {e.size} {order}")
        elif e.operation == "fence":
            self.put(f"{t} fence {order}")
        elif e.operation == "malloc":
            self.sizes[e.block] = e.size
            self.put(f"{t} alloc {address} {e.size}")
        elif e.operation == "free":
            self.put(f"{t} free {BASE * (e.block + 1):#x} {self.sizes[e.block]}")
        elif e.operation == "create":
            self.numbers[e.offset] = len(self.numbers)
            self.put(f"{t} fork {self.numbers[e.offset]}")
        elif e.operation == "join":
            self.put(f"{self.numbers[e.offset]} exit")
            self.put(f"{t} join {self.numbers[e.offset]}")
        elif e.operation == "rwunlock":
            reader = self.writers.pop(e.offset, None) is None
            self.put(f"{t} {'rdrelease' if reader else 'release'} {2000 + e.offset}")
        elif e.operation == "barrier":
            self.rounds += 1
            for step in ("arrive", "depart"):
                for thread in sorted(traces.threads_of(e)):
                    self.put(f"{self.numbers[thread]} {step} {self.rounds}")
        else:
            if e.operation == "wrlock":
                self.writers[e.offset] = e.thread
            self.put(f"{t} {PLAIN[e.operation]} {SPACES[e.operation] + e.offset}")

    def text(self):
        return "\n".join(("deadheat trace 1", *self.lines)) + "\n"


def translate(trace, cxx20):
    translation = Translation(cxx20)
    for event in trace:
        translation.event(event)
    return translation


def expected(trace, cxx20):
    return {BASE * (block + 1) + offset
            for races in definition.races_of(trace, cxx20) for block, offset in races}


def looked_at(trace):
    """The bytes that definition.py looks at in each life of their block: of large ones it skips most."""
    lives = {(traces.AREA, traces.AREA_SIZE)}
    lives |= {(event.block, event.size) for event in trace if event.operation == "malloc"}
    parts = {life: [range(start, start + length) for start, length in traces.watched(life[1])] for life in lives}
    seen = {(block, offset) for (block, _), ranges in parts.items() for part in ranges for offset in part}
    return {BASE * (block + 1) + offset for block, offset in seen
            if all(offset >= size or any(offset in part for part in ranges)
                   for (other, size), ranges in parts.items() if other == block)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traces", type=int, default=500)
    options = parser.parse_args()
    racy = 0
    with tempfile.TemporaryDirectory() as directory:
        made = {}
        for seed in range(options.seed, options.seed + options.traces):
            source = random.Random(seed)
            trace, cxx20 = traces.Generator(source).trace(), source.random() < 0.5
            path = pathlib.Path(directory, f"{seed}.txt")
            path.write_text(translate(trace, cxx20).text())
            made[str(path)] = (seed, trace, cxx20)
        run = subprocess.run([options.deadheat, "replay", "--detector=definition", "--format=json", *made],
                             stdout=subprocess.PIPE, check=False)
        if run.returncode not in (0, 1):
            sys.exit("deadheat replay failed")
        for judged in json.loads(run.stdout)["traces"]:
            seed, trace, cxx20 = made[judged["trace"]]
            ranges = [range(int(r["address"], 16), int(r["address"], 16) + r["size"])
                      for r in judged["detectors"][0]["racy"]["ranges"]]
            want = expected(trace, cxx20)
            racy += bool(want)
            different = sorted(byte for byte in looked_at(trace)
                               if (byte in want) != any(byte in part for part in ranges))
            if different:
                print(translate(trace, cxx20).text())
                sys.exit(f"seed {seed}: only one of the definitions says that these race: "
                         + " ".join(map(hex, different)))
    print(f"seeds {options.seed} to {options.seed + options.traces - 1}: {racy} racy, both definitions agree")


if __name__ == "__main__":
    main()
