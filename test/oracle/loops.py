#!/usr/bin/env python3
"""Random loops: what bigfoot checks before and behind them is exactly what they access.

Functions with loops of many shapes are made up (types, bounds, steps, directions, wrapping indices, branches,
ways out, calls, nests), compiled to optimised IR, and given their checks twice: at every access, and as bigfoot
places them. Instead of the runtime, loops_log.c notes which bytes are checked, and which as written; for each
function and its parameters, that must be the same both times.

    loops.py --plugin LIBRARY --bindir DIR [--seed N] [--batches N]

Exit status 0: no difference; 1: one, printed with its function.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FUNCTIONS = 150  # a batch
CALLS = 56  # of each: loops_log.c

HEAD = """
struct record { int x; short y; char z; double d; };
struct pair { long a, b; };
struct vector { float x, y, z; };
extern long volatile sink;
__attribute__((noinline, no_sanitize("thread"))) static void opaque(void) { __asm__ volatile("" ::: "memory"); }
"""
ELEMENTS = ["char", "short", "int", "long", "double", "float", "unsigned char", "struct record", "struct pair", "struct vector"]
FIELDS = {"struct record": ["x", "y", "z", "d"], "struct pair": ["a", "b"], "struct vector": ["x", "y", "z"]}
SIGNED = ["int", "long", "short", "signed char"]
UNSIGNED = ["unsigned", "unsigned long", "unsigned short", "unsigned char"]
NARROW = ["unsigned short", "unsigned char"]
WIDE = ["int", "long", "unsigned", "unsigned long"]


class Function:
    """Indices stay within 4096 +- 1000: every form keeps the values of loop variables small."""

    def __init__(self, number, rng):
        self.number, self.rng, self.variables, self.lines = number, rng, [], []

    def pick(self, *options):
        return self.rng.choice(options)

    def bound(self, t):
        """Small, whatever the type; that of a loop around is a bound for the wide ones."""
        if self.variables and self.rng.random() < 0.4:
            outer = [i for i in self.variables if t in WIDE and self.types[i] in WIDE]
            return self.pick("7", "16", "7", *outer, *outer)
        return self.pick("n", "n", "m", str(self.rng.randint(0, 40)), "n + m", "(int)n", "n + 1")

    def header(self, i):
        """A loop over i that ends, and the type of i."""
        step = self.pick(1, 1, 1, 2, 3, 5)
        form = self.rng.randrange(7)
        if form == 0:
            t = self.pick(*SIGNED, *UNSIGNED)
            return t, f"for ({t} i = {self.pick('0', '1', 'm')}; i {self.pick('<', '<=')} ({t})({self.bound(t)}); i += {step})"
        if form == 1:  # a distance that the step divides
            t = self.pick(*SIGNED, *UNSIGNED)
            rounds = self.pick("n", "m", "7")
            return t, (f"for ({t} i = {self.pick('0', 'm', '3')}, e{i} = ({t})(i + {step} * {rounds}); "
                       f"i != e{i}; i += {step})")
        if form == 2:  # wraps round
            t = self.pick(*NARROW)
            start = self.pick(250, 3, 7) if t == "unsigned char" else self.pick(65530, 3)
            return t, f"for ({t} i = {start}; i != ({t})({start} + 3 * (n + 1)); i += {self.pick(1, 3)})"
        if form == 3:
            t = self.pick(*SIGNED)
            return t, f"for ({t} i = ({t})({self.bound(t)}); i {self.pick('>', '>=')} {self.pick('0', '1', '2')}; i -= {step})"
        if form == 4:
            t = self.pick(*SIGNED, *UNSIGNED)
            return t, f"for ({t} i = ({t})({self.bound(t)}); i-- > 0;)"
        if form == 5:  # at least once
            t = self.pick("int", "long", "unsigned", "unsigned long")
            return t, f"for ({t} i = 0, go{i} = 1; go{i}; i += {step}, go{i} = i < ({t})({self.bound(t)}))"
        t = self.pick("int", "long", "unsigned", "unsigned long")
        return t, f"for ({t} i = {self.pick('0', '2')}; i < ({t})({self.bound(t)}) && i < {self.rng.randint(1, 50)}; i += {step})"

    def index(self):
        i = self.rng.choice(self.variables)
        t = self.types[i]
        forms = ["{i}", "{i}", "{i}", "{i} + 1", "{i} - 1", "{i} + m", "2 * {i}", "3 * {i} + 1", "40 - {i}",
                 "{i} * m", "({i} & 7)", "(unsigned char)({i} * 5)", "{i} / 2", "({i} << 2) - 2", "n + {i}",
                 "(int){i}", "(unsigned short)({i} + 1)", "(long){i} * 2 - n"]
        if t in ("unsigned short",):
            forms = ["(unsigned char)({i} & 255)", "({i} & 63)", "{i} % 100"]
        elif len(self.variables) > 1:
            outer = self.rng.choice(self.variables)
            if self.types[outer] != "unsigned short":
                forms += [f"{outer} * {self.pick(16, 7, 7, 8)} + {{i}}"] * 6
        return "4096 + " + self.rng.choice(forms).format(i=i)

    def place(self):
        t = self.rng.choice(ELEMENTS)
        array = self.pick("a", "a", "b")
        if t not in FIELDS and self.rng.random() < 0.15:
            i, j = self.rng.choice(self.variables), self.rng.choice(self.variables)
            if "unsigned short" not in (self.types[i], self.types[j]):
                return f"(({t} (*)[16]){array})[256 + {i}][{j} & {self.pick(15, 7)}]", t
        field = "." + self.rng.choice(FIELDS[t]) if t in FIELDS else ""
        return f"(({t} *){array})[{self.index()}]{field}", t

    def side_by_side(self):
        """Several accesses that go through memory together."""
        array, index, kind = self.pick("a", "b"), self.index(), self.rng.randrange(3)
        if self.rng.random() < 0.5:
            t = self.pick(*FIELDS)
            places = [f"(({t} *){array})[{index}].{field}" for field in FIELDS[t]]
        else:
            t, width = self.pick("char", "short", "int", "long"), self.pick(1, 2, 3, 8)
            places = [f"(({t} *){array})[{width} * ({index} - 3584) + {k}]" for k in range(width)]
        self.rng.shuffle(places)
        return "\n".join(f"{x} = 1;" if self.rng.randrange(2) < kind else f"s += (long){x};"
                         for x in places[:self.rng.randint(2, 8)])

    def statement(self, depth):
        r = self.rng.random()
        if r > 0.96:
            return self.side_by_side()
        x, t = self.place()
        value = self.rng.choice(self.variables)
        if r < 0.45:
            return f"s += (long){x};"
        if r < 0.70:
            return f"{x} = {value};"
        if r < 0.78:
            return f"{x} += 1;"
        if r < 0.84:
            return f"if (({value} & {self.pick(1, 3)}) == 1) s += (long){x};"
        if r < 0.85:
            return f"if ({value} == {self.rng.randint(2, 9)}) continue;"
        if r < 0.87:
            return self.leave()
        if r < 0.90:
            return "opaque();"
        if r < 0.92:
            return f"__builtin_memcpy(&(({t} *)b)[{self.index()}], &(({t} *)a)[{self.index()}], sizeof({t}));"
        if depth < 2:
            return self.search(depth + 1) if self.rng.random() < 0.3 else self.loop(depth + 1)
        return f"s ^= (long){x};"

    def leave(self):
        """A way out of the loop, or of all, by what is known of the rounds or by what is found."""
        x, _ = self.place()
        value = self.rng.choice(self.variables)
        way = self.pick("break;", "break;", "goto out;", "{ sink = s; return; }")
        if self.rng.random() < 0.1:
            return f"switch ((int){value} & 7) {{ case 5: case 6: goto out; case {self.pick(0, 3)}: s++; }}"
        found = self.pick(f"{value} == {self.rng.randint(0, 9)}", f"(long){value} * 2 > n + {self.pick(1, 5)}",
                          f"(long){x} == {self.pick(0, 2, 3, 5)}", f"(long){x} != {self.pick(1, 3)}",
                          f"s > {self.pick(3, 12, 40)}", f"(long){x} + m == {value}")
        return f"if ({found}) {way}"

    def search(self, depth):
        """Ways out anywhere in a round, one of which is certain to be taken."""
        i, t = f"i{depth}_{len(self.types)}", self.pick("int", "long", "unsigned", "unsigned long")
        self.types[i] = t
        self.variables.append(i)
        parts = [self.leave() if self.rng.random() < 0.4 else self.statement(max(depth, 1))
                 for _ in range(self.rng.randint(1, 4))]
        step = self.pick(1, 1, 1, 2, 3)
        self.variables.pop()
        test = f"{i} {self.pick('<', '<=')} ({t})({self.bound(t)})"
        if self.rng.random() < 0.4 or any("continue" in part for part in parts):  # which would go past the step
            return f"for ({t} {i} = {self.pick('0', '1', 'm')}; {test}; {i} += {step}) {{ {' '.join(parts)} }}"
        if self.rng.random() < 0.4:
            return f"{{ {t} {i} = 0; do {{ {' '.join(parts)} {i} += {step}; }} while ({test}); }}"
        parts.insert(self.rng.randint(0, len(parts)), f"if (!({test})) break;")
        parts.insert(self.rng.randint(0, len(parts)), f"{i} += {step};")
        return f"{{ {t} {i} = 0; for (;;) {{ {' '.join(parts)} }} }}"

    def pointer_search(self):
        t = self.rng.choice([e for e in ELEMENTS if e not in FIELDS])
        way = self.pick("break;", "goto out;", "{ sink = s; return; }")
        first = f"{t} *p = ({t} *)a + 4096, *e = p + n"
        return self.pick(f"{{ {first}; while (p < e && *p != {self.pick(0, 3, 5)}) p++; s += p == e; }}",
                         f"for ({first}; p != e; p += 1) {{ if (*p == {self.pick(0, 2, 3)}) {way} *p = 2; if (p[1] == 3) break; }}",
                         f"for ({first};; p++) {{ if (p == e) break; s += (long)*p; if (s > 9) {way} p[2] = 1; }}",
                         f"{{ {first}; do {{ if (p[1] > p[0]) {way} s += (long)p[3]; }} while (p++ < e); }}")

    def pointer_loop(self):
        t = self.rng.choice([e for e in ELEMENTS if e not in FIELDS])
        step, test = self.pick((1, "!="), (1, "<"), (2, "!="), (3, "!="), (-1, "!="), (-2, "!="))
        use = self.pick("s += (long)*p;", f"*p = 3;", "s += (long)p[0] + (long)p[1];", "p[1] = p[0];")
        sign = "+" if step > 0 else "-"
        return (f"for ({t} *p = ({t} *)a + 4096, *e = p {sign} n * {abs(step)}; p {test} e; p += {step}) {{ {use} }}")

    def loop(self, depth):
        i = f"i{depth}_{len(self.types)}"
        t, head = self.header(i)
        head = re.sub(r"\bi\b", i, head)
        self.types[i] = t
        self.variables.append(i)
        body = " ".join(self.statement(depth) for _ in range(self.rng.randint(1, 4)))
        if depth == 0 and self.rng.random() < 0.4:
            body += " " + self.loop(1)
        self.variables.pop()
        return f"{head} {{ {body} }}"

    def text(self):
        self.types = {}
        forms = [self.pointer_loop] * 3 + [self.pointer_search] * 2 + [lambda: self.search(0)] * 6 + [lambda: self.loop(0)] * 9
        loops = "\n    ".join(self.rng.choice(forms)() for _ in range(self.rng.randint(1, 2)))
        return (f"void f{self.number}(unsigned char *a, unsigned char *b, long n, long m) {{\n"
                f"    long s = 0;\n    {loops}\nout:\n    sink = s;\n}}\n")


def build(options, scratch, detector):
    """The program with this detector's checks: what it prints, and how many of its checks stand before loops."""
    bindir, out = options.bindir, scratch / detector
    placed = subprocess.run([f"{bindir}/opt", f"-load={options.plugin}", f"-load-pass-plugin={options.plugin}",
                             "-passes=deadheat-place,verify", f"-deadheat-detector={detector}",
                             "-deadheat-stats", scratch / "loops.bc", "-o", f"{out}.bc"],
                            check=True, stderr=subprocess.PIPE, text=True).stderr
    subprocess.run([f"{bindir}/clang", "-O1", "-Wno-override-module", f"{out}.bc", scratch / "log.o", "-o", out],
                   check=True)
    printed = subprocess.run([out], check=True, stdout=subprocess.PIPE, text=True, timeout=120).stdout
    return printed.splitlines(), int(re.search(r"(\d+) runs", placed)[1])


