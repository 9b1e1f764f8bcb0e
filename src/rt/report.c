/* Reporting: which races are new, which are wanted, and out with them.
 *
 * A race is met as often as the program runs past it. Two tables keep that from the user: `seen`,
 * by where the two accesses are in the machine code, is asked before anything else happens and
 * without a lock; and `races`, by fingerprint, after the race has been put into words. Both only
 * ever grow.
 *
 * One report is made at a time, with all signals blocked. So a handler never interrupts a report,
 * and never waits for the thread that it interrupted. A thread that waits for its turn is in no
 * critical section, hence holds up nobody.
 */
#include "rt/report.h"
#include "report/fingerprint.h"
#include "report/json.h"
#include "report/text.h"
#include "rt/access.h"
#include "rt/base.h"
#include "rt/describe.h"
#include "rt/errors.h"
#include "rt/called_from.h"
#include "rt/libraries.h"
#include "rt/options.h"
#include "rt/suppress.h"
#include "rt/symbols.h"
#include "rt/tape.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>

/* A distinct race, reported or suppressed. */
struct race {
    uint64_t fingerprint;
    struct dh_suppression *suppression; /* null: it was reported */
    struct race *next;
};

/* A pair of places in the machine code. */
struct seen {
    uint64_t key;
    uint64_t count;    /* atomic */
    struct race *race; /* null while its report is being made */
    struct seen *next;
};

enum { BUCKETS = 4096 };

static struct seen *seen[BUCKETS] DH_TABLE; /* heads are published with release */

static struct {
    bool any_seen; /* else that table need not be looked at */
    struct race *races;
    uint64_t reported; /* atomic */
    uint64_t unlooked; /* atomic: met inside a report */
    struct dh_arena kept;
    bool prepared;
    struct dh_suppression *suppressions;
    char const *log_path; /* "" for none */
    bool log_begun;
} state;

/* ---- one at a time ---- */

/* The owner: process in the upper half, thread in the lower, which is the futex; 0 if free. An
 * owner of another process is a thread that fork did not copy: the lock is free then, too. */
static uint64_t owner;

static uint64_t self(void) {
    return (uint64_t)dh_syscall(SYS_getpid) << 32 | (uint32_t)dh_syscall(SYS_gettid);
}

/* False if the running thread has it already. */
static bool take_turn(void) {
    uint64_t me = self(), old = 0;
    while (
        !__atomic_compare_exchange_n(&owner, &old, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if (old == me) return false;
        if (old >> 32 != me >> 32) continue; /* take it over */
        struct timespec a_second = {1, 0};
        dh_syscall(SYS_futex, &owner, (long)FUTEX_WAIT_PRIVATE, (long)(uint32_t)old, &a_second, 0l,
                   0l);
        old = 0;
    }
    if (old != 0)
        state.kept = (struct dh_arena){0}; /* it may have been in the middle of a change */
    return true;
}

static void end_turn(void) {
    __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
    dh_syscall(SYS_futex, &owner, (long)FUTEX_WAKE_PRIVATE, 1l, 0l, 0l, 0l);
}

static uint64_t set_signal_mask(uint64_t mask) {
    uint64_t old = 0;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, &old, (long)sizeof mask);
    return old;
}

/* ---- what has been met before ---- */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The access and the call that led there. Deeper frames would make every path of a recursion a new
 * race to put into words; the access alone would take all users of a helper function for one. */
static uint64_t side_key(struct dh_raw_side const *side) {
    uint32_t count = 0;
    uintptr_t const *pcs = side->stack ? dh_stack_pcs(side->stack, &count) : 0;
    uint64_t hash = mix(0x2545f4914f6cdd1du, side->flags);
    for (uint32_t i = 0; pcs && i < 2; i++) {
        struct dh_unloaded const *gone = i < count ? dh_unloaded_find(dh_raw_age(side), pcs[i]) : 0;
        hash = mix(hash, (i < count ? pcs[i] : 0) + (gone ? (uint64_t)gone->number << 48 : 0));
    }
    return hash;
}

