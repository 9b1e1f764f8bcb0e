"""Times programs against each other, interleaved, and prints one table.

measure.py --rounds N --once ONCE --json FILE "PATH ARGUMENT..." ...

Each kernel is three programs: PATH.native, PATH.tsan and PATH.deadheat. One round runs all programs once,
so that a slow spell of the machine hits them alike; the first round warms up and is not counted. A time is
the median of wall-clock times, a peak the largest resident set of the process in any round. ONCE is once.c,
built. All three must print the same line (the kernel's checksum) and nothing else, and end with status 0.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

BUILDS = ("native", "tsan", "deadheat")


def run(once, command):
    """Runs a program: its output, wall-clock seconds, and peak memory in kilobytes."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DEADHEAT_OPTIONS", "TSAN_OPTIONS")}
    done = subprocess.run([once, *command], env=environment, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    *output, last = done.stdout.splitlines(keepends=True) or [""]
    if done.returncode != 0 or last.split()[2:] != ["0"]:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")
    seconds, kilobytes, _ = last.split()
    return "".join(output), float(seconds), int(kilobytes)


class Kernel:
    def __init__(self, text):
        self.path, *self.arguments = text.split()
        self.name = os.path.basename(self.path)
        self.seconds = {build: [] for build in BUILDS}
        self.kilobytes = {build: 0 for build in BUILDS}
        self.checksum = None

    def round(self, once, counted):
        for build in BUILDS:
            output, seconds, kilobytes = run(once, [f"{self.path}.{build}", *self.arguments])
            if self.checksum is None:
                self.checksum = output
            if output != self.checksum:
                sys.exit(f"{self.name}: {build} does not compute the same:\n{self.checksum}{output}")
            if counted:
                self.seconds[build].append(seconds)
                self.kilobytes[build] = max(self.kilobytes[build], kilobytes)

    def result(self):
        median = {build: statistics.median(self.seconds[build]) for build in BUILDS}
        slowdown = {build: median[build] / median["native"] for build in BUILDS[1:]}
        return {
            "kernel": self.name,
            "arguments": self.arguments,
            "seconds": median,
            "all_seconds": self.seconds,
            "slowdown": slowdown,
            "slowdown_ratio": slowdown["deadheat"] / slowdown["tsan"],
            "peak_kilobytes": self.kilobytes,
            "peak_ratio": self.kilobytes["deadheat"] / self.kilobytes["tsan"],
        }


LEGEND = """
native           median wall-clock time without any checking
TSan, Deadheat   slowdown: median time with that detector / native
ratio            Deadheat's slowdown / ThreadSanitizer's; below 1 Deadheat is faster (the goal: 0.50)
peak MB          largest resident memory of the process: native, TSan, Deadheat
ratio            Deadheat's peak / ThreadSanitizer's; below 1 Deadheat needs less (the goal: 1.00)"""


def table(results):
    print(f"{'kernel':10}{'native':>9}{'TSan':>9}{'Deadheat':>10}{'ratio':>8}   {'peak MB':>20}{'ratio':>8}")
    for r in results:
        peaks = " ".join(f"{r['peak_kilobytes'][build] / 1024:6.1f}" for build in BUILDS)
        print(f"{r['kernel']:10}{r['seconds']['native']:8.3f}s{r['slowdown']['tsan']:8.2f}x"
              f"{r['slowdown']['deadheat']:9.2f}x{r['slowdown_ratio']:8.2f}   {peaks}{r['peak_ratio']:8.2f}")
    print(LEGEND)


def write_json(path, document):
    """Whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--once", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("at least one round")
    kernels = [Kernel(text) for text in options.kernels]
    for number in range(options.rounds + 1):
        print("warming up" if number == 0 else f"round {number} of {options.rounds}", file=sys.stderr)
        for kernel in kernels:
            kernel.round(options.once, number > 0)
    results = [kernel.result() for kernel in kernels]
    print(f"\n{options.rounds} rounds on {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    table(results)
    write_json(options.json, {"rounds": options.rounds, "processors": os.cpu_count(), "kernels": results})


if __name__ == "__main__":
    main()
