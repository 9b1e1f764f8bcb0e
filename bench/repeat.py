"""A run of the suite beside the one that was published: does it say the same, within the spread?

A slowdown is the same if it differs by no more than LEAST, or than single runs do: by the spreads of the four medians
that the two slowdowns are made of, together.
"""
import math

import tables

LEAST = 0.10  # between whole runs: addresses differ, and what else the machine does


def tolerance(before, after, mode):
    return max(LEAST, sum(runs[m]["spread"] for runs in (before, after) for m in (mode, "native")))


def pairs(before, after, mode):
    """(program, slowdown before, slowdown after, the same?) of all programs that both runs have."""
    old = {p["name"]: p for p in before["programs"]}
    for now in after["programs"]:
        then = old.get(now["name"], {"runs": {}})
        first, second = tables.slowdown(then, mode), tables.slowdown(now, mode)
        if first and second:
            same = abs(math.log(second / first)) <= tolerance(then["runs"], now["runs"], mode)
            yield now["name"], first, second, same


def table(before, after):
    """How many are the same, for each tool; and below, those that are not."""
    rows, lines = [], []
    for mode in (m for m in after["modes"] if m["name"] != "native" and not m["missing"]):
        all_pairs = list(pairs(before, after, mode["name"]))
        if not all_pairs:
            continue
        means = [tables.number(tables.geometric(p[i] for p in all_pairs)) for i in (1, 2)]
        others = [f"{name} {tables.number(a)} -> {tables.number(b)}" for name, a, b, same in all_pairs if not same]
        rows.append([mode["label"], *means, f"{len(all_pairs) - len(others)} of {len(all_pairs)}"])
        if others:
            lines.append(f"- {mode['label']}: {', '.join(others)}\n")
    return tables.render(["Tool", "Slowdown then", "Now", "The same"], rows) + "\n" + "".join(lines)


def text(before, after):
    same = "the same build" if before["machine"].get("build") == after["machine"].get("build") else "another build"
    return (f"## Repeated\n\nAgainst the results of {before['when']}, of {same} of Deadheat: slowdowns that are the "
            f"same within the spread.\n\n{table(before, after)}")


def stated():
    """What a reader may expect of the next run."""
    return (f"Another run repeats a slowdown within {LEAST:.0%}, or within the spreads of single runs, of the program "
            "natively and under the tool, in both, where these are more together.")
