"""Counts the checks that a program executes: the numerator and denominator of the check ratio.

The inlined test leaves no trace when it succeeds, so the program is built once more with checks as calls
(the plugin's -deadheat-outline) and linked with the inlined test as functions, and with a stub in front
of each function whose name begins with __dh_check_ or __dh_foot_: it counts and jumps on. The linker's --wrap puts the
stubs in place. Every access of fasttrack's build that is not exempt is one check; so a detector's check
ratio is its count divided by fasttrack's, on the same input.
"""
import os
import re

import build
import modes
import programs

PRINTER = r"""
#include <stdio.h>
#include <stdlib.h>
extern unsigned long dh_bench_counts[];
extern char const *const dh_bench_names[];
__attribute__((destructor)) static void print(void) {
    char const *path = getenv("DEADHEAT_BENCH_COUNTS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    for (int i = 0; dh_bench_names[i]; i++)
        if (dh_bench_counts[i]) fprintf(file, "%lu %s\n", dh_bench_counts[i], dh_bench_names[i]);
    fclose(file);
}
"""


def stubs(names):
    """Assembly: a counter and a stub for each name, and the table of names."""
    lines = ["    .bss", "    .globl dh_bench_counts", "    .balign 64", "dh_bench_counts:",
             f"    .zero {8 * (len(names) + 1)}", "    .text"]
    for i, name in enumerate(names):
        lines += [f"    .globl __wrap_{name}", f"    .type __wrap_{name}, @function", f"__wrap_{name}:",
                  f"    lock incq dh_bench_counts+{8 * i}(%rip)", f"    jmp __real_{name}"]
    lines += ["    .section .rodata"]
    lines += [f"name{i}: .asciz \"{name}\"" for i, name in enumerate(names)]
    lines += ["    .section .data.rel.ro,\"aw\"", "    .balign 8", "    .globl dh_bench_names", "dh_bench_names:"]
    lines += [f"    .quad name{i}" for i in range(len(names))] + ["    .quad 0"]
    lines += ["    .section .note.GNU-stack,\"\",@progbits", ""]
    return "\n".join(lines)


def library(builder):
    """The objects to link with, and the linker's flags."""
    source = os.path.join(programs.HERE, "..", "src")
    clang = modes.clang_of(builder.deadheat)
    fast, counter, printer = (builder.path("count", name) for name in ("fastpath.o", "stubs.o", "printer.o"))
    build.call([clang, "-O2", "-fno-omit-frame-pointer", "-I", source, "-c",
                os.path.join(source, "emit", "fastpath.c"), "-o", fast])
    names = set()
    for path in (fast, builder.runtime):
        names |= set(re.findall(r" T (__dh_(?:check|foot)_\w+)", build.call(["nm", path])))
    names = sorted(names)
    for path, suffix, text in ((counter, ".s", stubs(names)), (printer, ".c", PRINTER)):
        with open(path[:-2] + suffix, "w", encoding="utf-8") as file:
            file.write(text)
        build.call([clang, "-O2", "-c", path[:-2] + suffix, "-o", path])
    wrap = builder.path("count", "wrap.rsp")
    with open(wrap, "w", encoding="utf-8") as file:
        file.write("".join(f"--wrap={name}\n" for name in names))
    return [fast, counter, printer, f"-Wl,@{wrap}"]


def kernel(builder, kernel_, mode):
    path = builder.path("kernels", f"{kernel_.name}.{mode.name}.counted")
    key = builder.key(mode, build.content(kernel_.source), build.content(__file__))
    if build.read_json(path + ".stamp") == {"key": key}:
        return path
    outline = builder.plugin_options("-deadheat-outline")
    build.call([*mode.compiler, *outline, *modes.FLAGS, "-pthread", "-c", kernel_.source, "-o", path + ".o"])
    build.call([*mode.compiler, "-pthread", path + ".o", *library(builder), "-o", path, "-lm"])
    os.remove(path + ".o")
    build.write_json(path + ".stamp", {"key": key})
    return path


def real(builder, program, mode):
    """The tree of a real program so built, and its stamp with the plugin's statistics."""
    extra = builder.plugin_options("-deadheat-outline", "-deadheat-stats")
    return program.build(builder, mode, extra, library(builder), ".counted")


def run(builder, command):
    """Runs a program so built: how often each check was executed, and what the runtime counted."""
    counts = builder.path("count", "counts")
    if os.path.exists(counts):
        os.remove(counts)
    environment = modes.environment()
    environment["DEADHEAT_OPTIONS"] += ":print_stats=1"
    environment["DEADHEAT_BENCH_COUNTS"] = counts
    text = build.call(command, env=environment, timeout=600)
    checks = {}
    for line in build.content(counts).decode().splitlines():
        number, name = line.split()
        checks[name] = checks.get(name, 0) + int(number)
    runtime = {name: int(number) for name, number in re.findall(r"^deadheat:   (\w+) +(\d+)$", text, re.M)}
    return {"checks": sum(checks.values()), "by_name": checks, "runtime": runtime}