def batch(options, seed, scratch):
    """How many checks bigfoot puts before loops; 0 if what it checks is not what is accessed."""
    rng = random.Random(seed)
    functions = [Function(i, rng).text() for i in range(FUNCTIONS)]
    names = ", ".join(f"f{i}" for i in range(FUNCTIONS))
    tail = (f"typedef void function(unsigned char *, unsigned char *, long, long);\n"
            f"function *const functions[] = {{{names}}};\nunsigned long const function_count = {FUNCTIONS};\n")
    (scratch / "loops.c").write_text(HEAD + "".join(functions) + tail)
    clang = f"{options.bindir}/clang"
    off = [word for name in ("memory-accesses", "func-entry-exit", "atomics", "memintrinsics")
           for word in ("-mllvm", f"-tsan-instrument-{name}=0")]
    level = rng.choice(("-O1", "-O2", "-O2", "-O3"))
    subprocess.run([clang, level, "-g", "-w", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
                    "-fno-finite-loops", "-Xclang", "-fsanitize=thread", *off, "-c", "-emit-llvm",
                    scratch / "loops.c", "-o", scratch / "loops.bc"], check=True)
    subprocess.run([clang, "-O2", f"-I{HERE.parent.parent / 'src'}", "-c", HERE / "loops_log.c", "-o",
                    scratch / "log.o"], check=True)
    every, _ = build(options, scratch, "fasttrack")
    moved, runs = build(options, scratch, "bigfoot")
    for wanted, got in zip(every, moved):
        if wanted != got:
            print(f"seed {seed}, {level}:\n  every access: {wanted}\n  bigfoot:      {got}\n"
                  f"{functions[int(wanted.split()[0])]}")
            return 0
    assert len(every) == len(moved) == FUNCTIONS * CALLS
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--bindir", required=True, help="LLVM's programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, default=4)
    options = parser.parse_args()
    runs = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(options.batches):
            more = batch(options, options.seed + i, pathlib.Path(scratch))
            if more == 0:
                return 1
            runs += more
    print(f"{options.batches * FUNCTIONS} functions, {options.batches * FUNCTIONS * CALLS} calls, {runs} checks before "
          f"loops: bigfoot checks what is accessed (seeds {options.seed}..{options.seed + options.batches - 1})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
