"""ThreadSanitizer's own tests, with `deadheat cc` in the place of its compiler.

    suite.py --deadheat DEADHEAT --out DIRECTORY [--detector NAME] [--jobs N] [TEST...]

The tests come from the source of LLVM (fetch.sh); nothing of them is in this tree. A test says in its RUN lines how it is
built and run, and in its CHECK lines what is to be printed. The RUN lines are followed as lit follows them, with two
changes: a run that is allowed to find its race at the tenth attempt (%deflake) has one, and FileCheck is `check` below,
since the texts of the two differ. It asks for the same verdict:

    a data race, or a use of freed memory, is expected: one is reported, and at a line, or in a function, that the
    test names
    no report is expected: there is none, nor any other message of Deadheat's, and the rest is as FileCheck wants it

The exit status must be right in any case. `table` says which tests are not judged (apart), and which are known to differ
(differs), with the reasons. Prints a line for each disagreement and a total; exits with 1 if there is one that is not in
the table, or if a test that is known to differ does not.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "llvm-toolchain-19"
SUITE = "compiler-rt/test/tsan"
PARTS = [SUITE, "compiler-rt/test/sanitizer_common/print_address.h",
         "compiler-rt/test/sanitizer_common/sanitizer_ucontext.h"]
DIRECTORIES = ["", "Linux", "libcxx", "libdispatch", "Darwin"]
LIMIT = 600  # seconds for one run, on a busy machine: what takes longer hangs

RACE = re.compile(r"data race|ThreadSanitizer: heap-use-after-free")
REPORTS = re.compile(r"ThreadSanitizer: reported (\d+) warnings")
OTHER = re.compile(r"ThreadSanitizer: \w")
DETAILS = re.compile(r"Location|Mutex|created|allocated")  # what follows the two stacks of a report
HARMLESS = re.compile(r"has no effect: |suppressed|not looked at by ")  # messages that the options of a test ask for
NAMED_LINE = re.compile(r"[\w.-]+\.(?:c|cpp|h):(?:(\d+)|\[\[#?@LINE *(?:([+-]) *(\d+))?\]\])")
NAMED_FUNCTION = re.compile(r"#[0-9]+ (\w+)")
FRAME = re.compile(r"^ +#\d+ (.+) \S*?([\w.-]+\.(?:c|cpp|h)):(\d+)")


# ---- one use of FileCheck ----

def expectations(source, prefixes):
    """The positive CHECK lines of a test, each with the number of its line."""
    pattern = re.compile(r"\b(?:%s)(?:-(\w+))?: *(.*)" % "|".join(map(re.escape, sorted(prefixes, key=len, reverse=True))))
    found = []
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = pattern.search(line)
            if match and match[1] in (None, "NEXT", "SAME", "DAG"):
                found.append((number, match[2]))
    return found


def named_places(expected, source):
    """Lines of the test, and functions of its own, that are to be in the stacks of the two accesses."""
    with open(source, encoding="utf-8") as file:
        defined = set(re.findall(r"^\w.*?\b(\w+)\(", file.read(), re.MULTILINE))
    lines, functions = set(), set()
    for number, text in expected:
        if DETAILS.search(text):
            break
        for match in NAMED_LINE.finditer(text):
            offset = int(match[3] or 0) * (-1 if match[2] == "-" else 1)
            lines.add(int(match[1]) if match[1] else number + offset)
        functions.update(NAMED_FUNCTION.findall(text))
    return lines, functions & defined


def disagreement(output, arguments):
    """What is wrong with the output of a run by the CHECK lines of its test, or None."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--report", action="store_true")  # the run has to fail (%deflake)
    for name in ("--check-prefix", "-check-prefix", "--check-prefixes"):
        options.add_argument(name, dest="prefixes", action="append")
    known, rest = options.parse_known_args(arguments)
    source = next(argument for argument in rest if not argument.startswith("-"))
    prefixes = ",".join(known.prefixes or ["CHECK"]).split(",")
    expected = expectations(source, prefixes)
    reported = output.count("WARNING: Deadheat: data race")
    number = next((int(match[1]) for match in (REPORTS.search(text) for _, text in expected) if match), None)
    race = any(RACE.search(text) for _, text in expected) or number is not None
    if race or (known.report and not any(OTHER.search(text) for _, text in expected)):
        if not reported:
            return "a race is not reported"
        if number is not None and number != reported:
            return "%d races are reported, not %d" % (reported, number)
        lines, functions = named_places(expected, source)
        frames = [match for match in map(FRAME.match, output.splitlines()) if match]
        if lines and not lines & {int(frame[3]) for frame in frames if frame[2] == os.path.basename(source)}:
            return "no report has one of the lines %s" % sorted(lines)
        if not lines and functions and not any(re.search(r"\b%s\b" % f, frame[1]) for f in functions for frame in frames):
            return "no report has one of the functions %s" % sorted(functions)
        return None
    if any(OTHER.search(text) for _, text in expected):
        return "what is expected is not a race"
    if reported:
        return "a race is reported"
    for line in output.splitlines():
        if line.lower().startswith("deadheat: ") and not HARMLESS.search(line):
            return "it says: " + line
    command = ["FileCheck", "--allow-empty"] + [argument for argument in arguments if argument != "--report"]
    check = subprocess.run(command, input=output, text=True, stderr=subprocess.PIPE)
    return None if check.returncode == 0 else "not as FileCheck wants it"


