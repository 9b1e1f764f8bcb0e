"""Small sizes: every kernel computes the same under every detector of ours; correct ones get no report, and
of racy ones the planted race is reported."""
import measure
import programs
import suite


def kernel(work, one):
    """What is wrong with a kernel, as a list of lines."""
    wrong, right = [], None
    ours = [m for m in work.usable if m.ours]
    for threads in (2, 4):
        arguments = [str(a) for a in [threads, *one.tiny]]
        right = None
        for mode in [work.builder.mode("native"), *ours]:
            record = work.runner.run([work.builder.kernel(one, mode), *arguments], mode)
            what = f"{one.name} {' '.join(arguments)}, {mode.label}"
            if record["status"] != 0:
                wrong.append(f"{what}: {record['error']}")
                continue
            right = right or record["digest"]
            if record["digest"] != right:
                wrong.append(f"{what}: does not print what the native program prints")
            if record["reports"]:
                wrong.append(f"{what}: {record['reports']} reports on a correct program")
        for mode in ours:
            planted = one.name + ".c", one.planted()
            record = work.runner.run([work.builder.kernel(one, mode, racy=True), *arguments], mode, planted)
            if record["status"] != 0:
                wrong.append(f"{one.name}_racy, {mode.label}: {record['error']}")
            elif not record["found"]:
                wrong.append(f"{one.name}_racy {' '.join(arguments)}, {mode.label}: the planted race is not reported")
    return wrong


def run(builder, names):
    work = suite.Suite(builder, measure.Journal(builder.path("verify.jsonl")), "tiny", 1, 1,
                       lambda m: m.ours or m.name == "native", False)
    kernels = [programs.kernel(n) for n in names] if names else programs.KERNELS
    return [line for one in kernels for line in kernel(work, one)]
