"""The cost curve: time and shadow memory over 1 to 64 threads, and over growing input, for us and for TSan."""
import os

import build
import measure
import plots
import programs
import suite
import tables

THREADS = [1, 2, 4, 8, 16, 32, 64]
ROUNDS = 2


def points_over_threads(kernel):
    size, *rest = kernel.growth
    for threads in THREADS:
        share = max(1, size // threads) if kernel.each else size
        yield threads, [threads, share, *rest]


def points_over_input(kernel):
    for i, arguments in enumerate(kernel.sizes()):
        yield 1 << i, [suite.THREADS, *arguments]


class Scaling:
    def __init__(self, builder, journal):
        self.builder, self.journal = builder, journal
        self.work = suite.Suite(builder, journal, "quick", ROUNDS, ROUNDS,
                                lambda m: m.default or m.name in ("native", tables.BASE, "tsan"), False)
        self.tools = [m for m in self.work.usable if m.name != "native"]

    def series(self, points):
        """For every kernel and x: the results of all modes."""
        jobs = []
        for kernel in programs.KERNELS:
            for x, arguments in points(kernel):
                for mode in self.work.usable:
                    path = self.builder.kernel(kernel, mode)
                    name = f"{kernel.name} {x}"
                    jobs.append(self.work.job(name, mode, [path, *map(str, arguments)], ROUNDS, ROUNDS))
        self.work.runner.run_all(jobs)
        return {kernel.name: {x: self.work.results(jobs, f"{kernel.name} {x}") for x, _ in points(kernel)}
                for kernel in programs.KERNELS}

    def table(self, data, of):
        """A row for each kernel; each cell has a number for every tool."""
        xs = list(next(iter(data.values())))
        rows = []
        for name, points in data.items():
            cells = [" / ".join(tables.number(of(points[x], m.name), 1) for m in self.tools) for x in xs]
            rows.append([name] + cells)
        means = [" / ".join(tables.number(tables.geometric([of(p[x], m.name) for p in data.values()]), 1)
                            for m in self.tools) for x in xs]
        return tables.render(["Kernel", *xs], rows + [["Geo mean", *means]])

    def lines(self, data, of):
        xs = list(next(iter(data.values())))
        result = []
        for m in self.tools:
            points = [(x, tables.geometric([of(p[x], m.name) for p in data.values()])) for x in xs]
            result.append((m.label, [(x, y) for x, y in points if y]))
        return result

    def run(self):
        def memory(point, mode):
            runs = point["runs"]
            if mode not in runs or "native" not in runs:
                return None
            return max(1, runs[mode]["peak"] - runs["native"]["peak"]) / 1024

        text = ["# The cost over threads and over input", "",
                "Each cell: " + " / ".join(m.label for m in self.tools) + ". Time is in multiples of the native "
                "program's at the same point; shadow memory is what the peak is above the native program's, in MB.", ""]
        document, problems = {}, []
        directory = self.builder.path("pictures", "")
        for name, axis, points in (("threads", "threads", points_over_threads),
                                   ("input", "work, in multiples of the smallest", points_over_input)):
            data = self.series(points)
            document[name] = data
            text += [f"## Time over {name}", "", self.table(data, tables.slowdown),
                     f"## Shadow memory over {name}", "", self.table(data, memory)]
            problems.append(plots.lines_plot(os.path.join(directory, f"time-over-{name}"),
                                             f"Time over {name}, geometric mean of all kernels", axis, "x native",
                                             self.lines(data, tables.slowdown)))
            problems.append(plots.lines_plot(os.path.join(directory, f"memory-over-{name}"),
                                             f"Shadow memory over {name}, geometric mean of all kernels", axis, "MB",
                                             self.lines(data, memory)))
        build.write_json(self.builder.path("scaling.json"), document)
        with open(self.builder.path("SCALING.md"), "w", encoding="utf-8") as file:
            file.write("\n".join(text))
        failed = [f"{kernel} at {x}, {mode}: {why}" for data in document.values() for kernel, points in data.items()
                  for x, point in points.items() for mode, why in point["failed"].items()]
        return "\n".join(text), failed, sorted({p for p in problems if p})


def run(builder, fresh):
    path = builder.path("scaling.jsonl")
    if fresh and os.path.exists(path):
        os.remove(path)
    return Scaling(builder, measure.Journal(path)).run()