def note(text):
    """For the test that this process is a part of."""
    with open(os.environ["SUITE_NOTES"], "a", encoding="utf-8") as notes:
        notes.write(text + "\n")


def check_main(arguments):
    output = sys.stdin.buffer.read().decode("utf-8", "replace")
    with open(os.environ["SUITE_NOTES"] + ".output", "a", encoding="utf-8") as file:
        file.write(output)
    what = disagreement(output, arguments)
    if what:
        note(what)
    return 1 if what else 0


# ---- one run of a test's program ----

def run_main(arguments):
    """Runs the program; if it hangs it is ended with all its children."""
    process = subprocess.Popen(arguments, start_new_session=True)
    try:
        status = process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        note("hangs")
        return 124
    if status < 0:
        note("ended by signal %d" % -status)
    return status if status >= 0 else 128 - status


def race_main(arguments):
    """What %deflake stands for, with one attempt: a run that must fail."""
    if subprocess.run(arguments, stderr=subprocess.STDOUT).returncode == 0:
        note("exit status 0, but a race is expected")
        return 1
    return 0


# ---- a test ----

class Test:
    def __init__(self, root, name):
        self.name = name
        self.source = os.path.join(root, SUITE, name)
        self.include = os.path.join(root, os.path.dirname(SUITE))
        with open(self.source, encoding="utf-8", errors="replace") as file:
            lines = re.findall(r"RUN:(.*)", file.read())
        self.commands = "\n".join(lines).replace("\\\n", " ").splitlines()

    def command(self, line, options, scratch):
        myself = shlex.join([sys.executable, "-B", os.path.abspath(__file__)])
        flags = "-w -m64 -msse4.2 -I%s" % shlex.quote(self.include)
        detector = "--detector=%s " % options.detector if options.detector else ""
        at = os.path.join(scratch, "it")
        cxx = "%s c++ %s%s -std=c++11 " % (options.deadheat, detector, flags)
        check = " check --report" if re.search(r"(?<!not )%deflake", line) else " check"
        line = re.sub(r"\bFileCheck\b", lambda _: myself + check, line)
        for name, value in [
                ("%clangxx_tsan ", cxx), ("%clang_tsan ", "%s cc %s%s " % (options.deadheat, detector, flags)),
                ("%env_tsan_opts=", "env DEADHEAT_OPTIONS="), ("%deflake ", myself + " race "),
                ("%run ", myself + " run "), ("%link_libcxx_tsan", ""), ("%darwin_min_target_with_tls_support", ""),
                ("%dynamiclib", at + ".dynamic.so"), ("%ld_flags_rpath_so", ""),
                ("%ld_flags_rpath_exe", at + ".dynamic.so"), ("CHECK-%os", "CHECK-Linux"),
                ("%s", self.source), ("%t", at)]:
            line = line.replace(name, value)
        return line

    def run(self, options):
        """What disagrees, or None; and what was printed."""
        with tempfile.TemporaryDirectory(dir=options.out) as scratch:
            environment = dict(os.environ, SUITE_NOTES=os.path.join(scratch, "notes"), TMPDIR=scratch)
            environment.pop("DEADHEAT_OPTIONS", None)
            said, what = [], None
            for line in self.commands:
                command = self.command(line.strip(), options, scratch)
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=scratch, env=environment, text=True,
                                      errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
                said += ["$ " + command, done.stdout]
                if done.returncode != 0:
                    broken = re.search(r"^clang.*error|: (?:fatal )?error: |undefined reference", done.stdout, re.MULTILINE)
                    what = "does not build" if broken else "exit status %d" % done.returncode
                    break
            notes = environment["SUITE_NOTES"]
            if os.path.exists(notes + ".output"):
                with open(notes + ".output", encoding="utf-8") as file:
                    said += ["checked:", file.read()]
            if what and os.path.exists(notes):
                with open(notes, encoding="utf-8") as file:
                    what = "; ".join(dict.fromkeys(file.read().splitlines()))
            return what, said


