/* Functions of mathematics that return more than one value; objects that hold how floating point
 * behaves. */
#include "rt/intercept/table.h"

#include <fenv.h>

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

/* ---- how floating point behaves. Some words stand for an environment, and are no address. ---- */

#define NAMES_MEMORY(p) ((intptr_t)(p) != -1 && (intptr_t)(p) != -2)
ROW(int, fegetenv, (fenv_t * to), (to), , WRITES(to))
ROW(int, feholdexcept, (fenv_t * to), (to), , WRITES(to))
ROW(int, fesetenv, (fenv_t const *from), (from), if (NAMES_MEMORY(from)) READS(from), )
ROW(int, feupdateenv, (fenv_t const *from), (from), if (NAMES_MEMORY(from)) READS(from), )
ROW(int, fegetexceptflag, (fexcept_t * to, int which), (to, which), , WRITES(to))
ROW(int, fesetexceptflag, (fexcept_t const *from, int which), (from, which), READS(from), )
ROW(int, fegetmode, (femode_t * to), (to), , WRITES(to))
ROW(int, fesetmode, (femode_t const *from), (from), if (NAMES_MEMORY(from)) READS(from), )
