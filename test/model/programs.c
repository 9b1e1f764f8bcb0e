#include "programs.h"

#include "ir/text.h"
#include "util/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* splitmix64 */
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint32_t limit) { return (uint32_t)(next(state) % limit); }

struct random_program random_program(uint64_t seed, enum statement_kind first,
                                     enum statement_kind end, uint32_t total) {
    uint64_t state = seed;
    struct random_program p = {.threads = 2 + below(&state, RANDOM_THREADS - 1)};
    uint8_t held[RANDOM_THREADS] = {0};
    for (uint32_t n = 0; n < total; n++) {
        uint32_t t = below(&state, p.threads);
        if (p.count[t] == RANDOM_STATEMENTS) continue;
        /* Mostly the first of two, and mostly accesses and locks: what can be told apart at all
         * needs several statements about the same things. */
        static enum statement_kind const usual[] = {S_READ, S_WRITE, S_ACQUIRE, S_RELEASE};
        struct statement s = {.kind = first + below(&state, end - first),
                              .which = below(&state, 4) == 0,
                              .value = (uint8_t)below(&state, 3),
                              .guarded = below(&state, 8) == 0};
        if (below(&state, 2)) s.kind = usual[below(&state, 4)];
        /* Mostly a lock that is not held is taken, and one that is held is given back. */
        if (s.kind == S_RELEASE && !(held[t] >> s.which & 1) && below(&state, 20))
            s.kind = S_ACQUIRE;
        if (s.kind == S_ACQUIRE && held[t] >> s.which & 1) s.kind = S_RELEASE;
        if (s.kind == S_ACQUIRE) held[t] |= (uint8_t)(1u << s.which);
        if (s.kind == S_RELEASE) held[t] &= (uint8_t) ~(1u << s.which);
        if (s.kind == S_SPAWN || s.kind == S_WAIT)
            s.which = (uint8_t)(1 + below(&state, p.threads - 1));
        p.statements[t][p.count[t]++] = s;
    }
    /* Locks do not stay held for ever, mostly. */
    for (uint32_t t = 0; t < p.threads; t++)
        for (uint8_t m = 0; m < 2; m++)
            if (held[t] >> m & 1 && p.count[t] < RANDOM_STATEMENTS && below(&state, 10))
                p.statements[t][p.count[t]++] = (struct statement){.kind = S_RELEASE, .which = m};
    return p;
}

static uint64_t lists(uint64_t letters, uint32_t longest) {
    uint64_t count = 1, of_length = 1;
    for (uint32_t n = 1; n <= longest; n++)
        count += of_length *= letters;
    return count;
}

bool small_program(uint64_t index, uint32_t longest, struct random_program *program) {
    static enum statement_kind const letters[] = {S_READ,    S_WRITE, S_ACQUIRE,
                                                  S_RELEASE, S_SPAWN, S_WAIT};
    uint64_t const alphabet[2] = {6, 4}; /* the thread does not spawn or wait */
    *program = (struct random_program){.threads = 2};
    for (uint32_t t = 0; t < 2; t++) {
        uint64_t count = lists(alphabet[t], longest), number = index % count, of_length = 1;
        index /= count;
        for (; number >= of_length; of_length *= alphabet[t]) {
            number -= of_length;
            program->count[t]++;
        }
        for (uint32_t i = 0; i < program->count[t]; i++, number /= alphabet[t]) {
            struct statement *s = &program->statements[t][i];
            *s = (struct statement){.kind = letters[number % alphabet[t]],
                                    .value = (uint8_t)(t + 1)};
            if (s->kind == S_SPAWN || s->kind == S_WAIT) s->which = 1;
        }
    }
    return index == 0;
}

static char text[8192];
static size_t length;

__attribute__((format(printf, 1, 2))) static void put(char const *format, ...) {
    va_list values;
    va_start(values, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, values);
    va_end(values);
}

static void put_statement(struct statement s) {
    put("    ");
    if (s.guarded) put("if (r == %u) { ", s.value);
    switch (s.kind) {
    case S_READ: put("r = x%u;", s.which); break;
    case S_WRITE: put("x%u = %u;", s.which, s.value); break;
    case S_COPY: put("x%u = r;", s.which); break;
    case S_ADD: put("x%u++;", s.which); break;
    case S_ELEMENT: put("a[r %% 2] = %u;", s.value); break;
    case S_ACQUIRE: put("acquire(m%u);", s.which); break;
    case S_RELEASE: put("release(m%u);", s.which); break;
    case S_SPAWN: put("spawn t%u;", s.which); break;
    case S_WAIT: put("wait t%u;", s.which); break;
    case S_ASSERT: put("assert(r <= %u);", s.value); break;
    case S_STORE: put("f%u = %u;", s.which, s.value); break;
    case S_LOAD: put("r = f%u;", s.which); break;
    case S_FETCH_ADD: put("r = fetch_add(f%u, 1);", s.which); break;
    case S_CAS: put("r = cas(f%u, %u, 2);", s.which, s.value); break;
    case S_AWAIT: put("await(f%u == %u);", s.which, s.value); break;
    default: put("atomic { x0 = r; r = x1; }"); break;
    }
    put(s.guarded ? " }\n" : "\n");
}

char const *random_text(struct random_program const *p) {
    length = 0;
    put("var x0, x1, a[2];\natomic f0, f1;\nlock m0, m1;\n");
    for (uint32_t t = 0; t < p->threads; t++) {
        if (t == 0)
            put("main {\n    r = 0;\n");
        else
            put("thread t%u {\n    r = 0;\n", t);
        for (uint32_t i = 0; i < p->count[t]; i++)
            put_statement(p->statements[t][i]);
        put("}\n");
    }
    return text;
}

struct ir_program *random_parsed(struct random_program const *p) {
    struct dh_parse_error error;
    random_text(p);
    struct ir_program *program = dh_parse("random", text, length, &error);
    if (!program) dh_fail("%s", error.text);
    return program;
}

struct random_program random_shrunk(struct random_program program,
                                    bool (*fails)(void *context, struct random_program const *),
                                    void *context) {
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (uint32_t t = 0; t < program.threads; t++)
            for (uint32_t i = 0; i < program.count[t]; i++) {
                struct random_program without = program;
                struct statement *list = without.statements[t];
                without.count[t]--;
                memmove(list + i, list + i + 1, (without.count[t] - i) * sizeof *list);
                if (!fails(context, &without)) continue;
                program = without;
                smaller = true;
                i--;
            }
    }
    return program;
}
