"""Times several builds of the same programs in turn, and prints user time and peak memory.

measure.py --rounds N --names "NAME NAME..." "PROGRAM ARGUMENT..." ...

In the working directory, PROGRAM.NAME is a program as NAME builds it, and ./once is bench/once.c, built. One
round runs everything once, so that a slow spell of the machine hits all alike; each round begins with another
build; the first one warms up and is not counted. Every build must print the same and nothing else, so no report.
"""
import argparse
import os
import statistics
import subprocess
import sys


def run(program, name, arguments):
    """Runs a program: what it printed, user seconds, and peak memory in kilobytes."""
    command = ["./once", "taken", "300", f"./{program}.{name}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        output = child.stdout.read()
        _, child.returncode, usage = os.wait4(child.pid, 0)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{output}")
    with open("taken", encoding="utf-8") as file:
        _, _, kilobytes, status = file.read().split()
    if status != "0":
        sys.exit(f"{' '.join(command)} failed, status {status}:\n{output}")
    return output, usage.ru_utime, int(kilobytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--names", required=True)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("at least one round")
    names, programs = options.names.split(), [text.split() for text in options.programs]
    seconds, peak, printed = {}, {}, {}
    for number in range(options.rounds + 1):
        print("warming up" if number == 0 else f"round {number} of {options.rounds}", file=sys.stderr)
        turn = number % len(names)
        for program, *arguments in programs:
            for name in names[turn:] + names[:turn]:
                output, user, kilobytes = run(program, name, arguments)
                if printed.setdefault(program, output) != output:
                    sys.exit(f"{program}.{name} does not print what the others do:\n{output}")
                if number > 0:
                    seconds.setdefault((program, name), []).append(user)
                    peak[program, name] = max(peak.get((program, name), 0), kilobytes)
    print(f"\n{options.rounds} rounds on {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}: "
          "user seconds (median, least and most), peak resident memory\n")
    for program, *_ in programs:
        for name in names:
            times = seconds[program, name]
            print(f"{program:8}{name:10}{statistics.median(times):7.2f} s  ({min(times):.2f} to {max(times):.2f})"
                  f"{peak[program, name] / 1024:8.0f} MB")


if __name__ == "__main__":
    main()
