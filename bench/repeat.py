"""A run of the suite beside the one that was published: does it say the same, within the spread?

A slowdown is the same if it differs by no more than LEAST, or if the limits between which the two are known meet.
"""
import math

import tables

LEAST = 0.10  # between whole runs: addresses differ, and what else the machine does

STATED = ("Slowdowns, between the limits that their medians are known within: for each of the two medians, 19 times in 20 "
          "that of many more runs would be between its own. Another run repeats a slowdown if it is within "
          f"{LEAST:.0%}, or if its limits and these meet.")


def same(before, after, mode):
    first, second = tables.slowdown(before, mode), tables.slowdown(after, mode)
    if abs(math.log(second / first)) <= LEAST:
        return True
    (low, high), (then_low, then_high) = (tables.slowdown_between(p, mode) for p in (after, before))
    return low <= then_high and then_low <= high


def pairs(before, after, mode):
    """(program, slowdown before, slowdown after, the same?) of all programs that both runs have."""
    old = {p["name"]: p for p in before["programs"]}
    for now in after["programs"]:
        then = old.get(now["name"], {"runs": {}})
        first, second = tables.slowdown(then, mode), tables.slowdown(now, mode)
        if first and second:
            yield now["name"], first, second, same(then, now, mode)


def table(before, after):
    """How many are the same, for each tool; and below, those that are not."""
    rows, lines = [], []
    for mode in (m for m in after["modes"] if m["name"] != "native" and not m["missing"]):
        all_pairs = list(pairs(before, after, mode["name"]))
        if not all_pairs:
            continue
        means = [tables.number(tables.geometric(p[i] for p in all_pairs)) for i in (1, 2)]
        others = [f"{name} {tables.number(a)} -> {tables.number(b)}" for name, a, b, as_before in all_pairs if not as_before]
        rows.append([mode["label"], *means, f"{len(all_pairs) - len(others)} of {len(all_pairs)}"])
        if others:
            lines.append(f"- {mode['label']}: {', '.join(others)}\n")
    return tables.render(["Tool", "Slowdown then", "Now", "The same"], rows) + "\n" + "".join(lines)


def text(before, after):
    build = "the same build" if before["machine"].get("build") == after["machine"].get("build") else "another build"
    return (f"## Repeated\n\nAgainst the results of {before['when']}, of {build} of Deadheat: slowdowns that are the "
            f"same within the spread.\n\n{table(before, after)}")
