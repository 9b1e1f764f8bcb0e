/* Functions of mathematics with several results. */
#include "spans.h"

#include <math.h>

#define I ((int *)m.a)
static double volatile value_ = 5.5, result;

#define CASES(X)                                                                                       \
    X(frexp, , result = frexp(value_, I), W(a, 0, 4))                                                  \
    X(modf, , result = modf(value_, (double *)m.a), W(a, 0, 8))                                        \
    X(sincos, , sincos(value_, (double *)m.a, (double *)m.b), W(a, 0, 8), W(b, 0, 8))                  \
    X(remquo, , result = remquo(value_, 2, I), W(a, 0, 4))                                             \
    X(lgamma, , result = lgamma(value_), NOTHING)                                                      \
    X(lgamma_r, , result = lgamma_r(value_, I), W(a, 0, 4))                                            \
    X(frexpf, , result = frexpf(value_, I), W(a, 0, 4))                                                \
    X(modff, , result = modff(value_, (float *)m.a), W(a, 0, 4))                                       \
    X(sincosf, , sincosf(value_, (float *)m.a, (float *)m.b), W(a, 0, 4), W(b, 0, 4))                  \
    X(remquof, , result = remquof(value_, 2, I), W(a, 0, 4))                                           \
    X(lgammaf, , result = lgammaf(value_), NOTHING)                                                    \
    X(lgammaf_r, , result = lgammaf_r(value_, I), W(a, 0, 4))                                          \
    X(frexpl, , result = frexpl(value_, I), W(a, 0, 4))                                                \
    X(modfl, , result = modfl(value_, (long double *)m.a), W(a, 0, 16))                                \
    X(sincosl, , sincosl(value_, (long double *)m.a, (long double *)m.b), W(a, 0, 16), W(b, 0, 16))    \
    X(remquol, , result = remquol(value_, 2, I), W(a, 0, 4))                                           \
    X(lgammal, , result = lgammal(value_), NOTHING)                                                    \
    X(lgammal_r, , result = lgammal_r(value_, I), W(a, 0, 4))

RUN_CASES()
