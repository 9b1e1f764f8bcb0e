"""The results as text: Markdown tables in the shape of the BigFoot paper's Tables 1 and 2, and verdicts."""
import math

BASE = "deadheat-fasttrack"  # the detector that others of ours are compared with
LEAST = 0.01  # an overhead below 1% counts as 1%


def geometric(values):
    values = [v for v in values if v]
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def arithmetic(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def overhead(program, mode, what="wall"):
    """Additional time beyond the base time, in base times. None: not measured."""
    runs = program["runs"]
    if mode not in runs or "native" not in runs:
        return None
    return max(LEAST, runs[mode][what] / runs["native"][what] - 1)


def slowdown(program, mode):
    """How many times as long as natively. None: not measured."""
    runs = program["runs"]
    return runs[mode]["wall"] / runs["native"]["wall"] if mode in runs and "native" in runs else None


def slowdown_between(program, mode):
    """The least and the most that a slowdown can be, as far as its two medians are known. None: not measured."""
    runs = program["runs"]
    if mode not in runs or "native" not in runs:
        return None
    (low, high), (base_low, base_high) = runs[mode]["between"], runs["native"]["between"]
    return low / base_high, high / base_low


def memory(program, mode):
    runs = program["runs"]
    return runs[mode]["peak"] / runs["native"]["peak"] if mode in runs and "native" in runs else None


def check_ratio(program, mode, base=BASE):
    dynamic = program.get("dynamic", {})
    if mode not in dynamic or base not in dynamic or not dynamic[base]["checks"]:
        return None
    return dynamic[mode]["checks"] / dynamic[base]["checks"]


def quotient(a, b):
    return a / b if a and b else None


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def short(value):
    """A ratio that may be very small, as the paper prints them."""
    return "-" if value is None else f"{value:.2g}" if value < 0.1 else f"{value:.2f}"


def render(header, rows):
    """A Markdown table with aligned columns; the first is text, the rest are numbers."""
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    def line(row):
        cells = [str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(row, widths))]
        return "| " + " | ".join(cells) + " |"
    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([line(header), rule, *(line(row) for row in rows)]) + "\n"


