"""What Deadheat is meant to cost, beside what it costs: limits, and the figures of a run that they are held to."""
import statistics

import compile as compiling
import tables

# Programs that sweep arrays much larger than the rest of what they use, for the memory that shadow takes.
SWEEPS = [("sor", [3000, 4]), ("crypt", [8000000])]


def default_of(report):
    return next((m for m in report.ours if m["default"]), None)


def mean_ratio(report, mode, other):
    kernels = [p for p in report.rows if p["kind"] == "kernel"]
    return tables.geometric(tables.quotient(tables.overhead(p, mode), tables.overhead(p, other)) for p in kernels)


def ratio_of(report, name, mode, other):
    program = report.program(name)
    return program and tables.quotient(tables.overhead(program, mode), tables.overhead(program, other))


def slowdown(report, name, mode):
    program = report.program(name)
    return program and tables.slowdown(program, mode)


def shadow_ratio(report, mode, other):
    """The most of the sweeps: memory beyond the native program's, of one detector and another."""
    ratios = [(peaks[mode] - peaks["native"]) / (peaks[other] - peaks["native"])
              for peaks in report.document.get("sweeps", {}).values() if {mode, other, "native"} <= set(peaks)]
    return max(ratios, default=None)


def compile_ratio(report, mode):
    ratios = compiling.ratios(report.document.get("compiling", []), mode)
    return statistics.median(ratios) if ratios else None


def measured(report):
    """What is held to which limit: (words, limit, figure)."""
    ours, base, other = default_of(report)["name"], report.base, report.reference
    label = default_of(report)["label"]
    checks = [tables.check_ratio(p, ours) for p in report.rows if p["kind"] == "kernel"]
    yield f"overhead, kernels: {label} / fasttrack", 0.39, mean_ratio(report, ours, base)
    yield f"overhead, kernels: {label} / ThreadSanitizer", 0.15, mean_ratio(report, ours, other)
    yield f"overhead, zstd: {label} / ThreadSanitizer", 0.25, ratio_of(report, "zstd", ours, other)
    yield "checks executed / accesses, kernels (arithmetic mean)", 0.43, tables.arithmetic(checks)
    for name, limit in (("sor", 1.3), ("lufact", 1.3), ("crypt", 1.3), ("series", 1.3), ("sparse", 2.5), ("moldyn", 2.5)):
        yield f"slowdown, {name}", limit, slowdown(report, name, ours)
    yield (f"memory for shadow, {' and '.join(n for n, _ in SWEEPS)} on large arrays: {label} / fasttrack (the larger)",
           0.10, shadow_ratio(report, ours, base))
    yield "time to compile zstd's library / clang's", 1.5, compile_ratio(report, ours)


def table(report):
    if not default_of(report) or not report.base:
        return ""
    rows = [[words, f"{limit:.2f}", tables.number(figure), "yes" if figure <= limit else "no"]
            for words, limit, figure in measured(report) if figure is not None]
    return tables.render(["What", "At most", "Measured", "Met"], rows)
