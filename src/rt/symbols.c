#include "rt/symbols.h"
#include "rt/errors.h"
#include "rt/options.h"
#include "rt/spawn.h"
#include "rt/words.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef DH_SYMBOLIZER
#define DH_SYMBOLIZER "/usr/lib/llvm-19/bin/llvm-symbolizer"
#endif

enum { STARTS_MAX = 3, PROBE_PATIENCE = 10000, ANSWER_MAX = 4 << 20 };

int dh_symbols_patience = 60000;

static struct {
    enum { NOT_RUNNING, RUNNING, HOPELESS } state;
    long process; /* that started it: a child of fork has its own */
    int starts;
    struct dh_child child;
} symbolizer;

/* ---- which program ---- */

static void choose_paths(struct dh_words *words, struct dh_arena *arena, char const *path) {
    char const *wanted = dh_options.external_symbolizer_path;
    bool has_slash = false;
    for (char const *c = wanted; *c; c++)
        has_slash |= *c == '/';
    if (*wanted && has_slash) {
        dh_words_add(words, arena, wanted);
    } else if (*wanted) {
        dh_words_add_from_path(words, arena, path, wanted);
    } else {
        dh_words_add(words, arena, DH_SYMBOLIZER);
        dh_words_add_from_path(words, arena, path, "llvm-symbolizer-19");
        dh_words_add_from_path(words, arena, path, "llvm-symbolizer");
    }
    dh_words_add(words, arena, 0);
}

/* ---- question and answer ---- */

