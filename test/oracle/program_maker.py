"""Random multi-threaded C programs that terminate, for programs.py.

A program is a list of threads, a thread a list of statements, a statement a piece of C text. All of it comes
from a seed. Statements access the memory of program_parts.h and synchronise in all the ways that it has objects for.
They may race as they like: what they compute does not decide whether they end. Locks are taken in the order of
their rank, waits are bounded, and every thread passes the barrier equally often.

Memory that was freed is not used: whoever takes a heap block out of a slot, by an atomic exchange, is alone with
it. With an order that is too weak that is a race all the same.
"""

ORDERS = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]
LOAD_ORDERS = ["relaxed", "consume", "acquire", "seq_cst"]
STORE_ORDERS = ["relaxed", "release", "seq_cst"]

ARRAYS = {"bytes": 24, "shorts": 8, "ints": 12, "longs": 6, "doubles": 4, "heap": 12}
WIDE = 160
ATOMICS = {"ac": 4, "as": 2, "ai": 3, "al": 2}

# Short loops stay loops.
KEEP = '_Pragma("clang loop unroll(disable)")'

# Rank, how to take it, how to give it back.
LOCKS = [
    (0, "pthread_rwlock_rdlock(&w->rwlocks[0])", "pthread_rwlock_unlock(&w->rwlocks[0])"),
    (0, "pthread_rwlock_wrlock(&w->rwlocks[0])", "pthread_rwlock_unlock(&w->rwlocks[0])"),
    (1, "pthread_rwlock_rdlock(&w->rwlocks[1])", "pthread_rwlock_unlock(&w->rwlocks[1])"),
    (1, "pthread_rwlock_wrlock(&w->rwlocks[1])", "pthread_rwlock_unlock(&w->rwlocks[1])"),
    (2, "pthread_mutex_lock(&w->mutexes[0])", "pthread_mutex_unlock(&w->mutexes[0])"),
    (3, "pthread_mutex_lock(&w->mutexes[1])", "pthread_mutex_unlock(&w->mutexes[1])"),
    (4, "pthread_mutex_lock(&w->mutexes[2])", "pthread_mutex_unlock(&w->mutexes[2])"),
    (5, "pthread_mutex_lock(&w->recursive)", "pthread_mutex_unlock(&w->recursive)"),
    (6, "pthread_spin_lock(&w->spin)", "pthread_spin_unlock(&w->spin)"),
]
RECURSIVE, SPIN = 5, 6


