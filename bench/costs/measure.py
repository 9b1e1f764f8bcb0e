"""What the runtime costs where nothing is checked: measure.py [--rounds N] DIRECTORY

DIRECTORY holds hello, idle and operations as run.sh builds them. Everything is run natively, with Deadheat and with
ThreadSanitizer, turn and turn about, and a ratio is taken within a round, so that a slow spell of the machine hits
all alike. Printed are medians, and the least and the most in brackets. Times are processor time, but for start-up,
where the time that passes is what a user waits for. Instructions are counted by callgrind, as what twice as many
operations take more; they do not depend on the machine's mood, and say nothing of what waits for memory.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

TOOLS = ["native", "deadheat", "tsan"]
NAMES = {"native": "native", "deadheat": "Deadheat", "tsan": "ThreadSanitizer"}
THREADS = 1000

# Name, what it is, how many, and how many under callgrind (0: not there).
OPERATIONS = [
    ("lock", "mutex, lock and unlock", 500000, 5000),
    ("lock_write", "the same, with a write in between", 500000, 5000),
    ("locks_in_turn", "64 mutexes in turn", 500000, 0),
    ("spin_lock", "spin lock, lock and unlock", 500000, 5000),
    ("write_lock", "rwlock, for writing", 500000, 5000),
    ("read_lock", "rwlock, for reading", 500000, 5000),
    ("post_wait", "semaphore, post and wait", 500000, 5000),
    ("signal", "condition, signal to nobody", 500000, 0),
    ("ping", "condition, two threads in turn", 20000, 0),
    ("malloc_free", "malloc and free of 48 bytes", 500000, 5000),
    ("malloc_many", "64 blocks of several sizes", 500000, 5000),
    ("create_join", "thread, create and join", 1000, 100),
    ("create_work", "the same, and it does a little", 1000, 100),
]


def run(command):
    """What it printed, and the seconds that passed."""
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    passed = time.monotonic() - began
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{' '.join(command)} failed, status {done.returncode}:\n{done.stderr}")
    return done.stdout, passed


def spread(values, digits=2):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def in_turn(rounds, measure):
    """measure(tool) for every tool in every round, each round beginning with another: a list for each tool."""
    values = {tool: [] for tool in TOOLS}
    for number in range(rounds):
        turn = number % len(TOOLS)
        for tool in TOOLS[turn:] + TOOLS[:turn]:
            values[tool].append(measure(tool))
    return values


def startup(directory, rounds):
    repeat = 10
    values = in_turn(rounds, lambda tool: min(run([f"{directory}/hello.{tool}"])[1] for _ in range(repeat)) * 1e3)
    print(f"\nStart-up: a hello world, milliseconds that pass, the least of {repeat} runs\n")
    for tool in TOOLS:
        over = [a - b for a, b in zip(values[tool], values["native"])]
        print(f"  {NAMES[tool]:18}{spread(values[tool]):>24}"
              + (f"   over native {spread(over)}" if tool != "native" else ""))


def idle(directory):
    print(f"\n{THREADS} sleeping threads: kilobytes for each\n")
    base = None
    for tool in TOOLS:
        resident, virtual = map(float, run([f"{directory}/idle.{tool}", str(THREADS)])[0].split())
        base = base or (resident, virtual)
        print(f"  {NAMES[tool]:18}{resident:10.1f} resident{virtual:10.1f} virtual"
              + (f"   over native {resident - base[0]:.1f} and {virtual - base[1]:.1f}" if tool != "native" else ""))


def operations(directory, rounds):
    print("\nOperations: nanoseconds of processor time, and the ratio to native\n")
    print(f"  {'':36}{'native':>9}{'Deadheat':>10}{'TSan':>10}   {'Deadheat / native':22}{'TSan / native':22}")
    for name, what, count, _ in OPERATIONS:
        values = in_turn(rounds, lambda tool: float(run([f"{directory}/operations.{tool}", name, str(count)])[0]))
        ratios = {tool: [a / b for a, b in zip(values[tool], values["native"])] for tool in TOOLS}
        medians = [statistics.median(values[tool]) for tool in TOOLS]
        print(f"  {what:36}{medians[0]:9.1f}{medians[1]:10.1f}{medians[2]:10.1f}   {spread(ratios['deadheat']):22}"
              f"{spread(ratios['tsan']):22}")


def instructions(directory, tool, name, count):
    """For one operation. Valgrind cannot read the runtime's debug information, so it runs a copy without."""
    program = f"{directory}/operations.counted"
    subprocess.run(["objcopy", "--strip-debug", f"{directory}/operations.{tool}", program], check=True)
    totals = []
    for n in (count, 2 * count):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, name, str(n)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
        totals.append(int(re.search(r"Collected : (\d+)", done.stderr)[1]))
    return (totals[1] - totals[0]) / count


def counted(directory):
    if not shutil.which("valgrind"):
        print("\nvalgrind is not installed: no instructions are counted")
        return
    print("\nInstructions, by callgrind\n")
    print(f"  {'':36}{'native':>9}{'Deadheat':>10}")
    for name, what, _, count in OPERATIONS:
        if count == 0:
            continue
        native, ours = (instructions(directory, tool, name, count) for tool in ("native", "deadheat"))
        print(f"  {what:36}{native:9.0f}{ours:10.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("directory")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("at least one round")
    os.environ["TSAN_OPTIONS"] = "atexit_sleep_ms=0"
    print(f"{options.rounds} rounds on {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}: "
          "medians (least-most)")
    startup(options.directory, options.rounds)
    idle(options.directory)
    operations(options.directory, options.rounds)
    counted(options.directory)


if __name__ == "__main__":
    main()