static uint64_t race_key(struct dh_raw_race const *raw) {
    return mix(1, side_key(&raw->sides[0]) + side_key(&raw->sides[1]));
}

static struct seen **bucket_of(uint64_t key) { return &seen[key % BUCKETS]; }

static struct seen *find_seen(uint64_t key) {
    struct seen *s = __atomic_load_n(bucket_of(key), __ATOMIC_ACQUIRE);
    while (s && s->key != key)
        s = s->next;
    return s;
}

static bool met_before(uint64_t key) {
    struct seen *s = find_seen(key);
    if (s) __atomic_fetch_add(&s->count, 1, __ATOMIC_RELAXED);
    return s != 0;
}

static struct seen *add_seen_locked(uint64_t key) {
    struct seen *s = dh_arena_alloc(&state.kept, sizeof *s);
    state.any_seen = true;
    *s = (struct seen){.key = key, .count = 1, .next = *bucket_of(key)};
    __atomic_store_n(bucket_of(key), s, __ATOMIC_RELEASE);
    return s;
}

static struct race *find_race(uint64_t fingerprint) {
    struct race *r = state.races;
    while (r && r->fingerprint != fingerprint)
        r = r->next;
    return r;
}

static struct race *add_race_locked(uint64_t fingerprint, struct dh_suppression *suppression) {
    struct race *r = dh_arena_alloc(&state.kept, sizeof *r);
    *r = (struct race){fingerprint, suppression, state.races};
    state.races = r;
    return r;
}

/* ---- output ---- */

struct buffer {
    struct dh_arena *arena;
    char *text;
    size_t used, room;
};

static void append(void *to, char const *text, size_t length) {
    struct buffer *b = to;
    if (b->room - b->used < length) {
        size_t room = 2 * b->room + length + 4096;
        char *larger = dh_arena_alloc(b->arena, room);
        if (b->used) dh_copy(larger, b->text, b->used);
        b->text = larger;
        b->room = room;
    }
    dh_copy(b->text + b->used, text, length);
    b->used += length;
}

static enum dh_text_style style(void) {
    char const *wanted = dh_options.color;
    if (dh_same_text(wanted, "always") || dh_same_text(wanted, "1")) return DH_TEXT_COLOR;
    if (!dh_same_text(wanted, "auto")) return DH_TEXT_PLAIN;
    struct termios unused;
    return dh_syscall(SYS_ioctl, 2l, (long)TCGETS, &unused) == 0 ? DH_TEXT_COLOR : DH_TEXT_PLAIN;
}

/* The file is opened for each report: a descriptor that stays open is one that the program can
 * close. */
static void write_log(struct dh_race const *race, struct dh_arena *arena) {
    if (*state.log_path == 0) return;
    size_t room = dh_length(state.log_path) + 24;
    char *path = dh_arena_alloc(arena, room);
    dh_format(path, room, "%s.%lu", state.log_path, (unsigned long)race->pid);
    long begin = state.log_begun ? 0 : O_TRUNC;
    long fd = dh_syscall(SYS_openat, (long)AT_FDCWD, path,
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | begin, 0666l);
    if (fd < 0) {
        dh_message("log_path: %s cannot be written (%s): reports go to standard error only", path,
                   dh_error_text((int)-fd));
        state.log_path = "";
        return;
    }
    struct buffer json = {.arena = arena};
    dh_race_json(race, append, &json);
    dh_write_all((int)fd, json.text, json.used);
    dh_syscall(SYS_close, fd);
    state.log_begun = true;
}

static void publish(struct dh_race *race, struct dh_arena *arena) {
    dh_describe_strip(race, dh_options.strip_path_prefix);
    struct buffer text = {.arena = arena};
    dh_race_text(race, style(), append, &text);
    dh_write_all(2, text.text, text.used);
    write_log(race, arena);
}

