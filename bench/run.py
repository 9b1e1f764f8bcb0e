#!/usr/bin/env python3
"""Measures Deadheat beside the tools that a C programmer could use instead.

  run.py suite    all programs, all tools: results.json, tables, pictures
  run.py quick    minutes: sor and sparse first, then all kernels, beside ThreadSanitizer
  run.py scaling  time and memory over threads and over input, beside ThreadSanitizer
  run.py profile  where the overhead of one kernel goes
  run.py verify   small sizes: every kernel computes the same and gets the right verdict

What was measured is kept in the build directory; a run that was interrupted goes on where it was.
"""
import argparse
import os
import shutil
import sys

sys.dont_write_bytecode = True
import build  # noqa: E402
import goals  # noqa: E402
import measure  # noqa: E402
import plots  # noqa: E402
import profiling  # noqa: E402
import programs  # noqa: E402
import repeat  # noqa: E402
import scaling  # noqa: E402
import suite  # noqa: E402
import tables  # noqa: E402
import verify  # noqa: E402


PUBLISHED = os.path.join(programs.HERE, "results.json")
ROUNDS = 11  # of the suite, where the medians are then in no doubt


def journal(builder, fresh):
    path = builder.path("journal.jsonl")
    if fresh and os.path.exists(path):
        os.remove(path)
    return measure.Journal(path)


def show(document, builder, name):
    """The document as tables and pictures. Returns the text."""
    report = tables.Report(document)
    problems = plots.all_pictures(report, builder.path(name))
    text = [f"## Time\n\n{report.slowdowns()}\n\nOverhead: time beyond the base time, in base times (1.00 = twice as "
            f"long); the last columns are ratios of overheads. Means of overheads and ratios are geometric, others "
            f"arithmetic; an overhead below 1% counts as 1%.\n\n{report.time_table()}"]
    if document["size"] != "quick":
        text.append(f"## Processor time\n\nThe same for user and system time of all threads.\n\n{report.cpu_table()}")
    text.append(f"## Memory\n\nPeak resident memory, in multiples of the native program's.\n\n{report.memory_table()}")
    text.append(f"## Verdicts\n\nEvery kernel has a variant with one race that happens in every run. A race counts as "
                f"found if a report names its line.\n\n{report.verdict_table()}")
    if any(p["kind"] == "real" for p in report.rows):
        text.append(f"## Real programs: reports\n\nNobody planted these.\n\n{report.real_table()}")
    quick = "These limits are for the sizes of `make bench`: here start-up counts for more. " if document["size"] == "quick" else ""
    text.append(f"## Goals\n\n{quick}Means of ratios are geometric.\n\n{goals.table(report)}")
    text.append(f"## Spread\n\n{repeat.STATED}\n\n{report.spread_table()}")
    if report.notes():
        text.append(f"## Not measured\n\n{report.notes()}")
    return "\n".join(text), problems


def run_suite(builder, options):
    work = suite.Suite(builder, journal(builder, options.fresh), options.size, min(ROUNDS, options.rounds), options.rounds,
                       lambda m: True, True, options.only.split(",") if options.only else None)
    document = work.run()
    build.write_json(builder.path("results.json"), document)
    text, problems = show(document, builder, "pictures")
    before = build.read_json(PUBLISHED)
    if before:
        text += "\n" + repeat.text(before, document)
    report = tables.Report(document)
    head = ("# What Deadheat costs\n\nPrinted by `make bench`; [docs/benchmarks.md](../docs/benchmarks.md) says what is "
            f"measured and how.\n\n{report.machine()}\n")
    with open(builder.path("RESULTS.md"), "w", encoding="utf-8") as file:
        file.write(head + text)
    print(head + text)
    if options.publish:
        publish(builder, head + text)
        build.write_json(PUBLISHED, document)
    say_where(["RESULTS.md", "results.json", "pictures"], builder, problems)


def publish(builder, text):
    """The results into the source tree, with the pictures below them."""
    pictures = os.path.join(programs.HERE, "pictures")
    os.makedirs(pictures, exist_ok=True)
    links = []
    for name in ("time", "memory", "checks"):
        for suffix in ("svg", "png"):
            path = builder.path("pictures", f"{name}.{suffix}")
            if os.path.exists(path):
                shutil.copy(path, pictures)
        if os.path.exists(builder.path("pictures", name + ".svg")):
            links.append(f"![{name}](pictures/{name}.svg)\n")
    with open(os.path.join(programs.HERE, "RESULTS.md"), "w", encoding="utf-8") as file:
        file.write(text + "\n## Pictures\n\n" + "\n".join(links))


def say_where(names, builder, problems):
    print("\nin " + builder.out + ": " + ", ".join(names), file=sys.stderr)
    for problem in problems:
        print(problem, file=sys.stderr)


