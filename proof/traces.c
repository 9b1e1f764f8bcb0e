/* Makes traces for `agree`, in the text form of docs/traces.md. All of them are well-formed.
 *
 *   traces random SEED COUNT   up to six threads, two cells of memory, locks, atomics, fences
 *   traces blocks SEED COUNT   the same, and memory that comes and goes
 *   traces accesses LENGTH     all of that length: two threads, one lock, one location
 *   traces atomics LENGTH BEFORE [c++20]
 *                              all with that many atomic operations on one location by three threads, a plain write
 *                              with so many of them before it, and a plain read by the second at the end
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, LOCKS = 3, MEMORY = 16, HEAP = 24 };

static unsigned long state;
static unsigned pick(unsigned n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static void begin(void) { puts("deadheat trace 1"); }

/* ---- random ones ---- */

struct world {
    bool born[THREADS], gone[THREADS];
    int holder[LOCKS];                /* -1: nobody */
    unsigned readers[LOCKS];          /* a bit for each thread */
    unsigned arrived[2], departed[2]; /* of barriers, likewise */
    unsigned block;                   /* the size of the one at HEAP; 0: there is none */
};

static void lock_event(struct world *w, unsigned t) {
    unsigned m = pick(LOCKS);
    if (w->holder[m] == (int)t) {
        printf("%u release %u\n", t, m);
        w->holder[m] = -1;
    } else if (w->readers[m] >> t & 1) {
        printf("%u rdrelease %u\n", t, m);
        w->readers[m] &= ~(1u << t);
    } else if (w->holder[m] < 0 && pick(3) == 0) {
        printf("%u rdacquire %u\n", t, m);
        w->readers[m] |= 1u << t;
    } else if (w->holder[m] < 0 && w->readers[m] == 0) {
        printf("%u acquire %u\n", t, m);
        w->holder[m] = (int)t;
    }
}

static void barrier_event(struct world *w, unsigned t) {
    unsigned b = pick(2), me = 1u << t;
    if (w->arrived[b] & ~w->departed[b] & me) {
        printf("%u depart %u\n", t, b);
        w->departed[b] |= me;
    } else if (w->departed[b] == 0) {
        printf("%u arrive %u\n", t, b);
        w->arrived[b] |= me;
    }
}

static void life_event(struct world *w, unsigned t) {
    unsigned u = pick(THREADS);
    if (!w->born[u]) {
        printf("%u fork %u\n", t, u);
        w->born[u] = true;
    } else if (u != t && w->gone[u]) {
        printf("%u join %u\n", t, u);
    } else if (pick(4) == 0) {
        printf("%u exit\n", t);
        w->gone[t] = true;
    }
}

static void atomic_event(unsigned t, unsigned spread, bool cxx20) {
    static char const *const orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static char const *const loads[] = {"relaxed", "acquire", "consume", "seq_cst"};
    static char const *const stores[] = {"relaxed", "release", "relaxed", "seq_cst"};
    char const *dialect = cxx20 ? " c++20" : "";
    unsigned size = 1u << pick(pick(3) ? 2 : 5), x = pick(spread) / size * size;
    switch (pick(6)) {
    case 0: printf("%u load %u %u %s\n", t, x, size, loads[pick(4)]); break;
    case 1: printf("%u compare %u %u %s\n", t, x, size, loads[pick(4)]); break;
    case 2:
    case 3: printf("%u store %u %u %s%s\n", t, x, size, stores[pick(4)], dialect); break;
    case 4: printf("%u rmw %u %u %s\n", t, x, size, orders[pick(5)]); break;
    default: printf("%u fence %s\n", t, orders[pick(5)]);
    }
}

/* Plain accesses also where there is no block any more, or not yet. Atomic ones only inside: free is no store,
 * and what it does to release sequences is not in the judge. */
static void block_event(struct world *w, unsigned t) {
    unsigned x = pick(8);
    if (w->block == 0 && pick(2)) {
        w->block = 1 + pick(12);
        printf("%u alloc %u %u\n", t, HEAP, w->block);
    } else if (w->block != 0 && pick(4) == 0) {
        printf("%u free %u %u\n", t, HEAP, w->block);
        w->block = 0;
    } else if (x < w->block && pick(3) == 0) {
        printf("%u rmw %u 1 %s\n", t, HEAP + x, pick(2) ? "acq_rel" : "relaxed");
    } else {
        printf("%u %s %u %u\n", t, pick(2) ? "read" : "write", HEAP + x, 1 + pick(4));
    }
}

