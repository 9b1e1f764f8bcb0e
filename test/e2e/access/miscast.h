/* Pointers that are not aligned as their types want it, which the compiler believes: an access goes over the edge of
 * eight bytes of shadow. */
#include "test.h"

__attribute__((noinline)) void set_short(short *p) { *p = 1; }
__attribute__((noinline)) void set_int(int *p) { *p = 1; }
__attribute__((noinline)) void set_long(long *p) { *p = 1; }
__attribute__((noinline)) long get(short const *s, int const *i, long const *l) {
    return *s + *i + *l;
}

static inline void set_all(unsigned char *b) {
    set_short((short *)(void *)(b + 7));
    set_int((int *)(void *)(b + 22));
    set_long((long *)(void *)(b + 35));
}
static inline long get_all(unsigned char *b) {
    return get((short *)(void *)(b + 7), (int *)(void *)(b + 22), (long *)(void *)(b + 35));
}
