"""Everything at once for a long time, with judges: soak.py --deadheat D --tiny D --judge J --out DIRECTORY [--seconds N]

The program world.c (threads, locks, signals, forks, libraries that come and go, memory that does) is built with
deadheat, and with the runtime whose epochs run out all the time, and run again and again with random seeds:

    many short runs   half of them with a race in each round: exactly as many occurrences are reported as were
                      planted, and nothing in the others
    recorded runs     the bytes found racy while the program ran are those of the definition, on the trace that was
                      recorded (test/oracle/judge.c), and there are some exactly if any were planted
    a long run        with short histories: it does not grow, late against early, by more than what is kept of its
                      threads. Not of the other runtime, which needs a new place in all clocks every seven releases:
                      a few rounds of it

In all of them what an activity makes is right, no child fails, and no descriptor is left open. A failure prints the
command that failed, and what it wrote is kept.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = ["world.c", "orders.c", "memory.c", "processes.c"]
HANGS = 600  # seconds, for runs of a few; a loaded machine is slow
# What the runtime keeps of threads that have ended: half a kilobyte each, and a round makes some forty. The rest is
# for histories, 4.5 MB (rt/history.c), and what the allocators cannot use again.
ROUND_KB, GROWTH_KB, GROWTH_ROUNDS = 40, 10 << 10, 40
TINY_ROUNDS = 8
LINE = re.compile(r"^rounds (\d+) planted (\d+) early (\d+) late (\d+) descriptors (\d+) (\d+)$", re.M)
TOTAL = re.compile(r"^deadheat: \d+ races? reported \((\d+) occurrences?\)", re.M)


class Wrong(Exception):
    pass


class World:
    """The program, built in one way."""

    def __init__(self, name, deadheat, flags, out):
        self.name = name
        self.program, self.library = os.path.join(out, name), os.path.join(out, name + ".so")
        command = [deadheat, "cc", *flags, "-g", "-pthread", f"-I{HERE}"]
        source = [os.path.join(HERE, part) for part in PARTS]
        subprocess.run([*command, *source, "-o", self.program], check=True)
        subprocess.run([*command, "-shared", "-fPIC", os.path.join(HERE, "library.c"), "-o", self.library], check=True)

    def run(self, seconds, rounds, seed, racy, record=None, more=""):
        """The numbers that the run printed, if it went as it should."""
        arguments = [self.program, str(seconds), str(rounds), str(seed), str(int(racy)), self.library]
        options = "symbolize=0:color=never" + more + (f":record={record}" if record else "")
        shown = f"DEADHEAT_OPTIONS={options} {' '.join(arguments)}"
        try:
            done = subprocess.run(arguments, env={**os.environ, "DEADHEAT_OPTIONS": options}, text=True, errors="replace",
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds + HANGS, check=False)
        except subprocess.TimeoutExpired as late:
            text = late.stdout.decode(errors="replace") if late.stdout else ""
            raise Wrong(f"it does not end: {shown}\n{text}") from late
        line, total = LINE.search(done.stdout), TOTAL.search(done.stdout)
        try:
            if not line:
                raise Wrong(f"it ends with status {done.returncode}")
            numbers = [int(n) for n in line.groups()]
            planted, occurrences = numbers[1], int(total[1]) if total else 0
            if occurrences != planted:
                raise Wrong(f"{occurrences} occurrences are reported, {planted} were planted")
            if done.returncode != (66 if planted else 0):
                raise Wrong(f"exit status {done.returncode}")
            if numbers[5] - numbers[4] > (1 if record else 0):  # the tape has one
                raise Wrong(f"{numbers[4]} descriptors at the beginning, {numbers[5]} at the end")
        except Wrong as why:
            raise Wrong(f"{why}: {shown}\n{done.stdout}") from None
        return numbers


class Soak:
    def __init__(self, arguments):
        self.arguments = arguments
        self.numbers = random.Random(arguments.seed)
        self.worlds = [World("normal", arguments.deadheat, ["-O2"], arguments.out),
                       World("tiny", arguments.tiny, ["-O1"], arguments.out)]
        self.counts = {"short": 0, "recorded": 0, "long": 0, "planted": 0, "rounds": 0}

    def count(self, kind, numbers):
        self.counts[kind] += 1
        self.counts["rounds"] += numbers[0]
        self.counts["planted"] += numbers[1]

    def seed(self):
        return self.numbers.randrange(1 << 40)

    def short(self):
        world = self.numbers.choice(self.worlds)
        self.count("short", world.run(3, self.numbers.randrange(1, 12), self.seed(), self.numbers.random() < 0.5))

    def recorded(self):
        world, racy = self.numbers.choice(self.worlds), self.numbers.random() < 0.5
        directory = os.path.join(self.arguments.out, "traces")
        os.makedirs(directory, exist_ok=True)
        for name in os.listdir(directory):
            os.remove(os.path.join(directory, name))
        trace = os.path.join(directory, "trace")
        self.count("recorded", world.run(3, 1, self.seed(), racy, trace))
        traces = [os.path.join(directory, name) for name in sorted(os.listdir(directory))]
        judged = subprocess.run([self.arguments.judge, *traces], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, check=False)
        found = sum(int(n) for n in re.findall(r" (\d+) racy bytes,", judged.stdout))
        if judged.returncode != 0 or (found > 0) != racy:
            raise Wrong(f"judged otherwise, {'with' if racy else 'without'} a race planted: "
                        f"{self.arguments.judge} {' '.join(traces)}\n{judged.stdout}")

    def long(self, world, seconds, most):
        numbers = world.run(seconds, most, self.seed(), self.numbers.random() < 0.5, more=":history_size=0")
        self.count("long", numbers)
        rounds, _, early, late = numbers[:4]
        print(f"{world.name}: {rounds} rounds, {early} kB early, {late} kB late", flush=True)
        if rounds >= GROWTH_ROUNDS and late > early + ROUND_KB * rounds / 2 + GROWTH_KB:
            raise Wrong(f"it grows: {early} kB in the second quarter of {seconds} seconds, {late} kB in the last")

    def go(self):
        begin, seconds = time.monotonic(), self.arguments.seconds
        usual, tiny = self.worlds
        self.long(usual, seconds / 3, 1 << 16)
        self.long(tiny, seconds / 6, TINY_ROUNDS)
        said = 0.0
        while (now := time.monotonic() - begin) < seconds:
            if now - said > 10:
                said = now
                print(f"{self.counts}, {seconds - now:.0f} s left", flush=True)
            self.numbers.choice([self.short, self.short, self.recorded])()
        print(f"{self.counts}: as it should be")


def main():
    parser = argparse.ArgumentParser()
    for name in ("deadheat", "tiny", "judge", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    if arguments.seed is None:
        arguments.seed = random.randrange(1 << 30)
    os.makedirs(arguments.out, exist_ok=True)
    print(f"seed {arguments.seed}", flush=True)
    try:
        Soak(arguments).go()
    except Wrong as why:
        print(f"FAILED: {why}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
