"""The suite: all programs under all modes, and what came out as one document.

The document (results.json) is what tables.py and plots.py show; nothing is computed twice.
"""
import datetime
import os
import statistics
import sys

import build
import compile as compiling
import count
import goals
import measure
import modes
import programs
import real
import tables

THREADS = 2
RACY_RUNS = 5
COMPILE_ROUNDS = 5


def identity(command):
    """Of a command and of the programs that it names."""
    return build.digest(command, *(build.content(word) for word in command if os.path.isfile(word)))


class Suite:
    def __init__(self, builder, journal, size, rounds, most, with_modes, with_real, only=None):
        self.builder, self.journal = builder, journal
        self.runner = measure.Runner(builder, journal)
        self.size, self.rounds, self.most = size, rounds, most
        self.modes = [m for m in builder.modes if with_modes(m)]
        self.usable = [m for m in self.modes if not m.missing]
        self.kernels = [k for k in programs.KERNELS if not only or k.name in only]
        self.real = [p for p in real.PROGRAMS if with_real and (not only or p.name in only)]

    def job(self, name, mode, command, rounds, most=None, planted=None):
        key = build.digest(identity(command), bool(planted))
        return measure.Job(name, mode, command, key, rounds, most, planted)

    def kernel_jobs(self):
        for kernel in self.kernels:
            arguments = [str(a) for a in [THREADS, *getattr(kernel, self.size)]]
            for mode in self.usable:
                path = self.builder.kernel(kernel, mode)
                yield self.job(kernel.name, mode, [*mode.under, path, *arguments], self.rounds, self.most)

    def racy_jobs(self, runs):
        for kernel in self.kernels:
            arguments = [str(a) for a in [THREADS, *kernel.tiny]]
            planted = kernel.name + ".c", kernel.planted()
            for mode in self.usable:
                if mode.name == "native":
                    continue
                path = self.builder.kernel(kernel, mode, racy=True)
                yield self.job(kernel.name + "_racy", mode, [*mode.under, path, *arguments], min(runs, 3) if mode.valgrind else runs,
                               planted=planted)

    def real_jobs(self, missing):
        """Those of real programs. What cannot be fetched or built is noted in `missing`."""
        for program in self.real:
            for mode in self.usable:
                try:
                    command = program.command(self.builder, mode, THREADS)
                except build.Failed as why:
                    print(f"{program.name}, {mode.label}: {why}", file=sys.stderr)
                    missing.setdefault(program.name, {})[mode.name] = str(why).splitlines()[0]
                    if mode.name == "native":
                        break
                    continue
                yield self.job(program.name, mode, command, self.rounds, self.most)

    def sweep_jobs(self):
        """For the memory that shadow takes: native, and the detectors that are compared."""
        wanted = [m for m in self.usable if m.name in ("native", tables.BASE) or m.default]
        for name, arguments in goals.SWEEPS if self.size == "full" else []:
            kernel = programs.kernel(name)
            for mode in wanted if kernel in self.kernels else []:
                command = [self.builder.kernel(kernel, mode), *(str(a) for a in [THREADS, *arguments])]
                yield self.job(name + ", large", mode, command, 1)

    def run(self, racy_runs=RACY_RUNS):
        missing = {}
        timed = list(self.kernel_jobs())
        sweeps = list(self.sweep_jobs())
        racy = list(self.racy_jobs(racy_runs))
        timed += list(self.real_jobs(missing))
        self.runner.run_all(timed)
        self.runner.run_all(racy)
        self.runner.run_all(sweeps)
        document = {
            "when": datetime.date.today().isoformat(),
            "machine": {**modes.machine(self.builder.deadheat), "build": self.builder.identity},
            "size": self.size,
            "threads": THREADS,
            "modes": [{"name": m.name, "label": m.label, "missing": m.missing, "ours": m.ours, "default": m.default}
                      for m in self.modes],
            "programs": [],
            "planted": {k.name: self.verdicts(racy, k.name + "_racy") for k in self.kernels},
        }
        if self.size == "full" and any(p.name == "zstd" for p in self.real):
            document["compiling"] = self.compile_rounds()
        for job in sweeps:
            for record in job.counted(self.journal):
                document.setdefault("sweeps", {}).setdefault(job.program, {})[job.mode.name] = record["peak"]
        for kernel in self.kernels:
            document["programs"].append({"name": kernel.name, "kind": "kernel", **self.results(timed, kernel.name),
                                         **self.placement(kernel)})
        for program in self.real:
            entry = {"name": program.name, "kind": "real", **self.results(timed, program.name),
                     **self.real_placement(program)}
            entry["missing"] = missing.get(program.name, {})
            document["programs"].append(entry)
        return document

    def results(self, jobs, name):
        runs, failed, digest = {}, {}, None
        for job in (j for j in jobs if j.program == name):
            records = job.counted(self.journal)
            if job.failed or not records:
                failed[job.mode.name] = job.failed or "not run"
                continue
            digest = digest or records[0]["digest"]  # native is the first, and is right
            walls = [r["wall"] for r in records]
            runs[job.mode.name] = {
                "wall": statistics.median(walls),
                "cpu": statistics.median(r["cpu"] for r in records),
                "peak": max(r["peak"] for r in records),
                "between": measure.interval(walls),
                "rounds": len(records),
                "reports": max(r["reports"] for r in records),
                "right": all(r["digest"] == digest for r in records),
            }
        command = next((j.command for j in jobs if j.program == name), [])
        return {"arguments": [a.rsplit("/", 1)[-1] for a in command[1:]], "runs": runs, "failed": failed}

    def verdicts(self, jobs, name):
        found = {}
        for job in (j for j in jobs if j.program == name):
            records = job.counted(self.journal)
            found[job.mode.name] = {"found": sum(r["found"] for r in records), "runs": len(records),
                                    "failed": job.failed}
        return found

    def compile_rounds(self):
        """Processor time of compiling zstd's library, natively and with the default detector, in each round."""
        try:
            return compiling.kept(self.builder, self.journal, COMPILE_ROUNDS)
        except build.Failed as why:
            print(f"compile time was not measured: {why}", file=sys.stderr)
            return []

    def placement(self, kernel):
        """Functions, compile times and checks executed, for each of our detectors."""
        compile_ = {"native": self.builder.compile_seconds(kernel, self.builder.mode("native"))}
        static, dynamic = {}, {}
        arguments = [str(a) for a in [THREADS, *getattr(kernel, self.size)]]
        for mode in (m for m in self.usable if m.ours):
            compile_[mode.name] = self.builder.compile_seconds(kernel, mode)
            static[mode.name] = self.builder.functions(kernel, mode)
            try:
                dynamic[mode.name] = self.count(kernel.name, mode,
                                                [count.kernel(self.builder, kernel, mode), *arguments])
            except build.Failed as why:
                print(f"{kernel.name}, {mode.label}: checks not counted: {why}", file=sys.stderr)
        return {"compile": compile_, "static": static, "dynamic": dynamic}

    def real_placement(self, program):
        """The same for a real program, as far as it could be built. Checks are counted for the default detector
        and for fasttrack, which all others are compared with: each count needs a build of its own."""
        compile_, static, dynamic = {}, {}, {}
        for mode in (m for m in self.usable if m.ours or m.name == "native"):
            try:
                compile_[mode.name] = program.build(self.builder, mode)[1]["seconds"]
                if mode.default or mode.name == tables.BASE:
                    tree, stamp = count.real(self.builder, program, mode)
                    static[mode.name] = stamp["static"]
                    dynamic[mode.name] = self.count(program.name, mode,
                                                    program.command(self.builder, mode, THREADS, tree))
            except build.Failed as why:
                print(f"{program.name}, {mode.label}: checks not counted: {why}", file=sys.stderr)
        return {"compile": compile_, "static": static, "dynamic": dynamic}

    def count(self, name, mode, command):
        kept = self.builder.path("count", identity(command) + ".json")
        result = build.read_json(kept)
        if not result:
            measure.progress(f"counting checks: {name}, {mode.label}")
            result = count.run(self.builder, command)
            build.write_json(kept, result)
        return result
