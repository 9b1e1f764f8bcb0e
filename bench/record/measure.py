"""Times programs without and with recording, turn and turn about: measure.py [--rounds N] "PROGRAM ARGUMENT..."...

Processor time is the program's own; the command that compresses its trace runs beside it, and shows in the time that
passes if no processor is free for it.
"""
import argparse
import os
import resource
import subprocess
import tempfile
import time


def run(command, options):
    environment = dict(os.environ, DEADHEAT_OPTIONS=options)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    passed, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    print(f"{'':24}{'plain':>10}{'recorded':>10}{'ratio':>8}{'passed':>10}{'recorded':>10}{'ratio':>8}{'trace':>10}")
    for program in options.programs:
        command = program.split()
        with tempfile.TemporaryDirectory() as directory:
            trace = os.path.join(directory, "trace")
            plain, recorded = [], []
            for _ in range(options.rounds):
                plain.append(run(command, "symbolize=0"))
                recorded.append(run(command, f"symbolize=0:record={trace}"))
            size = os.path.getsize(trace)
        row = f"{os.path.basename(command[0]):24}"
        for i in range(2):
            least, most = min(t[i] for t in plain), min(t[i] for t in recorded)
            row += f"{least:9.2f}s{most:9.2f}s{most / least:8.2f}"
        print(f"{row}{size / 1e6:7.1f} MB")


if __name__ == "__main__":
    main()
