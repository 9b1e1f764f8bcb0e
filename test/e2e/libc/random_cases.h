/* Random numbers. */
#include "spans.h"

#include <sys/random.h>

#define DATA ((struct random_data *)m.b)
#define DATA_W W(b, 0, sizeof(struct random_data))
#define DATA48 ((struct drand48_data *)m.b)
#define DATA48_R R(b, 0, sizeof(struct drand48_data))
#define DATA48_W W(b, 0, sizeof(struct drand48_data))
#define OWN ((unsigned short *)m.c)
#define OWN_R R(c, 0, 6)
#define OWN_W W(c, 0, 6)
static char state[64];
static void seeded(void) { CHECK(initstate_r(1, state, sizeof state, DATA) == 0); }

#define CASES(X)                                                                                       \
    X(rand_r, , KEEP(rand_r((unsigned *)m.a)), W(a, 0, 4))                                             \
    X(random_r, seeded(), KEEP(random_r(DATA, (void *)m.a)), W(a, 0, 4), DATA_W)                       \
    X(srandom_r, seeded(), KEEP(srandom_r(1, DATA)), DATA_W)                                           \
    X(initstate_r, , KEEP(initstate_r(1, m.a, 64, DATA)), W(a, 0, 64), DATA_W)                         \
    X(setstate_r, seeded(); memcpy(m.a, state, 64), KEEP(setstate_r(m.a, DATA)), R(a, 0, 1), DATA_W)   \
    X(srand48_r, , KEEP(srand48_r(1, DATA48)), DATA48_W)                                               \
    X(seed48_r, , KEEP(seed48_r(OWN, DATA48)), OWN_R, DATA48_W)                                        \
    X(lcong48_r, , KEEP(lcong48_r(OWN, DATA48)), R(c, 0, 14), DATA48_W)                                \
    X(seed48, , KEEP(seed48(OWN)), OWN_R)                                                              \
    X(lcong48, , lcong48(OWN), R(c, 0, 14))                                                            \
    X(srand48, , srand48((long)n(1)), NOTHING)                                                         \
    X(drand48, , KEEP(drand48()), NOTHING)                                                             \
    X(drand48_r, srand48_r(1, DATA48), KEEP(drand48_r(DATA48, (void *)m.a)), W(a, 0, 8), DATA48_W)     \
    X(lrand48, , KEEP(lrand48()), NOTHING)                                                             \
    X(lrand48_r, srand48_r(1, DATA48), KEEP(lrand48_r(DATA48, (void *)m.a)), W(a, 0, 8), DATA48_W)     \
    X(mrand48, , KEEP(mrand48()), NOTHING)                                                             \
    X(mrand48_r, srand48_r(1, DATA48), KEEP(mrand48_r(DATA48, (void *)m.a)), W(a, 0, 8), DATA48_W)     \
    X(erand48, , KEEP(erand48(OWN)), OWN_W)                                                            \
    X(erand48_r, srand48_r(1, DATA48), KEEP(erand48_r(OWN, DATA48, (void *)m.a)), W(a, 0, 8), OWN_W, DATA48_R) \
    X(nrand48, , KEEP(nrand48(OWN)), OWN_W)                                                            \
    X(nrand48_r, srand48_r(1, DATA48), KEEP(nrand48_r(OWN, DATA48, (void *)m.a)), W(a, 0, 8), OWN_W, DATA48_R) \
    X(jrand48, , KEEP(jrand48(OWN)), OWN_W)                                                            \
    X(jrand48_r, srand48_r(1, DATA48), KEEP(jrand48_r(OWN, DATA48, (void *)m.a)), W(a, 0, 8), OWN_W, DATA48_R) \
    X(getrandom, , KEEP(getrandom(m.a, n(10), 0)), W(a, 0, 10))                                        \
    X(getentropy, , KEEP(getentropy(m.a, n(10))), W(a, 0, 10))                                         \
    X(arc4random_buf, , arc4random_buf(m.a, n(10)), W(a, 0, 10))

RUN_CASES()