static void random_traces(unsigned long count, bool blocks) {
    while (count-- > 0) {
        struct world w = {.born = {true}, .holder = {-1, -1, -1}};
        unsigned length = 4 + pick(40), spread = 1 + pick(MEMORY), atomics = pick(4),
                 cxx20 = pick(3);
        begin();
        for (unsigned u = 1 + pick(THREADS); --u > 0;) { /* most begin with company */
            printf("0 fork %u\n", u);
            w.born[u] = true;
        }
        for (unsigned i = 0; i < length; i++) {
            unsigned t = pick(THREADS);
            if (!w.born[t] || w.gone[t]) continue;
            if (blocks && pick(3) == 0) {
                block_event(&w, t);
                continue;
            }
            if (pick(4) < atomics) {
                atomic_event(t, spread, cxx20 == 0 || (cxx20 == 1 && pick(2)));
                continue;
            }
            unsigned x = pick(spread), size = pick(2) ? 1 : 1 + pick(MEMORY - x);
            switch (pick(10)) {
            case 0:
            case 1: lock_event(&w, t); break;
            case 2: printf("%u signal %u\n", t, pick(LOCKS)); break;
            case 3: printf("%u wait %u\n", t, pick(LOCKS)); break;
            case 4: barrier_event(&w, t); break;
            case 5: life_event(&w, t); break;
            default: printf("%u %s %u %u\n", t, pick(2) ? "read" : "write", x, size);
            }
        }
    }
}

/* ---- all of them ---- */

static unsigned long power(unsigned long base, unsigned exponent) {
    unsigned long result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

static void all_accesses(unsigned length) {
    static char const *const ops[] = {"read 0 1",          "write 0 1", "load 0 1 relaxed",
                                      "store 0 1 relaxed", "acquire 0", "release 0"};
    enum { OPS = sizeof ops / sizeof *ops, ACQUIRE = 4, RELEASE = 5 };
    unsigned long count = power(2 * OPS, length);
    for (unsigned long n = 0; n < count; n++) {
        int holder = -1;
        bool possible = true;
        unsigned long rest = n;
        for (unsigned i = 0; i < length && possible; i++, rest /= 2 * OPS) {
            int t = rest % 2, op = rest / 2 % OPS;
            if (op == ACQUIRE) possible = holder < 0, holder = t;
            if (op == RELEASE) possible = holder == t, holder = -1;
        }
        if (!possible) continue;
        begin();
        puts("0 fork 1");
        rest = n;
        for (unsigned i = 0; i < length; i++, rest /= 2 * OPS)
            printf("%lu %s\n", rest % 2, ops[rest / 2 % OPS]);
    }
}

static void all_atomics(unsigned length, unsigned before, char const *dialect) {
    static char const *const ops[] = {"load 8 1 relaxed",  "load 8 1 acquire", "store 8 1 relaxed",
                                      "store 8 1 release", "rmw 8 1 relaxed",  "rmw 8 1 acq_rel",
                                      "fence acquire",     "fence release"};
    enum { OPS = sizeof ops / sizeof *ops, ACTORS = 3 };
    unsigned long count = power(ACTORS * OPS, length);
    for (unsigned long n = 0; n < count; n++) {
        begin();
        puts("0 fork 1\n0 fork 2");
        unsigned long rest = n;
        for (unsigned i = 0; i < length; i++, rest /= ACTORS * OPS) {
            if (i == before) puts("0 write 0 1");
            printf("%lu %s%s\n", rest % ACTORS, ops[rest / ACTORS % OPS], dialect);
        }
        puts("1 read 0 1");
    }
}

int main(int argc, char **argv) {
    bool blocks = argc > 1 && strcmp(argv[1], "blocks") == 0;
    if (argc == 4 && (blocks || strcmp(argv[1], "random") == 0)) {
        state = strtoul(argv[2], 0, 10);
        random_traces(strtoul(argv[3], 0, 10), blocks);
    } else if (argc == 3 && strcmp(argv[1], "accesses") == 0) {
        all_accesses((unsigned)strtoul(argv[2], 0, 10));
    } else if ((argc == 4 || argc == 5) && strcmp(argv[1], "atomics") == 0) {
        all_atomics((unsigned)strtoul(argv[2], 0, 10), (unsigned)strtoul(argv[3], 0, 10),
                    argc == 5 ? " c++20" : "");
    } else {
        return 2;
    }
    return 0;
}