void dh_report_tape_end(void) {
    if (!dh_tape_ours()) return;
    dh_tape_stop();
    uint64_t mask = set_signal_mask(UINT64_MAX);
    if (take_turn()) { /* symbols are its owner's to ask for */
        dh_tape_finish();
        end_turn();
    }
    set_signal_mask(mask);
}

static void halt(void) {
    dh_message("stopped at the first race (halt_on_error=1)");
    dh_report_tape_end();
    dh_symbols_end();
    for (;;)
        dh_syscall(SYS_exit_group, (long)dh_options.exitcode);
}

/* The program's own (include/deadheat.h), if it has one. It is called like any function of the
 * program's: outside the turn, with its signals. */
extern void deadheat_on_race(char const *json) __attribute__((weak));

static char const *for_hook(struct dh_race const *race, struct dh_arena *arena) {
    if (!deadheat_on_race) return 0;
    struct buffer json = {.arena = arena};
    dh_race_json(race, append, &json);
    append(&json, "", 1);
    return json.text;
}

/* ---- reporting ---- */

/* Where the working directory was when the process began, so that chdir does not move the files. */
static char const *absolute(char const *path) {
    if (*path == 0 || *path == '/') return path;
    enum { ROOM = 4096 };
    size_t room = ROOM + dh_length(path) + 2;
    char *whole = dh_arena_alloc(&state.kept, room);
    long length = dh_syscall(SYS_getcwd, whole, (long)ROOM); /* with the zero */
    if (length <= 1 || whole[0] != '/') return path;
    dh_format(whole + length - 1, room - (size_t)length + 1, "/%s", path);
    return whole;
}

/* What the program itself does not want to see (include/deadheat.h), or its authors did not want to
 * see of ThreadSanitizer. */
extern char const *deadheat_default_suppressions(void) __attribute__((weak));
extern char const *__tsan_default_suppressions(void) __attribute__((weak));

static struct dh_suppression *built_in_suppressions(void) {
    if (deadheat_default_suppressions)
        return dh_suppress_text("deadheat_default_suppressions", deadheat_default_suppressions(),
                                &state.kept);
    if (__tsan_default_suppressions)
        return dh_suppress_text("__tsan_default_suppressions", __tsan_default_suppressions(),
                                &state.kept);
    return 0;
}

static void prepare_locked(void) {
    if (state.prepared) return;
    state.prepared = true;
    state.log_path = absolute(dh_options.log_path);
    struct dh_suppression **end = &state.suppressions;
    if (*dh_options.suppressions) *end = dh_suppress_load(dh_options.suppressions, &state.kept);
    while (*end)
        end = &(*end)->next;
    *end = built_in_suppressions();
    dh_called_from_init(state.suppressions);
}

/* What became of a race: printed or not, and the text for the program's hook. */
struct outcome {
    struct dh_arena arena;
    bool published;
    char const *json;
};

static void report_locked(struct dh_raw_race const *raw, struct seen *met,
                          struct outcome *outcome) {
    struct dh_race race;
    prepare_locked();
    dh_describe_race(raw, &outcome->arena, &race);
    race.fingerprint = dh_race_fingerprint(&race);
    met->race = find_race(race.fingerprint);
    if (!met->race) {
        struct dh_suppression *suppression = dh_suppress_find(state.suppressions, &race);
        met->race = add_race_locked(race.fingerprint, suppression);
        if (!suppression) {
            race.number = __atomic_add_fetch(&state.reported, 1, __ATOMIC_RELAXED);
            publish(&race, &outcome->arena);
            outcome->published = true;
            outcome->json = for_hook(&race, &outcome->arena);
        }
    }
    dh_symbols_pause();
}

static bool wanted(struct dh_raw_race const *raw) {
    if (!dh_options.report_bugs) return false;
    if (dh_options.report_atomic_races) return true;
    return !((raw->sides[0].flags | raw->sides[1].flags) & DH_ACCESS_ATOMIC);
}

