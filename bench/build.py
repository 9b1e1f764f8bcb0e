"""Builds kernels, once for each mode, and again only when something has changed.

Beside each program is a stamp that says what it was made from.
"""
import hashlib
import json
import os
import re
import resource
import statistics
import subprocess
import sys

import modes
import programs


class Failed(Exception):
    """A program that cannot be built or fetched; the text says why, in a line."""


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        h.update(part if isinstance(part, bytes) else str(part).encode())
        h.update(b"\0")
    return h.hexdigest()[:24]


def content(path):
    with open(path, "rb") as file:
        return file.read()


def write_json(path, document):
    """Whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def call(command, log=None, **options):
    """Runs a command that must succeed; its output goes to a file, or into the message if it fails."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          errors="replace", **options)
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{done.stdout}")
    if done.returncode != 0:
        raise Failed(f"`{' '.join(command)[:160]}` fails" + (f", see {log}" if log else ":\n" + done.stdout))
    return done.stdout


def seconds_of(work):
    """The processor time of the commands that `work` runs."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = spent()
    work()
    return spent() - before


class Builder:
    def __init__(self, deadheat, out):
        self.deadheat = os.path.realpath(deadheat)
        self.out = os.path.abspath(out)
        os.makedirs(self.out, exist_ok=True)
        parts = os.path.join(os.path.dirname(os.path.dirname(self.deadheat)), "lib", "deadheat")
        self.plugin = os.path.join(parts, "libdeadheat-plugin.so")
        self.runtime = os.path.join(parts, "libdeadheat.a")
        self.identity = digest(content(self.deadheat), content(self.plugin), content(self.runtime))
        self.modes = modes.all_modes(self.deadheat)

    def path(self, *parts):
        path = os.path.join(self.out, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def mode(self, name):
        return next(m for m in self.modes if m.name == name)

    def tool(self, source, *flags):
        """A program of the benchmark itself."""
        path = self.path("tools", os.path.splitext(os.path.basename(source))[0])
        source = os.path.join(programs.HERE, source)
        key = digest(content(source), flags)
        if read_json(path + ".stamp") != {"key": key}:
            call([modes.clang_of(self.deadheat), "-O2", "-g", "-pthread", source, "-o", path, *flags])
            write_json(path + ".stamp", {"key": key})
        return path

    def key(self, mode, *parts):
        compiler = self.identity if mode.ours else modes.first_line([*mode.compiler, "--version"])
        return digest(compiler, mode.compiler, mode.flags, modes.FLAGS, *parts)

    def kernel(self, kernel, mode, racy=False):
        """The program."""
        mode = self.mode(mode.build)
        path = self.path("kernels", f"{kernel.name}{'_racy' if racy else ''}.{mode.name}")
        sources = content(kernel.source), content(os.path.join(programs.KERNEL_SOURCES, "kernel.h"))
        key = self.key(mode, racy, *sources)
        if read_json(path + ".stamp") == {"key": key}:
            return path
        print(f"building {os.path.basename(path)}", file=sys.stderr)
        call([*self.compile_command(kernel, mode), *(["-DRACY"] if racy else []), "-o", path, "-lm"])
        write_json(path + ".stamp", {"key": key})
        return path

    @staticmethod
    def compile_command(kernel, mode):
        return [*mode.compiler, *mode.flags, *modes.FLAGS, "-pthread", kernel.source]

    def compile_seconds(self, kernel, mode):
        """The compiler's processor time, without linking: the median of a few."""
        command = [*self.compile_command(kernel, mode), "-c", "-o", "/dev/null"]
        return statistics.median(seconds_of(lambda: call(command)) for _ in range(3))

    def plugin_options(self, *options):
        """Flags of `deadheat cc` that give options to its plugin, which has to be loaded early."""
        flags = ["-fplugin=" + self.plugin]
        for option in options:
            flags += ["-Xclang", "-mllvm", "-Xclang", option]
        return flags

    def functions(self, kernel, mode):
        """How many functions of a kernel were looked at, and how many checks were placed."""
        text = call([*self.compile_command(kernel, mode), "-c", "-o", "/dev/null",
                     *self.plugin_options("-deadheat-stats")])
        return statistics_of(text)


def statistics_of(text):
    """The sums over all tables that the plugin's statistics printed into a text."""
    sums = {}
    for number, name in re.findall(r"^ *(\d+) (\w+) ", text, re.M):
        sums[name] = sums.get(name, 0) + int(number)
    return {"functions": sums.get("functions", 0), "accesses": sums.get("accesses", 0),
            "checks": sums.get("kept", 0)}


