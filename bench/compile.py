"""How long compiling takes: zstd's library, file by file, with clang, Deadheat and ThreadSanitizer.

A round compiles each file once with each compiler, one after the other, so that a slow spell of the machine
hits all alike. Times are processor time, without linking. Ratios are of a round's sums; the median is told, and the
least and the most.
"""
import argparse
import glob
import os
import statistics
import sys

import build
import measure
import modes
import real
import tables

PARTS = ["common", "compress", "decompress", "dictBuilder"]


def files_of(builder):
    library = os.path.join(real.source(builder, "zstd"), "lib")
    return sorted(path for part in PARTS for path in glob.glob(os.path.join(library, part, "*.c")))


def round_of(builder, files, tools):
    """The seconds of each tool for all files."""
    seconds = {mode.name: 0 for mode in tools}
    for path in files:
        for mode in tools:
            command = [*mode.compiler, *mode.flags, *modes.FLAGS, "-DZSTD_MULTITHREAD", "-c", path, "-o", "/dev/null"]
            seconds[mode.name] += build.seconds_of(lambda command=command: build.call(command))
    return seconds


def ratios(rounds, mode):
    """How many times as long as clang a mode takes, in each round."""
    return [r[mode] / r["native"] for r in rounds if mode in r]


def kept(builder, journal, count):
    """Rounds of clang and the default detector: those that the journal has, and what is missing of `count`."""
    tools = [m for m in builder.modes if m.name == "native" or m.default]
    files = files_of(builder)
    key = build.digest("compiling", real.version(builder, "zstd"), *(builder.key(m) for m in tools))
    while len(journal.of(key)) < count:
        measure.progress(f"compiling zstd's library: round {len(journal.of(key)) + 1} of {count}")
        journal.add(key, {"seconds": round_of(builder, files, tools)})
    return [record["seconds"] for record in journal.of(key)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    builder = build.Builder(options.deadheat, options.out)
    tools = [m for m in builder.modes if m.name in ("native", "tsan") or m.default]
    tools = [m for m in tools if not m.missing]
    try:
        files = files_of(builder)
        rounds = [round_of(builder, files, tools) for _ in range(options.rounds)]
    except build.Failed as failure:
        sys.exit(str(failure))
    rows = []
    for mode in tools:
        all_ratios = ratios(rounds, mode.name)
        rows.append([mode.label, f"{statistics.median(r[mode.name] for r in rounds):.1f}",
                     f"{statistics.median(all_ratios):.2f}", f"{min(all_ratios):.2f}-{max(all_ratios):.2f}"])
    print(f"zstd's library, {len(files)} files, {' '.join(modes.FLAGS)}, {options.rounds} rounds\n")
    print(tables.render(["Compiler", "Seconds", "Ratio", "Least-most"], rows))


if __name__ == "__main__":
    main()
