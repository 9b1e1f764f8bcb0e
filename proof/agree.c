/* Does src/core give the answers of the proved detectors? Makes traces and judges them with the C code; the
 * Makefile compares with the extracted judge.
 *
 *   agree make SEED COUNT      proper random traces, in judge.ml's format
 *   agree every LENGTH         all traces of that length of two threads, one lock and one location
 *   agree entries < traces     judged by dh_entries_step alone
 *   agree cells < traces       judged by dh_cell_step, and the general form where it does not decide
 */
#include "core/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, LOCKS = 4, CELLS = 2, LOCATIONS = 8 * CELLS, ENTRIES = 256, IDS = 1 << 14, SETS = 1 << 16 };

/* ---- traces ---- */

static unsigned long state;
static unsigned pick(unsigned n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static void make(unsigned long count) {
    static char const *const access[] = {"rd", "wr", "rd", "wr", "ard", "awr"};
    while (count-- > 0) {
        bool born[THREADS] = {true}, gone[THREADS] = {false};
        for (unsigned t = pick(THREADS); t > 0; t--) born[t] = true; /* they were there already */
        unsigned length = 3 + pick(40), spread = 1 + pick(LOCATIONS), kinds = pick(3) ? 4 : 6;
        for (unsigned i = 0; i < length; i++) {
            unsigned t = pick(THREADS), u = pick(THREADS);
            if (!born[t] || gone[t]) continue;
            switch (pick(12)) {
            case 0: printf("%u acq %u\n", t, pick(LOCKS)); break;
            case 1: printf("%u rel %u\n", t, pick(LOCKS)); break;
            case 2: printf("%u relj %u\n", t, pick(LOCKS)); break;
            case 3:
                if (!born[u]) printf("%u fork %u\n", t, u);
                born[u] = true;
                break;
            case 4:
                if (u != t && gone[u]) printf("%u join %u\n", t, u);
                break;
            case 5:
                if (pick(4) == 0) {
                    printf("%u exit\n", t);
                    gone[t] = true;
                }
                break;
            default: printf("%u %s %u\n", t, access[pick(kinds)], pick(spread));
            }
        }
        puts("end");
    }
}

static void every(unsigned length) {
    static char const *const ops[] = {"rd 0", "wr 0", "ard 0", "awr 0", "acq 0", "rel 0"};
    enum { OPS = 2 * sizeof ops / sizeof *ops };
    unsigned long count = 1;
    for (unsigned i = 0; i < length; i++) count *= OPS;
    for (unsigned long n = 0; n < count; n++) {
        unsigned long rest = n;
        for (unsigned i = 0; i < length; i++, rest /= OPS) printf("%lu %s\n", rest % 2, ops[rest / 2 % (OPS / 2)]);
        puts("end");
    }
}

/* ---- the state ---- */

static dh_tick clocks[THREADS][THREADS], locks[LOCKS][THREADS];
static dh_epoch_id current[THREADS]; /* the id of a thread's epoch, 0 none yet */

static struct dh_epoch epochs[IDS];
static uint32_t sets[DH_SET_UNIT * SETS], ids, set_end; /* set_end: the next set id */
static struct dh_tables const tables = {epochs, sets};

struct list {
    uint32_t count;
    struct dh_entry at[ENTRIES];
};
static struct list lists[CELLS]; /* what entries mode keeps, and the records of cells mode */
static dh_cell cells[CELLS];
static bool told[LOCATIONS];

static void reset(void) {
    memset(clocks, 0, sizeof clocks);
    memset(locks, 0, sizeof locks);
    memset(current, 0, sizeof current);
    memset(cells, 0, sizeof cells);
    memset(told, 0, sizeof told);
    for (unsigned c = 0; c < CELLS; c++) lists[c].count = 0;
    for (unsigned t = 0; t < THREADS; t++) clocks[t][t] = 1;
    ids = 0;
    set_end = 1;
}

static void tick(unsigned t) {
    clocks[t][t]++;
    current[t] = 0;
}

/* Now and then an epoch gets a second id, as after an ignore region. */
static dh_epoch_id name(unsigned t) {
    if (current[t] == 0 || pick(8) == 0) {
        current[t] = ++ids;
        epochs[ids] = (struct dh_epoch){t, clocks[t][t]};
    }
    return current[t];
}

/* ---- judging ---- */

static dh_word set_make(dh_word const *words, uint32_t count) {
    if (count <= 1) return count == 0 ? 0 : words[0];
    uint32_t id = set_end, *at = sets + DH_SET_UNIT * id;
    unsigned common = DH_WORD_BYTES_MASK;
    *at++ = count;
    for (uint32_t i = 0; i < count; i++) {
        *at++ = words[i];
        common &= words[i];
    }
    set_end += (count + DH_SET_UNIT) / DH_SET_UNIT;
    return DH_WORD_OBJECT | id << DH_WORD_ID_SHIFT | common;
}

static uint8_t general(unsigned c, struct dh_access a, struct dh_view const *view) {
    struct dh_verdict verdict;
    struct list *l = &lists[c];
    if (!dh_cell_is_record(cells[c])) l->count = dh_cell_entries(cells[c], &tables, l->at);
    l->count = dh_entries_step(l->at, l->count, a, view, &verdict);
    struct dh_words words;
    if (dh_entries_words(l->at, l->count, &words))
        cells[c] = dh_cell_of(set_make(words.write, words.writes), set_make(words.read, words.reads));
    else
        cells[c] = dh_cell_of_record(c);
    return verdict.racy;
}

static bool access_races(bool packed, unsigned t, enum dh_kind kind, unsigned x) {
    unsigned c = x / 8;
    struct dh_view view = {clocks[t], THREADS, t, clocks[t][t]};
    struct dh_access a = {{t, clocks[t][t]}, packed ? name(t) : 0, (uint8_t)(1u << x % 8), (uint8_t)kind};
    struct dh_verdict verdict;
    if (!packed)
        lists[c].count = dh_entries_step(lists[c].at, lists[c].count, a, &view, &verdict);
    else if (kind > DH_WRITE || !dh_cell_step(&cells[c], a, &view, &tables, &verdict))
        verdict.racy = general(c, a, &view);
    if (verdict.racy == 0 || told[x]) return false;
    return told[x] = true;
}

static void judge(bool packed) {
    char line[64], op[8];
    unsigned t, x, at = 0;
    char const *gap = "";
    reset();
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "end\n") == 0) {
            puts("");
            reset();
            at = 0;
            gap = "";
            continue;
        }
        x = 0;
        sscanf(line, "%u %7s %u", &t, op, &x);
        enum dh_kind kind = DH_KINDS;
        if (strcmp(op, "acq") == 0) dh_ticks_join(clocks[t], locks[x], THREADS);
        else if (strcmp(op, "rel") == 0) memcpy(locks[x], clocks[t], sizeof locks[x]), tick(t);
        else if (strcmp(op, "relj") == 0) dh_ticks_join(locks[x], clocks[t], THREADS), tick(t);
        else if (strcmp(op, "fork") == 0) dh_ticks_join(clocks[x], clocks[t], THREADS), tick(t);
        else if (strcmp(op, "join") == 0) dh_ticks_join(clocks[t], clocks[x], THREADS);
        else if (strcmp(op, "rd") == 0) kind = DH_READ;
        else if (strcmp(op, "wr") == 0) kind = DH_WRITE;
        else if (strcmp(op, "ard") == 0) kind = DH_ATOMIC_READ;
        else if (strcmp(op, "awr") == 0) kind = DH_ATOMIC_WRITE;
        if (kind != DH_KINDS && access_races(packed, t, kind, x)) {
            printf("%s%u", gap, at);
            gap = " ";
        }
        at++;
    }
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "make") == 0) {
        state = strtoul(argv[2], 0, 10);
        make(strtoul(argv[3], 0, 10));
    } else if (argc == 3 && strcmp(argv[1], "every") == 0) {
        every((unsigned)strtoul(argv[2], 0, 10));
    } else if (argc == 2) {
        judge(strcmp(argv[1], "cells") == 0);
    } else {
        return 2;
    }
    return 0;
}