class Report:
    def __init__(self, document):
        self.document = document
        self.modes = [m for m in document["modes"] if not m["missing"]]
        self.ours = [m for m in self.modes if m["ours"]]
        self.others = [m for m in self.modes if not m["ours"] and m["name"] != "native"]
        self.tools = self.ours + self.others
        self.base = self.ours[0]["name"] if self.ours else None
        self.rows = [p for p in document["programs"] if "native" in p["runs"]]
        self.reference = "tsan" if any(m["name"] == "tsan" for m in self.others) else None

    def program(self, name):
        return next((p for p in self.rows if p["name"] == name), None)

    def compared(self):
        """The pairs that get a ratio column: ours among themselves, and our default with TSan."""
        pairs = [(m, self.ours[0]) for m in self.ours[1:]]
        if self.reference and self.ours:
            other = next(m for m in self.others if m["name"] == self.reference)
            pairs += [(m, other) for m in self.ours if m["default"]]
        return pairs

    def time_table(self):
        pairs, ratios = self.compared(), self.ours[1:]
        header = (["Program", "Functions", "ms/function"] + [f"Check ratio {m['label']}" for m in ratios]
                  + ["Base (s)"] + [m["label"] for m in self.tools]
                  + [f"{a['label']} / {b['label']}" for a, b in pairs])
        rows, lists = [], {}

        def note(column, value):
            lists.setdefault(column, []).append(value)
            return value

        for p in self.rows:
            last = self.ours[-1]["name"] if self.ours else None
            functions = p.get("static", {}).get(last, {}).get("functions")
            compile_ = p.get("compile", {})
            extra = compile_[last] - compile_["native"] if last in compile_ and "native" in compile_ else None
            each = 1000 * extra / functions if functions and extra is not None else None
            row = [p["name"], functions or "-", number(note("each", each), 1)]
            row += [short(note("ratio " + m["name"], check_ratio(p, m["name"]))) for m in ratios]
            row += [number(p["runs"]["native"]["wall"], 3)]
            row += [number(note(m["name"], overhead(p, m["name"]))) for m in self.tools]
            for a, b in pairs:
                value = quotient(overhead(p, a["name"]), overhead(p, b["name"]))
                row.append(f"({number(note((a['name'], b['name']), value))})")
            rows.append(row)
        mean = ["Mean", "", number(arithmetic(lists.get("each", [])), 1)]
        mean += [short(arithmetic(lists.get("ratio " + m["name"], []))) for m in ratios] + [""]
        mean += [number(geometric(lists.get(m["name"], []))) for m in self.tools]
        mean += [f"({number(geometric(lists.get((a['name'], b['name']), [])))})" for a, b in pairs]
        return render(header, rows + [mean])

    def plain_table(self, title, of, pairs):
        """Program, one column a tool, ratios; geometric means at the end."""
        header = ["Program", title] + [m["label"] for m in self.tools] + [
            f"{a['label']} / {b['label']}" for a, b in pairs]
        rows = []
        columns = [[] for _ in header[2:]]
        for p in self.rows:
            base, values = of(p)
            values = values + [quotient(of(p, a["name"]), of(p, b["name"])) for a, b in pairs]
            for column, value in zip(columns, values):
                column.append(value)
            shown = [number(v) if i < len(self.tools) else f"({number(v)})" for i, v in enumerate(values)]
            rows.append([p["name"], base] + shown)
        means = [geometric(c) for c in columns]
        rows.append(["Geo mean", ""] + [number(v) if i < len(self.tools) else f"({number(v)})"
                                        for i, v in enumerate(means)])
        return render(header, rows)

    def memory_table(self):
        def of(p, mode=None):
            if mode:
                return memory(p, mode)
            return number(p["runs"]["native"]["peak"] / 1024, 1), [memory(p, m["name"]) for m in self.tools]
        return self.plain_table("Base (MB)", of, self.compared())

    def cpu_table(self):
        def of(p, mode=None):
            if mode:
                return overhead(p, mode, "cpu")
            return (number(p["runs"]["native"]["cpu"], 3),
                    [overhead(p, m["name"], "cpu") for m in self.tools])
        return self.plain_table("Base (cpu s)", of, self.compared())

    def slowdowns(self):
        """One line: how many times slower than native, geometric means, for each tool."""
        parts = []
        for m in self.tools:
            mean = geometric(slowdown(p, m["name"]) for p in self.rows)
            parts.append(f"{m['label']} {number(mean)}x")
        return "Slowdown, geometric mean: " + ", ".join(parts) + "."

    def verdict_table(self):
        """Planted races found, reports on correct kernels, wrong outputs, per tool."""
        header = ["Tool", "Planted races found", "Runs with the planted race", "Missed at least once",
                  "Correct kernels reported", "Wrong outputs", "Failed"]
        rows = []
        for m in self.tools:
            name = m["name"]
            planted = {k: v[name] for k, v in self.document["planted"].items() if name in v}
            sure = [k for k, v in planted.items() if v["runs"] and v["found"] == v["runs"]]
            missed = [k for k, v in planted.items() if v["runs"] and v["found"] < v["runs"]]
            kernels = [p for p in self.rows if p["kind"] == "kernel" and name in p["runs"]]
            false = [p["name"] for p in kernels if p["runs"][name]["reports"]]
            wrong = [p["name"] for p in self.rows if name in p["runs"] and not p["runs"][name]["right"]]
            failed = [p["name"] for p in self.rows if name in p["failed"] or name in p.get("missing", {})]
            runs = f"{sum(v['found'] for v in planted.values())} of {sum(v['runs'] for v in planted.values())}"
            rows.append([m["label"], f"{len(sure)} of {len(planted)}", runs] + [
                ", ".join(names) or "none" for names in (missed, false, wrong, failed)])
        return render(header, rows)

    def real_table(self):
        """What each tool reports on real programs; "-" where it was not run."""
        rows = [p for p in self.rows if p["kind"] == "real"]
        header = ["Program"] + [m["label"] for m in self.tools]
        return render(header, [[p["name"]] + [p["runs"][m["name"]]["reports"] if m["name"] in p["runs"] else "-"
                                              for m in self.tools] for p in rows])

    def notes(self):
        """What is not in the tables, and why."""
        lines = [f"- {m['label']} was not measured: {m['missing']}" for m in self.document["modes"] if m["missing"]]
        for p in self.document["programs"]:
            for mode, why in {**p.get("missing", {}), **p["failed"]}.items():
                label = next((m["label"] for m in self.document["modes"] if m["name"] == mode), mode)
                why = " ".join(str(why).split())[:200]
                lines.append(f"- {p['name']}, {label}: {why}")
        return "\n".join(lines) + "\n" if lines else ""

    def spread_table(self):
        """Between which limits each slowdown is known, and how often the native program was run."""
        rows = []
        for p in self.rows:
            limits = [slowdown_between(p, m["name"]) for m in self.tools]
            rows.append([p["name"], p["runs"]["native"]["rounds"]] + [
                f"{number(b[0])}-{number(b[1])}" if b else "-" for b in limits])
        return render(["Program", "Native runs"] + [m["label"] for m in self.tools], rows)

    def machine(self):
        m = self.document["machine"]
        return (f"- {m['processors']} processors ({m['processor']}), {m['memory']}, {m['system']}\n"
                f"- {m['deadheat']}; {m['clang']}; gcc: {m['gcc']}; {m['valgrind']}\n"
                f"- {self.document['threads']} threads a program; {self.document['when']}\n")