def read_table(path):
    table = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, kind, reason = line.rstrip("\n").split(None, 2)
                table[name] = (kind, reason)
    return table


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--deadheat", required=True, type=os.path.realpath)
    options.add_argument("--out", required=True, type=os.path.realpath)
    options.add_argument("--detector")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("tests", nargs="*", metavar="TEST")
    options = options.parse_args()

    package = os.path.join(options.out, PACKAGE)
    os.makedirs(package, exist_ok=True)
    fetched = subprocess.run([os.path.join(HERE, "../real/fetch.sh"), PACKAGE, package] + PARTS)
    if fetched.returncode:
        return fetched.returncode
    root = os.path.join(package, "src")
    bindir = subprocess.run(["llvm-config-19", "--bindir"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    os.environ["PATH"] = bindir + ":" + os.environ["PATH"]

    table = read_table(os.path.join(HERE, "table"))
    every = [os.path.join(directory, name) for directory in DIRECTORIES
             for name in sorted(os.listdir(os.path.join(root, SUITE, directory)))
             if name.endswith((".c", ".cpp", ".m", ".mm"))]
    unknown = set(table) - set(every)
    if unknown:
        print("the table has tests that the suite has not: %s" % " ".join(sorted(unknown)))
    chosen = options.tests or every
    judged = [name for name in chosen if options.tests or table.get(name, ("",))[0] != "apart"]
    logs = os.path.join(options.out, "tsan-suite")
    os.makedirs(logs, exist_ok=True)

    count = collections.Counter(apart=len(chosen) - len(judged))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(Test(root, name).run, options): name for name in judged}
        for future in concurrent.futures.as_completed(running):
            name = running[future]
            what, said = future.result()
            differs = table.get(name, ("",))[0] == "differs"
            count["judged"] += 1
            if what is None and not differs:
                count["agree"] += 1
            elif what is not None and differs:
                count["differ"] += 1
            else:
                count["wrong"] += 1
                print("%s: %s" % (name, what or "agrees, but the table says that it differs"), flush=True)
            with open(os.path.join(logs, name.replace("/", "_") + ".log"), "w", encoding="utf-8") as log:
                log.write("\n".join(said + ["", "=> " + (what or "agrees"), ""]))
            if sys.stdout.isatty() or count["judged"] % 50 == 0:
                print("[%d of %d]" % (count["judged"], len(judged)), end="\r" if sys.stdout.isatty() else "\n", flush=True)
    print("%d tests: %d agree, %d differ as known, %d disagree; %d not judged; what was printed is in %s" % (
        len(chosen), count["agree"], count["differ"], count["wrong"], count["apart"], logs))
    return 1 if count["wrong"] or unknown else 0


if __name__ == "__main__":
    parts = {"check": check_main, "run": run_main, "race": race_main}
    sys.exit(parts[sys.argv[1]](sys.argv[2:]) if sys.argv[1:2] and sys.argv[1] in parts else main())