class Maker:
    def __init__(self, random, name):
        self.random = random
        self.name = name
        # Few places make more meetings, and each program has its own few.
        self.arrays = random.sample(sorted(ARRAYS), random.randint(1, 3))
        self.locks = random.sample(LOCKS, random.randint(1, 4))
        self.atomics = random.sample(sorted(ATOMICS), random.randint(1, 2))
        self.helpers, self.usual = [], []
        for _ in range(random.randint(0, 3)):
            self.helpers.append(self.helper(len(self.helpers)))

    # ---- memory ----

    def place(self):
        r = self.random
        kind = r.randrange(12)
        if kind == 0:
            return f"w->mixed[{r.randrange(2)}].{r.choice('abcdef')}"
        if kind == 1:
            return f"w->packed[{r.randrange(2)}].{r.choice('abc')}"
        if kind == 2:
            return f"w->pairs[{r.randrange(3)}].{r.choice('xy')}"
        array = r.choice(self.arrays)
        return f"w->{array}[{r.randrange(ARRAYS[array])}]"

    def span(self, limit):
        first = self.random.randrange(limit)
        return first, self.random.randint(first + 1, limit)

    def loop(self):
        r = self.random
        array = r.choice(self.arrays)
        first, end = self.span(ARRAYS[array])
        step = r.choice([1, 1, 1, 2, 3])
        body = r.choice(["s += (long)w->{0}[i];", "w->{0}[i] = 1;", "w->{0}[i] += 1;",
                         "if (s & 1) w->{0}[i] = 2; else s += (long)w->{0}[i];"]).format(array)
        if r.randrange(4) == 0:
            return f"for (int i = {end - 1}; i >= {first}; i -= {step}) {{ {body} }}"
        return f"for (int i = {first}; i < {end}; i += {step}) {{ {body} }}"

    def whole(self):
        r = self.random
        if r.randrange(3) == 0:
            return f"w->pairs[{r.randrange(3)}] = w->pairs[{r.randrange(3)}];"
        array = r.choice(self.arrays)
        first, end = self.span(ARRAYS[array])
        size = f"{end - first} * sizeof w->{array}[0]"
        if r.randrange(2):
            return f"memset(&w->{array}[{first}], 3, {size});"
        local = f"char copy[{size}];"
        if r.randrange(2):
            return f"{{ {local} memcpy(copy, &w->{array}[{first}], sizeof copy); USE(&copy); }}"
        return f"{{ {local} memset(copy, 1, sizeof copy); USE(&copy); memcpy(&w->{array}[{first}], copy, sizeof copy); }}"

    def touch(self, array, at):
        return self.random.choice(["s += (long)w->{0}[{1}];", "s += (long)w->{0}[{1}];", "w->{0}[{1}] = 6;",
                                   "w->{0}[{1}] += 1;"]).format(array, at)

    def call(self):
        return self.random.choice(["s = quiet(s);", "s = quiet(s);", "s = gives(w, s);", "s = takes(w, s);",
                                   "s = may_give(w, s);"])

    def together(self):
        """Accesses side by side, on some ways or all, with calls between them."""
        r = self.random
        array = r.choice(self.arrays)
        first, end = self.span(min(ARRAYS[array], 6))
        at = [r.randrange(first, end) for _ in range(r.randint(2, 6))]
        parts = [self.call() if r.randrange(6) == 0 else self.touch(array, i) for i in at]
        form = r.randrange(4)
        if form == 0:
            half = len(parts) // 2
            other = [self.touch(array, i) for i in at[half:]]
            return (f"{' '.join(parts[:half])} if (s & 1) {{ {' '.join(parts[half:])} }} "
                    f"else {{ {' '.join(other)} }} {self.touch(array, at[0])}")
        if form == 1:
            return f"for (int i = 0; i < limits[{r.randint(1, 3)}]; i++) {{ {' '.join(parts)} }}"
        return " ".join(parts)

    # ---- functions that are called with the place to access ----

    def helped(self, pointer):
        """A part of what is done with a pointer to some ints: a helper called, or an access."""
        r = self.random
        if self.helpers and r.randrange(2):
            number = r.randrange(len(self.helpers))
            passed = f"({pointer}{r.choice(['', '', ' + 1'])})"
            return f"{self.usual[number].format(passed)} s = {self.name}_help{number}(w, {passed}, s);"
        at = f"{pointer}[{r.randrange(3)}]"
        return r.choice(["s += {0};", "s += {0};", "{0} = 4;", "{0} += 1;", "if (s & 1) s += {0};"]).format(at)

    def helper(self, number):
        """Calls only those made before it, unless it calls itself: then less and less often."""
        r = self.random
        # What all callers do just before.
        usual = [r.choice(["{{0}}[{0}] = 5;", "s += {{0}}[{0}];"]).format(i) for i in range(3) if r.randrange(2)]
        parts = [self.call() if r.randrange(7) == 0 else self.helped("p") for _ in range(r.randint(1, 4))]
        if r.randrange(5) == 0:
            parts.insert(r.randrange(len(parts) + 1), f"if (s % 3 == {r.randrange(3)}) return s;")
        if r.randrange(6) == 0:
            parts.insert(r.randrange(len(parts) + 1), f"if (--depth_left > 0) s = {self.name}_help{number}(w, p, s);")
        self.usual.append(" ".join(usual))
        return " ".join(parts)

    def help(self):
        r = self.random
        if not self.helpers:
            return self.together()
        at = f"(&w->{r.choice(['ints', 'ints', 'heap'])}[{r.randrange(4)}])"
        parts = [self.call() if r.randrange(9) == 0 else self.helped(at) for _ in range(r.randint(2, 5))]
        if r.randrange(6) == 0:
            other = r.randrange(len(self.helpers))
            parts.insert(r.randrange(len(parts) + 1), f"s = {self.name}_pointers[limits[{other}]](w, {at}, s);")
        return f"depth_left = 3; {' '.join(parts)}"

    def open_loop(self):
        """Ends somewhere, or has a call in it."""
        r = self.random
        array = r.choice(self.arrays)
        first, end = self.span(ARRAYS[array])
        parts = [self.touch(array, "i") for _ in range(r.randint(1, 2))]
        if r.randrange(3) == 0:
            parts.insert(r.randrange(len(parts) + 1), self.call())
        if r.randrange(4) == 0:
            parts.append(f"if (s % 7 == {r.randrange(3)}) break;")
        form = r.choice(["for (int i = {0}; i < limits[{1}]; i++) {{ {2} }}",
                         "{{ int i = {0}; do {{ {2} }} while (++i < limits[{1}]); }}",
                         "for (int i = limits[{1}] - 1; i >= {0}; i--) {{ {2} }}"])
        return form.format(first, end, " ".join(parts))

    def search(self):
        """Ways out in the middle of a round, by what is found there."""
        r = self.random
        array = r.choice(self.arrays)
        first, end = self.span(ARRAYS[array])
        parts = [self.touch(array, r.choice(["i", "i", "i", str(first)])) for _ in range(r.randint(1, 3))]
        for _ in range(r.randint(1, 2)):
            found = r.choice([f"s % 5 == {r.randrange(3)}", f"w->{array}[i] == {r.choice([0, 5, 6])}", f"i == {r.randrange(4)}"])
            way = r.choice(["break;", "break;", "{ s++; break; }"])
            parts.insert(r.randrange(len(parts) + 1), f"if ({found}) {way}")
        if r.randrange(5) == 0:
            parts.insert(r.randrange(len(parts) + 1), self.call())
        form = r.choice(["for (int i = {0}; i < limits[{1}]; i++) {{ {2} }}",
                         "{{ int i = {0}; for (;; i++) {{ if (i >= limits[{1}]) break; {2} }} }}",
                         "{{ int i = {0}; while (i < limits[{1}] && (w->{3}[i] & 1) == 0) i++; s += i; }}",
                         "for (int i = limits[{1}] - 1; i >= {0}; i--) {{ {2} }}"])
        if "& 1" in form and array == "doubles":
            form = form.replace("(w->{3}[i] & 1) == 0", "w->{3}[i] != 6")
        return KEEP * ("for (int" == form[:8]) + form.format(first, end, " ".join(parts), array)

    def reach(self):
        """Elements of an array by an index that only the run knows, told in several ways, and those within a range."""
        r = self.random
        array = r.choice(self.arrays)
        first, end = self.span(ARRAYS[array])
        at = r.randrange(first, end)
        kind = r.choice(["int", "long", "unsigned", "size_t", "unsigned char", "signed char", "short"])
        # Each is a place of the array, and near j; narrow ones wrap on the way.
        ways = ["j", f"j + {end - 1 - at}", f"j - {at - first}", f"({kind})(j + 250) - ({kind})250 >= 0 ? j : 0",
                f"(unsigned char)(j + 255 + 1) % {ARRAYS[array]}", "(j | 0)", f"j + 1 > {at} ? j : {first}",
                f"(j & 1) + {min(at, ARRAYS[array] - 2) if ARRAYS[array] > 1 else 0}"]
        parts = [self.touch(array, r.choice(ways)) for _ in range(r.randint(2, 5))]
        size = f"sizeof w->{array}[0]"
        more = [f"memset(&w->{array}[{first}], 3, {end - first} * {size});",
                f"memset(&w->{array}[{first}], 3, (size_t)(limits[{end}] - {first}) * {size});",
                f"for (int i = {first}; i < limits[{end}]; i++) {{ {self.touch(array, 'i')} }}",
                f"for (int i = {first}; i < limits[{end}]; i++) {{ {self.touch(array, 'i')} }}",
                f"if (j >= limits[{first}] && j < limits[{end}]) {{ {self.touch(array, 'j')} }}",
                f"if (j < {end}) {{ {self.touch(array, 'j')} }}",
                f"{{ {kind} n = limits[{end}]; for ({kind} i = {first}; i < n; i++) {{ {self.touch(array, 'i')} }} "
                f"{self.call() if r.randrange(3) == 0 else ''} if (j < n) {self.touch(array, 'j')} "
                f"for ({kind} i = {first}; i < n; i++) {{ {self.touch(array, 'i')} }} }}",
                self.call()]
        for _ in range(r.randint(0, 3)):
            parts.insert(r.randrange(len(parts) + 1), r.choice(more))
        return f"{{ {kind} j = limits[{at}]; {' '.join(parts)} }}"

    def element(self):
        """Fields of an element by an index that only the run knows."""
        r = self.random
        array, count, fields = r.choice([("mixed", 2, "abcdef"), ("packed", 2, "abc"), ("pairs", 3, "xy")])
        at = f"w->{array}[limits[{r.randrange(count)}]]" if r.randrange(3) == 0 else f"w->{array}[j]"
        parts = [r.choice(["s += (long){0}.{1};", "{0}.{1} = 3;", "{0}.{1} += 1;"]).format(at, r.choice(fields))
                 for _ in range(r.randint(2, 5))]
        whole = [f"memset(&{at}, 1, sizeof {at});", f"w->{array}[0] = {at};", f"{at} = w->{array}[0];", self.call()]
        if r.randrange(2):
            parts.insert(r.randrange(len(parts) + 1), r.choice(whole))
        if r.randrange(3) == 0:
            parts.insert(r.randrange(len(parts) + 1), f"j = (j + 1) % {count};")
        return f"{{ int j = limits[{r.randrange(count)}]; {' '.join(parts)} }}"

    def nest(self):
        """Loops in loops: the inner one the same each time, or going on, or growing; with a guard or without."""
        r = self.random
        array = r.choice(self.arrays)
        inner = r.choice(["int j = 0; j < m; j++", "int j = 0; j < m; j++", "int j = m; j-- > 0;", "int j = 1; j < 4; j++",
                          "int j = i; j < m; j++", "int j = 0; j <= i; j += 2"])
        body = " ".join(self.touch(array, r.choice(["j", "j", "m - 1", "i", "j / 2"])) for _ in range(r.randint(1, 2)))
        parts = [f"for ({inner}) {{ {body} }}"]
        if r.randrange(3) == 0:
            parts = [f"if ({r.choice(['m > 2', 's & 1', 'i == 1'])}) {{ {parts[0]} }}"]
        if r.randrange(3) == 0:
            parts.insert(r.randrange(2), self.call() if r.randrange(2) else f"s += (long){self.place()};")
        if r.randrange(6) == 0:
            parts.append(f"if (s % 7 == {r.randrange(3)}) break;")
        if r.randrange(3) == 0:  # all of the grid, or some columns
            columns = r.choice([6, 6, 3])
            row = "for (int i = {0}; i < limits[4]; i++) for (int j = 0; j < {1}; j++) {2}"
            return KEEP + row.format(r.randrange(2), columns, r.choice(["s += w->grid[i][j];", "w->grid[i][j] = 1;"]))
        limit = ARRAYS[array]
        return (f"{{ int n = limits[{r.randint(0, 4)}], m = limits[{r.randint(0, min(limit, 24))}]; "
                f"{KEEP} for (int i = 0; i < n && i < {limit}; i++) {{ {' '.join(parts)} }} }}")

    def side_by_side(self):
        """Several runs of one loop, through fields of structs or parts of blocks."""
        r = self.random
        head = r.choice(["int i = {0}; i < limits[5]; i++", "int i = 4; i >= {0}; i--", "int i = {0}; i < 5; i += 2"])
        if r.randrange(2):
            places = [f"w->triples[i].{field}" for field in r.sample(["x", "y", "z", "rest"], r.randint(2, 4))]
        else:
            array, width = r.choice([("bytes", 4), ("ints", 2), ("shorts", 1)])
            places = [f"w->{array}[{width} * i + {k}]" for k in r.sample(range(width + 1), r.randint(2, width + 1))]
        write = r.randrange(3)  # none, some, all
        parts = [f"{place} = {r.randrange(9)};" if r.randrange(3) < write else f"s += {place};" for place in places]
        return f"for ({head.format(r.randrange(2))}) {{ {' '.join(parts)} }}"

    def strides(self):
        """One field of each element, through whole blocks of the shadow, and what breaks that pattern."""
        r = self.random
        first, end = r.choice([0, 0, 0, 1, 40]), r.choice([WIDE, WIDE, WIDE - 1, 100])
        field = r.choice("xyz")
        form = r.randrange(8)
        if form == 0:
            return r.choice(["s += w->wide[{0}].{1};", "w->wide[{0}].{1} = 2;"]).format(r.randrange(WIDE), field)
        if form == 1:
            return f"memset(&w->wide[{first}], 2, {end - first} * sizeof w->wide[0]);"
        body = r.choice(["s += w->wide[i].{0};", "s += w->wide[i].{0};", "w->wide[i].{0} = 1;", "w->wide[i].{0}++;"])
        head = r.choice(["for (int i = {0}; i < {1}; i += {2})", "for (int i = {1} - 1; i >= {0}; i -= {2})"])
        return f"{KEEP} {head.format(first, end, r.choice([1, 1, 1, 2]))} {body.format(field)}"

    def access(self):
        r = self.random
        kind = r.randrange(34)
        if kind >= 32:
            return self.strides()
        if kind >= 27:
            return self.help()
        if kind >= 24:
            return self.search()
        if kind >= 20:
            return self.reach() if kind < 23 else self.element()
        if kind >= 15:
            return self.nest() if kind < 18 else self.side_by_side()
        if kind >= 10:
            return self.together() if kind < 13 else self.open_loop()
        if kind < 3:
            return f"s += (long){self.place()};"
        if kind < 6:
            return f"{self.place()} = 5;"
        if kind < 7:
            return f"{self.place()} += 1;"
        return self.loop() if kind < 9 else self.whole()

    # ---- atomics ----

    def atomic(self):
        r = self.random
        array = r.choice(self.atomics)
        at = f"&w->{array}[{r.randrange(ATOMICS[array])}]"
        kind = r.randrange(7)
        if kind == 0:
            return f"atomic_thread_fence(memory_order_{r.choice(ORDERS[1:])});"
        if kind == 1:
            return f"atomic_store_explicit({at}, {r.randrange(4)}, memory_order_{r.choice(STORE_ORDERS)});"
        if kind == 2:
            return f"s += atomic_load_explicit({at}, memory_order_{r.choice(LOAD_ORDERS)});"
        if kind == 3:
            operation = r.choice(["fetch_add", "fetch_or", "exchange"])
            return f"s += atomic_{operation}_explicit({at}, 1, memory_order_{r.choice(ORDERS)});"
        if kind < 6:
            # A message: what was written before is read by whoever sees the value.
            value = r.randint(1, 3)
            if r.randrange(2):
                return f"{self.access()} atomic_store_explicit({at}, {value}, memory_order_{r.choice(STORE_ORDERS)});"
            return f"if (atomic_load_explicit({at}, memory_order_{r.choice(LOAD_ORDERS)}) == {value}) {{ {self.access()} }}"
        return self.compare_exchange(array, at, r.choice(ORDERS), r.choice(LOAD_ORDERS))

    def compare_exchange(self, array, at, success, failure):
        ctype = {"ac": "char", "as": "short", "ai": "int", "al": "long"}[array]
        strength = self.random.choice(["strong", "weak"])
        return (f"{{ {ctype} old = {self.random.randrange(3)}; s += atomic_compare_exchange_{strength}_explicit({at}, "
                f"&old, 2, memory_order_{success}, memory_order_{failure}) + old; }}")

    # ---- heap blocks ----

    def block(self):
        r = self.random
        slot = f"&w->slots[{r.randrange(2)}]"
        use = f"p[{r.randrange(12)}] = 1; s += p[{r.randrange(12)}];"
        kind = r.randrange(4)
        if kind == 0:
            return f"{{ int *p = calloc(BLOCK, sizeof *p); {use} free(p); }}"
        if kind == 1:
            return (f"{{ int *p = malloc(BLOCK * sizeof *p); memset(p, 0, BLOCK * sizeof *p); p = realloc(p, "
                    f"{r.choice([12, 40])} * sizeof *p); {use} free(p); }}")
        if kind == 2:
            return (f"{{ int *p = calloc(BLOCK, sizeof *p); p[{r.randrange(12)}] = 7; "
                    f"int *old = atomic_exchange_explicit({slot}, p, memory_order_{r.choice(ORDERS)}); "
                    f"if (old) {{ s += old[{r.randrange(12)}]; free(old); }} }}")
        return (f"{{ int *p = atomic_exchange_explicit({slot}, (int *)0, memory_order_{r.choice(ORDERS)}); "
                f"if (p) {{ {use} free(p); }} }}")

    # ---- objects ----

    def section(self, rank, depth):
        above = [lock for lock in self.locks if lock[0] > rank]
        if not above:
            return self.access()
        lock = self.random.choice(above)
        inner = " ".join(self.statement(lock[0], depth + 1) for _ in range(self.random.randint(1, 3)))
        if lock[0] == RECURSIVE and self.random.randrange(2):
            inner += f" {lock[1]}; {self.access()} {lock[2]}; {self.access()}"
        if self.random.randrange(3) == 0:
            return self.around(lock, inner)
        return f"{lock[1]}; {inner} {lock[2]};"

    def around(self, lock, inner):
        """The same place inside the section and outside, perhaps: a check of one may be enough for both."""
        r = self.random
        place = self.place()
        uses = [r.choice([f"s += (long){place};", f"{place} = 1;", f"{place} += 1;", "", f"if (s & 1) s += (long){place};"])
                for _ in range(4)]
        return f"{uses[0]} {lock[1]}; {uses[1]} {inner if r.randrange(2) else ''} {uses[2]} {lock[2]}; {uses[3]}"

    def other(self, rank):
        r = self.random
        kind = r.randrange(8)
        sem = f"&w->sems[{r.randrange(2)}]"
        tag = f"&w->tags[{r.randrange(4)}]"
        if kind == 0:
            return f"sem_post({sem});"
        if kind == 1:
            return f"if (try_wait({sem})) {{ {self.access()} }}"
        if kind == 2:
            return f"deadheat_release({tag});"
        if kind == 3:
            return f"deadheat_acquire({tag});"
        if kind == 4:
            return f"pthread_once(&w->once, {self.name}_once);"
        if kind == 5 and rank < 0:
            return (f"pthread_mutex_lock(&w->mutexes[2]); for (int n = 0; n < 2 && !w->flag; n++) short_wait(w); "
                    f"s += w->flag; {self.access()} pthread_mutex_unlock(&w->mutexes[2]);")
        if kind == 6 and rank < 4:
            return (f"pthread_mutex_lock(&w->mutexes[2]); w->flag = 1; {self.access()} "
                    f"pthread_cond_broadcast(&w->cond); pthread_mutex_unlock(&w->mutexes[2]);")
        if kind == 7 and rank < 0:
            return (f"{{ pthread_t t; if (pthread_create(&t, NULL, {self.name}_child, NULL)) abort(); {self.access()} "
                    f"pthread_join(t, NULL); {self.access()} }}")
        return self.access()

    def statement(self, rank=-1, depth=0):
        """One that may be made with locks up to this rank held."""
        r = self.random
        if rank == SPIN:
            return self.access()
        kind = r.randrange(20)
        if kind < 8:
            return self.access()
        if kind < 12:
            return self.section(rank, depth) if depth < 3 else self.access()
        if kind < 15:
            return self.atomic()
        if kind < 16:
            return self.block()
        if kind < 18:
            return self.other(rank)
        return "noise();"

    def program(self):
        r = self.random
        count = r.choice([2, 2, 2, 3, 3, 4, 6])
        rounds = r.choice([0, 0, 0, 1, 2])
        threads = []
        for _ in range(count):
            statements = [self.statement() for _ in range(r.randint(3, 14))]
            for _ in range(rounds):
                statements.insert(r.randrange(len(statements) + 1), "pthread_barrier_wait(&w->barrier);")
            threads.append(statements)
        return Program(self.name, self.helpers, threads, [self.access() for _ in range(2)], [self.access()])


