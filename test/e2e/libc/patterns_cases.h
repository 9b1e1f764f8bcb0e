/* Regular expressions, and the patterns of the shell. */
#include "spans.h"

#include <fnmatch.h>
#include <glob.h>
#include <regex.h>
#include <stddef.h>
#include <wordexp.h>

#define PATTERN ((regex_t *)m.c) /* 64 bytes */
#define MATCHES ((regmatch_t *)m.b)
static void compiled(int flags) { CHECK(regcomp(PATTERN, "l(.)", REG_EXTENDED | flags) == 0); }
static void part(regoff_t from, regoff_t to) {
    MATCHES[0].rm_so = from;
    MATCHES[0].rm_eo = to;
}
static void found(char const *pattern) { CHECK(glob(pattern, 0, NULL, (glob_t *)m.n) == 0); }
static void expanded(void) { CHECK(wordexp("a b", (wordexp_t *)m.n, 0) == 0); }
#define IN_GLOB(type, field) {m.n, offsetof(glob_t, field), sizeof ((glob_t *)0)->field, type}
#define IN_WORDS(type, field) {m.n, offsetof(wordexp_t, field), sizeof ((wordexp_t *)0)->field, type}
#define GLOB_W IN_GLOB(1, gl_pathc), IN_GLOB(1, gl_pathv), IN_GLOB(1, gl_offs), IN_GLOB(1, gl_flags)

#define CASES(X)                                                                                       \
    X(regcomp, SET(a, "l(.)"), KEEP(regcomp(PATTERN, m.a, REG_EXTENDED)), R(a, 0, 5), W(c, 0, sizeof(regex_t))) \
    X(regexec, compiled(0); SET(a, "hello"), KEEP(regexec(PATTERN, m.a, n(3), MATCHES, 0)), R(a, 0, 6), \
      W(b, 0, 24), R(c, 0, sizeof(regex_t)))                                                           \
    X(regexec_nosub, compiled(REG_NOSUB); SET(a, "hello"), KEEP(regexec(PATTERN, m.a, n(3), MATCHES, 0)), \
      R(a, 0, 6), R(c, 0, sizeof(regex_t)))                                                            \
    X(regexec_not, compiled(0); SET(a, "no"), KEEP(regexec(PATTERN, m.a, n(3), MATCHES, 0)), R(a, 0, 3), \
      R(c, 0, sizeof(regex_t)))                                                                        \
    X(regexec_part, compiled(0); SET(a, "hello"); part(1, 4), KEEP(regexec(PATTERN, m.a, n(1), \
      MATCHES, REG_STARTEND)), R(a, 1, 3), W(b, 0, 8), R(c, 0, sizeof(regex_t)))                       \
    X(regerror, compiled(0), KEEP(regerror(REG_NOMATCH, PATTERN, m.a, n(4))), W(a, 0, 4), R(c, 0, sizeof(regex_t))) \
    X(regfree, compiled(0), regfree(PATTERN), W(c, 0, sizeof(regex_t)))                                \
    X(fnmatch, SET(a, "*.c"); SET(b, "x.c"), KEEP(fnmatch(m.a, m.b, 0)), R(a, 0, 4), R(b, 0, 4))       \
    X(glob, SET(a, "/dev/nul?"), KEEP(glob(m.a, 0, NULL, (glob_t *)m.n)), R(a, 0, 10), GLOB_W)         \
    X(glob64, SET(a, "/dev/nul?"), KEEP(glob64(m.a, 0, NULL, (glob64_t *)m.n)), R(a, 0, 10), GLOB_W)   \
    X(globfree, found("/dev/nul?"), globfree((glob_t *)m.n), IN_GLOB(1, gl_pathv))                     \
    X(globfree64, found("/dev/nul?"), globfree64((glob64_t *)m.n), IN_GLOB(1, gl_pathv))               \
    X(wordexp, SET(a, "a b"), KEEP(wordexp(m.a, (wordexp_t *)m.n, 0)), R(a, 0, 4), IN_WORDS(1, we_wordc), \
      IN_WORDS(1, we_wordv), IN_WORDS(1, we_offs))                                                     \
    X(wordfree, expanded(), wordfree((wordexp_t *)m.n), IN_WORDS(1, we_wordv))

RUN_CASES()
