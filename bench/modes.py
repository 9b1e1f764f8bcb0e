"""The ways in which a program is measured: natively, with Deadheat's detectors, with other tools.

A mode says how to compile, what to run the program under, and how its reports are recognised. Which of
Deadheat's detectors there are is asked of the command itself.
"""
import functools
import os
import re
import shutil
import subprocess

# The same for all, and no more than a user would give. Valgrind cannot read newer debug information.
FLAGS = ["-O2", "-g", "-gdwarf-4"]


class Mode:
    def __init__(self, name, label, compiler, flags=(), under=(), report=None, build=None, missing=None,
                 default=False):
        self.name, self.label = name, label
        self.compiler = list(compiler)  # a command: the C compiler
        self.flags = list(flags)        # for compiling and for linking
        self.under = list(under)        # the command that the program is run by
        self.report = re.compile(report, re.M) if report else None
        self.build = build or name      # whose build it runs
        self.default = default          # of Deadheat's detectors, the one that is used if none is named
        self.why_missing = missing      # asked once, when it matters

    @functools.cached_property
    def missing(self):
        """Why it cannot be used; None if it can."""
        return self.why_missing() if self.why_missing else None

    @property
    def ours(self):
        return self.name.startswith("deadheat-")

    @property
    def valgrind(self):
        return bool(self.under)

    def reports(self, text):
        return len(self.report.findall(text)) if self.report else 0


def detectors(deadheat):
    """What `deadheat cc --help` lists under --detector=NAME, without those that are not built: pairs of a
    name and whether it is the default."""
    text = subprocess.run([deadheat, "cc", "--help"], text=True, stdout=subprocess.PIPE, check=True).stdout
    names = []
    inside = False
    for line in text.splitlines():
        if re.match(r"\s+--detector=NAME\b", line):
            inside = True
        elif inside:
            found = re.match(r"\s{4,}([a-z]\w*)\s+(.*)", line)
            if not found:
                break
            if "not built" not in found[2]:
                names.append((found[1], "(the default)" in found[2]))
    return names


def clang_of(deadheat):
    text = subprocess.run([deadheat, "--version"], text=True, stdout=subprocess.PIPE, check=True).stdout
    found = re.search(r"^clang: *(\S+)", text, re.M)
    return found[1] if found else "clang-19"


def can_sanitize(compiler):
    """None if the compiler can make a program with ThreadSanitizer, else why not."""
    if not shutil.which(compiler):
        return f"{compiler} is not installed"
    done = subprocess.run([compiler, "-fsanitize=thread", "-x", "c", "-", "-o", "/dev/null"], text=True,
                          input="int main(void) { return 0; }\n", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return None if done.returncode == 0 else f"{compiler} has no ThreadSanitizer"


def all_modes(deadheat):
    clang = clang_of(deadheat)
    race = r"^WARNING: ThreadSanitizer: data race"
    modes = [Mode("native", "native", [clang])]
    for name, default in detectors(deadheat):
        modes.append(Mode(f"deadheat-{name}", name, [deadheat, "cc", f"--detector={name}"],
                          default=default,
                          report=r"^WARNING: Deadheat: data race"))
    modes.append(Mode("tsan", "TSan (clang)", [clang], ["-fsanitize=thread"], report=race,
                      missing=lambda: can_sanitize(clang)))
    modes.append(Mode("gcc-tsan", "TSan (gcc)", ["gcc"], ["-fsanitize=thread"], report=race,
                      missing=lambda: can_sanitize("gcc")))

    def no_valgrind():
        return None if shutil.which("valgrind") else "valgrind is not installed"

    for tool, label, report in (("helgrind", "Helgrind", r"Possible data race during"),
                                ("drd", "DRD", r"Conflicting (load|store) by thread")):
        modes.append(Mode(tool, label, [clang], report=report, build="native", missing=no_valgrind,
                          under=["valgrind", f"--tool={tool}", "--fair-sched=yes"]))
    return modes


def environment():
    """What programs are run with: nobody's own options. A report must not change the exit status, which
    says whether the program worked, and ThreadSanitizer must not sleep at the end."""
    clean = {k: v for k, v in os.environ.items() if not k.endswith("SAN_OPTIONS")}
    clean["DEADHEAT_OPTIONS"] = "exitcode=0"
    clean["TSAN_OPTIONS"] = "exitcode=0:atexit_sleep_ms=0"
    clean["LC_ALL"] = "C"
    return clean


def first_line(command):
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError:
        return None
    return (done.stdout.splitlines() or [""])[0].strip()


def machine(deadheat):
    """The machine and the versions, for the head of the results. No host names."""
    model, memory = "unknown processor", 0
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.*)", file.read(), re.M)
        model = found[1].strip() if found else model
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(re.search(r"^MemTotal:\s*(\d+)", file.read(), re.M)[1]) // (1 << 20) + 1
    pretty = None
    if os.path.exists("/etc/os-release"):
        with open("/etc/os-release", encoding="utf-8") as file:
            pretty = re.search(r'^PRETTY_NAME="?([^"\n]*)', file.read(), re.M)
    return {
        "processor": model,
        "processors": os.cpu_count(),
        "memory": f"{memory} GB",
        "system": (pretty[1] if pretty else "Linux") + ", Linux " + os.uname().release,
        "deadheat": first_line([deadheat, "--version"]),
        "clang": first_line([clang_of(deadheat), "--version"]),
        "gcc": first_line(["gcc", "--version"]),
        "valgrind": first_line(["valgrind", "--version"]),
    }