void dh_report_race(struct dh_raw_race const *raw) {
    if (!wanted(raw)) return;
    uint64_t key = race_key(raw);
    if (met_before(key)) return;
    struct outcome outcome = {0};
    uint64_t mask = set_signal_mask(UINT64_MAX);
    if (take_turn()) {
        if (!met_before(key)) report_locked(raw, add_seen_locked(key), &outcome);
        end_turn();
    } else {
        __atomic_fetch_add(&state.unlooked, 1, __ATOMIC_RELAXED);
    }
    set_signal_mask(mask);
    if (outcome.json) {
        /* The program may have had this address before, and the hook may read the text with strlen.
         */
        dh_memory_fresh(outcome.json, dh_length(outcome.json) + 1);
        deadheat_on_race(outcome.json);
    }
    if (outcome.published && dh_options.halt_on_error) halt();
    dh_arena_free(&outcome.arena);
}

uint64_t dh_report_count(void) { return __atomic_load_n(&state.reported, __ATOMIC_RELAXED); }

void dh_report_prepare(void) {
    uint64_t mask = set_signal_mask(UINT64_MAX);
    if (take_turn()) {
        prepare_locked();
        end_turn();
    }
    set_signal_mask(mask);
}

/* The parent's races are the parent's to count, and the child's to find again. What was loaded
 * stays. */
void dh_report_forked(void) {
    if (state.any_seen) dh_fill(seen, 0, sizeof seen);
    state.any_seen = false;
    state.races = 0;
    state.reported = 0;
    state.unlooked = 0;
    state.kept = (struct dh_arena){0}; /* another thread may have been in the middle of it */
    state.log_begun = false;
    for (struct dh_suppression *s = state.suppressions; s; s = s->next)
        s->count = 0;
    owner = 0;
}

/* ---- the end ---- */

static void say_totals(void) {
    uint64_t occurrences = 0, suppressed = 0, hidden = 0;
    for (int i = 0; state.any_seen && i < BUCKETS; i++) {
        for (struct seen *s = seen[i]; s; s = s->next) {
            uint64_t count = __atomic_load_n(&s->count, __ATOMIC_RELAXED);
            struct dh_suppression *by = s->race ? s->race->suppression : 0;
            if (by) by->count += count;
            *(by ? &hidden : &occurrences) += count;
        }
    }
    for (struct race const *r = state.races; r; r = r->next)
        suppressed += r->suppression != 0;
    uint64_t reported = dh_report_count(), unlooked = state.unlooked;
    char more[160] = "", less[80] = "";
    if (suppressed)
        dh_format(more, sizeof more, "; %lu suppressed (%lu occurrence%s)",
                  (unsigned long)suppressed, (unsigned long)hidden, hidden == 1 ? "" : "s");
    if (unlooked)
        dh_format(less, sizeof less, "; %lu met inside a report and not looked at",
                  (unsigned long)unlooked);
    if (reported + suppressed + unlooked == 0) return;
    dh_message("%lu race%s reported (%lu occurrence%s)%s%s", (unsigned long)reported,
               reported == 1 ? "" : "s", (unsigned long)occurrences, occurrences == 1 ? "" : "s",
               more, less);
}

static void say_suppressions(void) {
    if (!dh_options.print_suppressions) return;
    for (struct dh_suppression const *s = state.suppressions; s; s = s->next)
        if (s->count)
            dh_message("%lu %s by %s:%u: %s", (unsigned long)s->count,
                       s->kind == DH_SUPPRESS_LIBRARY ? "calls not looked at" : "suppressed",
                       s->from, s->line, s->text);
}

uint64_t dh_report_finish(void) {
    uint64_t mask = set_signal_mask(UINT64_MAX);
    bool mine = take_turn(); /* a report that is being made comes first */
    say_totals();
    say_suppressions();
    dh_tape_finish();
    dh_symbols_end();
    if (mine) end_turn();
    set_signal_mask(mask);
    return dh_report_count();
}
