/* Random numbers. rand and random have a lock; drand48 and its sisters have one state for all
 * threads, without; and all have forms with a state of the program's. */
#include "rt/intercept/table.h"

#include <stdlib.h>
#include <sys/random.h>

/* ---- a state of the program's ---- */

ROW(int, rand_r, (unsigned *seed), (seed), WRITES(seed), )

#define DATA struct random_data *data
ROW(int, random_r, (DATA, int32_t *to), (data, to), WRITES(data) WRITES(to), )
ROW(int, srandom_r, (unsigned seed, DATA), (seed, data), WRITES(data), )
ROW(int, initstate_r, (unsigned seed, char *state, size_t size, DATA), (seed, state, size, data),
    WRITES_BYTES(state, size) WRITES(data), )
ROW(int, setstate_r, (char *state, DATA), (state, data), READS_BYTES(state, 1) WRITES(data), )

#undef DATA
#define DATA struct drand48_data *data
#define OWN unsigned short own[3]
ROW(int, drand48_r, (DATA, double *to), (data, to), WRITES(data) WRITES(to), )
ROW(int, lrand48_r, (DATA, long *to), (data, to), WRITES(data) WRITES(to), )
ROW(int, mrand48_r, (DATA, long *to), (data, to), WRITES(data) WRITES(to), )
ROW(int, erand48_r, (OWN, DATA, double *to), (own, data, to),
    WRITES_BYTES(own, 6) READS(data) WRITES(to), )
ROW(int, nrand48_r, (OWN, DATA, long *to), (own, data, to),
    WRITES_BYTES(own, 6) READS(data) WRITES(to), )
ROW(int, jrand48_r, (OWN, DATA, long *to), (own, data, to),
    WRITES_BYTES(own, 6) READS(data) WRITES(to), )
ROW(int, srand48_r, (long seed, DATA), (seed, data), WRITES(data), )
ROW(int, seed48_r, (OWN, DATA), (own, data), READS_BYTES(own, 6) WRITES(data), )
ROW(int, lcong48_r, (unsigned short values[7], DATA), (values, data),
    READS_BYTES(values, 14) WRITES(data), )

/* ---- one for all: the number, and the rule that makes the next one ---- */

static char number, rule;

#define NEXT(type, name) ROW(type, name, (void), (), WRITES(&number) READS(&rule), )
NEXT(double, drand48)
NEXT(long, lrand48)
NEXT(long, mrand48)
#define NEXT_OWN(type, name) ROW(type, name, (OWN), (own), WRITES_BYTES(own, 6) READS(&rule), )
NEXT_OWN(double, erand48)
NEXT_OWN(long, nrand48)
NEXT_OWN(long, jrand48)
ROW_VOID(srand48, (long seed), (seed), WRITES(&number) WRITES(&rule), )
ROW(unsigned short *, seed48, (OWN), (own), READS_BYTES(own, 6) WRITES(&number) WRITES(&rule),
    WRITES_BYTES(result, 6))
ROW_VOID(lcong48, (unsigned short values[7]), (values),
         READS_BYTES(values, 14) WRITES(&number) WRITES(&rule), )

/* ---- from the kernel ---- */

ROW(ssize_t, getrandom, (void *to, size_t size, unsigned flags), (to, size, flags), ,
    if (result > 0) WRITES_BYTES(to, (size_t)result))
ROW(int, getentropy, (void *to, size_t size), (to, size), , if (result == 0) WRITES_BYTES(to, size))
ROW_VOID(arc4random_buf, (void *to, size_t size), (to, size), WRITES_BYTES(to, size), )
