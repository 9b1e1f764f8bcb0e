"""Where the overhead of one kernel goes: checks by kind, instructions by entry into the runtime, samples.

Instructions are counted by callgrind, so they do not depend on the machine's mood. Valgrind cannot read
the runtime's debug information, so it runs a copy without; symbols are enough. Its threads take turns,
which makes programs that spin spin for longer.
"""
import re
import shutil
import subprocess

import build
import count
import modes
import programs
import suite
import tables

# Entries into the runtime, by the first pattern that matches. The rest is the runtime's own business:
# starting threads, the beginning and the end. Checks that are called, where a function has many, are one entry with
# what they go on to.
ENTRIES = [
    ("called checks", r"__dh_called_"),
    ("range", r"__dh_check_|__dh_(read|write)_(few|many|run)\w*_slow$|^(mem|str|stp|bcmp|bzero|wcs|wmem)\w*$"),
    ("slow path", r"__dh_(read|write|gather)\w*_slow$"),
    ("footprint", r"__dh_foot_"),
    ("atomics", r"__dh_atomic|__dh_fence|__dh_.*fence"),
    ("memory", r"^(malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|memalign|m(un)?map|mremap)$"),
    ("sync", r"^(pthread_(mutex|rwlock|spin|cond|barrier|once)|sem_|mtx_|cnd_|call_once)"),
]


def category(name):
    return next((title for title, pattern in ENTRIES if re.search(pattern, name)), None)


def callgrind(builder, program, arguments):
    """Instructions of each function by itself, and of calls with all that they call."""
    copy, out = builder.path("profile", "program"), builder.path("profile", "callgrind.out")
    build.call(["objcopy", "--strip-debug", program, copy])
    build.call(["valgrind", "--tool=callgrind", "--fair-sched=yes", "--compress-strings=no", "--compress-pos=no",
                f"--callgrind-out-file={out}", copy, *arguments], env=modes.environment(), timeout=900)
    own, calls = {}, {}
    function = callee = None
    inside = False
    with open(out, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("fn="):
                function = line[3:].strip()
            elif line.startswith("cfn="):
                callee = line[4:].strip()
            elif line.startswith("calls="):
                inside = True
            elif re.match(r"[0-9+*-]", line):
                cost = int(line.split()[1])
                if inside:
                    calls[function, callee] = calls.get((function, callee), 0) + cost
                    inside = False
                else:
                    own[function] = own.get(function, 0) + cost
    return own, calls


def base_name(name):
    """Callgrind marks the depth of recursion, 'f'2, and versions of symbols."""
    return name.split("'")[0].split("@")[0]


def instructions(builder, kernel, mode, arguments):
    """A table: instructions of the program itself, of the inlined tests, and of the runtime by entry."""
    native, _ = callgrind(builder, builder.kernel(kernel, builder.mode("native")), arguments)
    own, calls = callgrind(builder, builder.kernel(kernel, mode), arguments)
    runtime = set(re.findall(r" [tTwWiV] (\w+)$", build.call(["nm", builder.runtime]), re.M))
    program = set(re.findall(r" [tT] (\w+)$", build.call(["nm", builder.kernel(kernel, builder.mode("native"))]),
                             re.M))

    def of_program(costs):
        return sum(cost for name, cost in costs.items() if base_name(name) in program)

    entries = {title: 0 for title, _ in ENTRIES}
    for (caller, callee), cost in calls.items():
        title = category(base_name(callee))
        if title and base_name(callee) in runtime and base_name(caller) not in runtime:
            entries[title] += cost
    base, total, plain = sum(native.values()), sum(own.values()), of_program(native)
    rows = [("the program itself", plain), ("inlined tests", of_program(own) - plain)]
    rows += [(title, cost) for title, cost in entries.items()]
    rows.append(("libraries, the rest of the runtime", total - sum(cost for _, cost in rows)))
    rows += [("all", total), ("all, natively", base)]
    return tables.render(["Instructions", "Millions", "x native"],
                         [[title, f"{cost / 1e6:.2f}", f"{cost / base:.2f}"] for title, cost in rows])


def checks(builder, kernel, mode, arguments):
    result = count.run(builder, [count.kernel(builder, kernel, mode), *arguments])
    slow = result["runtime"].get("slow_accesses", 0)
    every = max(1, result["checks"])
    rows = [[name.replace("__dh_check_", ""), n, f"{100 * n / every:.1f}%"]
            for name, n in sorted(result["by_name"].items(), key=lambda item: -item[1])]
    rows += [["all", result["checks"], "100%"], ["of these judged the long way", slow, f"{100 * slow / every:.1f}%"]]
    text = tables.render(["Checks executed", "Number", "Share"], rows)
    rest = [[name, n] for name, n in result["runtime"].items()]
    return text + "\n" + tables.render(["Counted by the runtime", "Number"], rest)


def samples(builder, program, arguments):
    """The functions that a sampling profiler meets most often."""
    if not shutil.which("perf"):
        return "perf is not installed: no samples\n"
    data = builder.path("profile", "perf.data")
    done = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", data, program, *arguments], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=modes.environment())
    if done.returncode != 0:
        return "perf does not work here: " + " ".join(done.stderr.split())[:200] + "\n"
    text = build.call(["perf", "report", "-i", data, "--stdio", "-q", "--percent-limit", "1", "--sort", "symbol"])
    rows = re.findall(r"^ +([0-9.]+%) +\[(.)\] (\S+)", text, re.M)
    return tables.render(["Samples", "Share"], [[name + (" (kernel)" if kind == "k" else ""), share]
                                                for share, kind, name in rows[:15]])


def run(builder, name):
    try:
        kernel = programs.kernel(name)
    except KeyError:
        known = ", ".join(k.name for k in programs.KERNELS)
        raise build.Failed(f"no kernel is called '{name}'; there are {known}") from None
    small = [str(a) for a in [suite.THREADS, *kernel.growth]]
    large = [str(a) for a in [suite.THREADS, *kernel.quick]]
    text = []
    for mode in (m for m in builder.modes if m.ours):
        text += [f"# {name}, {mode.label}", "", f"## Checks ({name} {' '.join(large)})", "",
                 checks(builder, kernel, mode, large), f"## Instructions ({name} {' '.join(small)})", ""]
        if shutil.which("valgrind"):
            text.append(instructions(builder, kernel, mode, small))
        else:
            text.append("valgrind is not installed: no instruction counts\n")
        text += [f"## Samples ({name} {' '.join(large)})", "",
                 samples(builder, builder.kernel(kernel, mode), large)]
    return "\n".join(text)