FIRST_LEGEND = """
native           median wall-clock time without any checking
TSan, Deadheat   slowdown: median time with that detector / native
ratio            Deadheat's slowdown / ThreadSanitizer's; below 1 Deadheat is faster (the goal: 0.50)
peak MB          largest resident memory of the process: native, TSan, Deadheat
ratio            Deadheat's peak / ThreadSanitizer's; below 1 Deadheat needs less (the goal: 1.00)
"""


def first_table(work, rounds):
    """sor and sparse: native time, both slowdowns, peak memory, ratios. The default detector comes first, then
    a table for each of the others."""
    ours = sorted((m for m in work.usable if m.ours), key=lambda m: not m.default)
    jobs = []
    for name, arguments in programs.FIRST:
        for mode in work.usable:
            path = work.builder.kernel(programs.kernel(name), mode)
            command = [*mode.under, path, *(str(a) for a in [suite.THREADS, *arguments])]
            jobs.append(work.job(name, mode, command, rounds, 2 * rounds))
    work.runner.run_all(jobs)
    all_results = []
    for detector in ours:
        label = "Deadheat" if detector.default else detector.label
        print(f"{'kernel':10}{'native':>9}{'TSan':>9}{label:>10}{'ratio':>8}   {'peak MB':>20}{'ratio':>8}")
        for name, _ in programs.FIRST:
            runs = work.results(jobs, name)["runs"]
            if not all(m in runs and runs[m]["right"] for m in ("native", "tsan", detector.name)):
                print(f"{name}: a program failed, or did not compute the same")
                continue
            native, tsan, mine = (runs[m] for m in ("native", "tsan", detector.name))
            slow, slow_tsan = mine["wall"] / native["wall"], tsan["wall"] / native["wall"]
            peaks = " ".join(f"{r['peak'] / 1024:6.1f}" for r in (native, tsan, mine))
            print(f"{name:10}{native['wall']:8.3f}s{slow_tsan:8.2f}x{slow:9.2f}x{slow / slow_tsan:8.2f}   {peaks}"
                  f"{mine['peak'] / tsan['peak']:8.2f}")
            all_results.append({"kernel": name, "detector": detector.name, "slowdown_ratio": slow / slow_tsan,
                                "slowdown": {"tsan": slow_tsan, "deadheat": slow}, "runs": runs,
                                "peak_ratio": mine["peak"] / tsan["peak"]})
        print()
    print(FIRST_LEGEND)
    return all_results


def run_quick(builder, options):
    """Timed anew each time: a number that is asked for again is to be measured again."""
    def wanted(mode):
        return mode.ours or mode.name in ("native", "tsan")
    path = builder.path("quick.jsonl")
    if os.path.exists(path):
        os.remove(path)
    work = suite.Suite(builder, measure.Journal(path), "quick", 3, 5, wanted, False)
    print(f"{options.rounds} rounds on {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n", flush=True)
    first = first_table(work, options.rounds)
    sys.stdout.flush()
    document = work.run(racy_runs=1)
    document["first"] = first
    build.write_json(builder.path("quick.json"), document)
    text, problems = show(document, builder, "quick-pictures")
    print(text)
    say_where(["quick.json", "quick-pictures"], builder, problems)


def run_scaling(builder, options):
    text, failed, problems = scaling.run(builder, options.fresh)
    print(text)
    for line in failed:
        print("failed: " + line)
    say_where(["SCALING.md", "scaling.json", "pictures"], builder, problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["suite", "quick", "scaling", "profile", "verify"])
    parser.add_argument("--deadheat", required=True, help="the command, for example build/bin/deadheat")
    parser.add_argument("--out", required=True, help="where programs and results go, for example build/bench")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--only", help="suite: some programs, a,b,c")
    parser.add_argument("--size", choices=["full", "quick", "tiny"], default="full", help="suite: of the kernels")
    parser.add_argument("--publish", action="store_true", help="suite: also write bench/RESULTS.md, bench/results.json and bench/pictures")
    parser.add_argument("--rounds", type=int, default=21, help=f"suite: of each program, where {ROUNDS} are not enough; "
                        "quick: runs of sor and sparse")
    parser.add_argument("--kernel", help="profile: which one; verify: some, a,b,c")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("at least one round")
    if options.only and options.publish:
        parser.error("results of some programs are not published")
    if not os.access(options.deadheat, os.X_OK):
        parser.error(f"{options.deadheat} is not there; `make` builds it")
    builder = build.Builder(options.deadheat, options.out)
    try:
        if options.what == "suite":
            run_suite(builder, options)
        elif options.what == "quick":
            run_quick(builder, options)
        elif options.what == "scaling":
            run_scaling(builder, options)
        elif options.what == "profile":
            if not options.kernel:
                parser.error("which kernel? --kernel NAME, or make bench-profile KERNEL=NAME")
            print(profiling.run(builder, options.kernel))
        else:
            wrong = verify.run(builder, options.kernel.split(",") if options.kernel else [])
            if wrong:
                sys.exit("\n".join(wrong))
    except build.Failed as why:
        sys.exit(f"bench: {why}")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what was measured is kept")


if __name__ == "__main__":
    main()