static long milliseconds(void) {
    struct timespec now;
    dh_syscall(SYS_clock_gettime, (long)CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* 0, or an errno: ETIME when the deadline has passed. */
static int wait_ready(short events, long deadline) {
    for (;;) {
        struct pollfd wait = {.fd = symbolizer.child.socket, .events = events};
        long left = deadline - milliseconds();
        if (left <= 0) return ETIME;
        long n = dh_syscall(SYS_poll, &wait, 1l, left);
        if (n > 0) return 0;
        if (n < 0 && n != -EINTR) return (int)-n;
    }
}

static int ask(char const *question, size_t length, long deadline) {
    while (length > 0) {
        int error = wait_ready(POLLOUT, deadline);
        if (error) return error;
        long n = dh_syscall(SYS_sendto, (long)symbolizer.child.socket, question, length,
                            (long)(MSG_NOSIGNAL | MSG_DONTWAIT), 0l, 0l);
        if (n == -EINTR || n == -EAGAIN) continue;
        if (n < 0) return (int)-n;
        question += n, length -= (size_t)n;
    }
    return 0;
}

/* An answer is lines, the last one empty. */
static int hear(char **answer, struct dh_arena *arena, long deadline) {
    size_t room = 4096, used = 0;
    char *text = dh_arena_alloc(arena, room);
    for (;;) {
        int error = wait_ready(POLLIN, deadline);
        if (error) return error;
        long n = dh_syscall(SYS_recvfrom, (long)symbolizer.child.socket, text + used,
                            room - used - 1, (long)MSG_DONTWAIT, 0l, 0l);
        if (n == -EINTR || n == -EAGAIN) continue;
        if (n < 0) return (int)-n;
        if (n == 0) return EPIPE;
        used += (size_t)n;
        text[used] = 0;
        if (text[used - 1] == '\n' && (used == 1 || text[used - 2] == '\n')) break;
        if (used > ANSWER_MAX) return EMSGSIZE;
        if (room - used > 1) continue;
        char *larger = dh_arena_alloc(arena, 2 * room);
        text = dh_copy(larger, text, used);
        room *= 2;
    }
    *answer = text;
    return 0;
}

static void stop(void) {
    if (symbolizer.state == RUNNING) dh_spawn_end(&symbolizer.child);
    if (symbolizer.state == RUNNING) symbolizer.state = NOT_RUNNING;
}

static void give_up(char const *why, int error) {
    stop();
    symbolizer.state = HOPELESS;
    char const *wanted = dh_options.external_symbolizer_path;
    if (*wanted)
        dh_message("external_symbolizer_path=%s %s (%s): reports show module+offset", wanted, why,
                   dh_error_text(error));
    else if (error == ENOENT)
        dh_message("no llvm-symbolizer found: not " DH_SYMBOLIZER ", and not llvm-symbolizer-19 or "
                   "llvm-symbolizer in PATH; set DEADHEAT_OPTIONS=external_symbolizer_path=FILE; "
                   "reports show module+offset");
    else
        dh_message("llvm-symbolizer %s (%s): reports show module+offset", why,
                   dh_error_text(error));
}

static void start(struct dh_arena *arena) {
    static char const *const arguments[] = {"llvm-symbolizer", "--output-style=LLVM", "--verbose",
                                            "--inlines",       "--demangle",          0};
    struct dh_words environment = {0}, paths = {0};
    char const *path = dh_words_environment(&environment, arena);
    choose_paths(&paths, arena, path);
    symbolizer.process = dh_syscall(SYS_getpid);
    symbolizer.starts++;
    int error = dh_spawn(&symbolizer.child, paths.list, arguments, environment.list);
    if (error) {
        give_up("cannot be run", error);
        return;
    }
    symbolizer.state = RUNNING;
    /* A program that is something else does not know how to answer this. */
    static char const probe[] = "CODE \"/\" 0x0\n";
    long patience = dh_symbols_patience < PROBE_PATIENCE ? dh_symbols_patience : PROBE_PATIENCE;
    long deadline = milliseconds() + patience;
    char *answer;
    error = ask(probe, sizeof probe - 1, deadline);
    if (!error) error = hear(&answer, arena, deadline);
    if (!error && !dh_starts_with(answer, "??\n  Filename: ??\n")) error = EPROTO;
    if (error) give_up("does not answer as llvm-symbolizer does", error);
}

/* Nothing was asked, so there is nothing to hear, unless it has ended meanwhile. */
static bool silent(void) {
    struct pollfd now = {.fd = symbolizer.child.socket, .events = POLLIN};
    return dh_syscall(SYS_poll, &now, 1l, 0l) == 0;
}

static bool running(struct dh_arena *arena) {
    if (!dh_options.symbolize) return false;
    if (symbolizer.state == RUNNING && symbolizer.process != dh_syscall(SYS_getpid)) {
        dh_spawn_forget(&symbolizer.child);
        symbolizer.state = NOT_RUNNING;
        symbolizer.starts = 0;
    }
    if (symbolizer.state == RUNNING && (!dh_spawn_intact(&symbolizer.child) || !silent())) stop();
    if (symbolizer.state == NOT_RUNNING) start(arena);
    return symbolizer.state == RUNNING;
}

/* The answer's lines, or null. A symbolizer that dies or hangs over a question is not asked that
 * again; after a few such the rest of the run goes without. */
static char *consult(char const *verb, struct dh_module const *module, uintptr_t address,
                     struct dh_arena *arena) {
    if (!module->file) return 0;
    bool quote = false, apostrophe = false;
    for (char const *c = module->file; *c; c++) {
        quote |= *c == '"';
        apostrophe |= *c == '\'';
        if (*c == '\n') return 0;
    }
    if ((quote && apostrophe) || !running(arena)) return 0;
    char const *mark = quote ? "'" : "\"";
    size_t room = dh_length(module->file) + 64;
    char *question = dh_arena_alloc(arena, room), *answer;
    size_t length = dh_format(question, room, "%s %s%s%s 0x%lx\n", verb, mark, module->file, mark,
                              (unsigned long)(address - module->bias));
    long deadline = milliseconds() + dh_symbols_patience;
    int error = ask(question, length, deadline);
    if (!error) error = hear(&answer, arena, deadline);
    if (!error) return answer;
    if (symbolizer.starts >= STARTS_MAX)
        give_up(error == ETIME ? "takes too long" : "keeps failing", error);
    else
        stop();
    return 0;
}

void dh_symbols_pause(void) {
    if (symbolizer.state != RUNNING || !symbolizer.child.keeper) return;
    stop();
    symbolizer.starts--; /* this is not a failure */
}

void dh_symbols_end(void) {
    if (symbolizer.state != RUNNING) return;
    if (symbolizer.process == dh_syscall(SYS_getpid))
        stop();
    else
        dh_spawn_forget(&symbolizer.child);
    symbolizer.state = NOT_RUNNING;
}

/* ---- reading answers ---- */

/* Ends the line at *at in place, moves on, and returns it; null at the end. */
static char *next_line(char **at) {
    char *line = *at;
    if (*line == 0 || *line == '\n') return 0;
    while (**at && **at != '\n')
        ++*at;
    if (**at) *(*at)++ = 0;
    return line;
}

static char const *known(char const *text) {
    return *text == 0 || dh_same_text(text, "??") || dh_same_text(text, "<invalid>") ? 0 : text;
}

/* Decimal, or hexadecimal after 0x. Moves on behind it. */
static bool scan_number(char const **at, uint64_t *value) {
    bool hex = dh_starts_with(*at, "0x");
    if (hex) *at += 2;
    char const *start = *at;
    for (*value = 0;; ++*at) {
        unsigned c = (unsigned char)**at, digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if (hex && c >= 'a' && c <= 'f')
            digit = c - 'a' + 10;
        else
            return *at > start;
        *value = *value * (hex ? 16 : 10) + digit;
    }
}

static uint64_t number_of(char const *text) {
    uint64_t value;
    return scan_number(&text, &value) ? value : 0;
}

/* "file:line"; a file without a line is only what the symbol table heard of, and is left out. */
static char const *split_place(char *place, uint32_t *line) {
    char *colon = 0;
    for (char *c = place; *c; c++)
        if (*c == ':') colon = c;
    *line = 0;
    if (!colon) return 0;
    *colon = 0;
    *line = (uint32_t)number_of(colon + 1);
    return *line ? known(place) : 0;
}

static char const *value_of(char const *line, char const *key) {
    return dh_starts_with(line, key) ? line + dh_length(key) : 0;
}

static void read_detail(struct dh_frame *frame, uint64_t *entry, char const *line) {
    char const *value;
    if ((value = value_of(line, "  Filename: ")))
        frame->file = known(value);
    else if ((value = value_of(line, "  Function start line: ")))
        frame->start_line = (uint32_t)number_of(value);
    else if ((value = value_of(line, "  Function start address: ")))
        *entry = number_of(value);
    else if ((value = value_of(line, "  Line: ")))
        frame->line = (uint32_t)number_of(value);
    else if ((value = value_of(line, "  Column: ")))
        frame->column = (uint32_t)number_of(value);
}

struct dh_symbol_frames dh_symbols_code(struct dh_module const *module, uintptr_t address,
                                        struct dh_arena *arena) {
    struct dh_symbol_frames result = {0};
    char *answer = consult("CODE", module, address, arena), *line;
    if (!answer) return result;
    size_t lines = 0;
    for (char const *c = answer; *c; c++)
        lines += *c == '\n';
    result.frames = dh_arena_alloc(arena, lines * sizeof *result.frames);
    uint64_t entry = 0;
    while ((line = next_line(&answer))) {
        if (line[0] == ' ' && result.count > 0) {
            read_detail(&result.frames[result.count - 1], &entry, line);
            continue;
        }
        if (result.count > 0) result.frames[result.count - 1].inlined = true;
        result.frames[result.count++].function = known(line);
        entry = 0;
    }
    result.entry = entry ? module->bias + entry : 0;
    if (result.count == 1 && !result.frames[0].function && !result.frames[0].file) result.count = 0;
    return result;
}

/* name, "start size", "file:line" */
bool dh_symbols_variable(struct dh_module const *module, uintptr_t address, struct dh_arena *arena,
                         struct dh_symbol_variable *to) {
    char *answer = consult("DATA", module, address, arena);
    if (!answer) return false;
    char *name = next_line(&answer), *extent = next_line(&answer), *place = next_line(&answer);
    uint64_t start, size;
    char const *at = extent;
    if (!name || !known(name) || !extent || !scan_number(&at, &start) || *at++ != ' '
        || !scan_number(&at, &size))
        return false;
    start += module->bias;
    if (address < start || address - start >= size)
        return false; /* only the nearest symbol below */
    *to = (struct dh_symbol_variable){.name = name, .address = start, .size = size};
    if (place) to->file = split_place(place, &to->line);
    return true;
}

/* function, name, "file:line", "offset size tag", each of the numbers ?? if it is not known */
size_t dh_symbols_locals(struct dh_module const *module, uintptr_t address, struct dh_arena *arena,
                         struct dh_symbol_local **to) {
    char *answer = consult("FRAME", module, address, arena);
    if (!answer) return 0;
    size_t lines = 0, count = 0;
    for (char const *c = answer; *c; c++)
        lines += *c == '\n';
    *to = dh_arena_alloc(arena, (lines / 4 + 1) * sizeof **to);
    for (;;) {
        char *function = next_line(&answer), *name = next_line(&answer),
             *place = next_line(&answer);
        char *numbers = next_line(&answer);
        if (!numbers) return count;
        char const *at = numbers;
        bool negative = *at == '-';
        uint64_t offset, size;
        if (negative) at++;
        if (!scan_number(&at, &offset) || *at++ != ' ' || !scan_number(&at, &size)) continue;
        struct dh_symbol_local *local = &(*to)[count++];
        local->function = known(function);
        local->name = known(name);
        local->file = split_place(place, &local->line);
        local->offset = negative ? -(int64_t)offset : (int64_t)offset;
        local->size = size;
    }
}
