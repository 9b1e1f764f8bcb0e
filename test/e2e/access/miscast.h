/* Pointers that are not aligned as their types want it, which the compiler believes: an access goes over the edge of
 * eight bytes of shadow. */
#include "test.h"

_Alignas(16) unsigned char buffer[64];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void set_short(short *p) { *p = 1; }
__attribute__((noinline)) void set_int(int *p) { *p = 1; }
__attribute__((noinline)) void set_long(long *p) { *p = 1; }
__attribute__((noinline)) long get(short const *s, int const *i, long const *l) {
    return *s + *i + *l;
}

static void set_all(void) {
    set_short((short *)(void *)(buffer + 7));
    set_int((int *)(void *)(buffer + 22));
    set_long((long *)(void *)(buffer + 35));
}
static long get_all(void) {
    return get((short *)(void *)(buffer + 7), (int *)(void *)(buffer + 22),
               (long *)(void *)(buffer + 35));
}