class Program:
    def __init__(self, name, helpers, threads, child, once):
        self.name, self.helpers, self.threads, self.child, self.once = name, helpers, threads, child, once
        # A helper that somebody calls by its address, too.
        self.by_address = any(f"{name}_pointers" in statement for list in [*threads, child, once] for statement in list)

    def function(self, head, statements, result):
        body = "".join(f"    {statement}\n" for statement in statements)
        return (f"{head} {{\n    struct shared *w = &{self.name}_shared;\n    long s = 0;\n{body}"
                f"    USE(s);\n    (void)w;\n    {result}\n}}\n")

    def helper_texts(self):
        head = "__attribute__((noinline, unused)) static long {0}_help{1}(struct shared *w, int *p, long s)"
        texts = [f"{head.format(self.name, i)} {{ (void)w; (void)p; {body} return s; }}\n"
                 for i, body in enumerate(self.helpers)]
        if self.by_address:
            listed = ", ".join(f"{self.name}_help{i}" for i in range(len(self.helpers)))
            texts.append(f"long (*{self.name}_pointers[])(struct shared *, int *, long) = {{{listed}}};\n")
        return texts

    def text(self):
        name = self.name
        parts = [f"static struct shared {name}_shared;\n", *self.helper_texts(),
                 self.function(f"static void {name}_once(void)", self.once, "(void)0;"),
                 self.function(f"static void *{name}_child(void *unused)", self.child, "return unused;")]
        for i, statements in enumerate(self.threads):
            parts.append(self.function(f"static void *{name}_thread{i}(void *unused)", statements, "return unused;"))
        listed = ", ".join(f"{name}_thread{i}" for i in range(len(self.threads)))
        parts.append(f"static void *(*const {name}_threads[])(void *) = {{{listed}}};\n"
                     f"__attribute__((unused)) static void *const {name}_unused[] = "
                     f"{{(void *){name}_once, (void *){name}_child}};\n")
        return "\n".join(parts)

    def without(self, thread, number):
        threads = [list(statements) for statements in self.threads]
        del threads[thread][number]
        return Program(self.name, self.helpers, threads, self.child, self.once)


def source(programs):
    """One file with all of them."""
    table = "".join(f"    {{&{p.name}_shared, {p.name}_threads, {len(p.threads)}}},\n" for p in programs)
    return ('#include "program_parts.h"\n\n' + "\n".join(p.text() for p in programs)
            + f"\nstatic struct program const programs[] = {{\n{table}}};\n\n"
              "int main(int argc, char **argv) { return argc == 3 ? run_some(programs, argv) : 2; }\n")
