/* Functions of mathematics that return more than one value. */
#include "rt/intercept/table.h"

/* The sign of what lgamma returns, for all threads. It is libm's, which need not be there. */
extern int signgam __attribute__((weak));

#define FUNCTIONS(type, suffix)                                                          \
    ROW(type, frexp##suffix, (type x, int *exponent), (x, exponent), , WRITES(exponent)) \
    ROW(type, modf##suffix, (type x, type * whole), (x, whole), , WRITES(whole))         \
    ROW_VOID(sincos##suffix, (type x, type * sine, type * cosine), (x, sine, cosine), ,  \
             WRITES(sine) WRITES(cosine))                                                \
    ROW(type, remquo##suffix, (type x, type y, int *quotient), (x, y, quotient), ,       \
        WRITES(quotient))                                                                \
    ROW(type, lgamma##suffix, (type x), (x), , WRITES(&signgam))                         \
    ROW(type, lgamma##suffix##_r, (type x, int *sign), (x, sign), , WRITES(sign))
FUNCTIONS(double, )
FUNCTIONS(float, f)
FUNCTIONS(long double, l)
