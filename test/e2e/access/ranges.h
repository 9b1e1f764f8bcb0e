/* Ranges of any size and place, over memory in any state: cells of one epoch, cells whose bytes were used at
 * different times or read by both threads, blocks that nobody has looked at closely, several granules. */
#include "test.h"

#include <string.h>

enum { AREA = 40000, ROUNDS = 60 };

_Alignas(4096) char area[AREA];
long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The one byte of a round, and a range that it is in: a few bytes, or some hundreds. */
static int byte_of(int round) { return 500 + round * 641 % (AREA - 2000); }
static int before(int round) { return round * 37 % (round % 3 == 0 ? 20 : 400); }
static int behind(int round) { return round * 53 % (round % 3 == 0 ? 24 : 500); }
static char *range_of(int round) { return area + byte_of(round) - before(round); }
static size_t size_of(int round) { return (size_t)(before(round) + 1 + behind(round)); }

/* The upper part stays as it is. */
static void scatter(int first, int distance) {
    pthread_mutex_lock(&lock);
    for (int i = first; i < AREA / 2; i += distance) {
        if (i % 4 == 0) sum += *(int volatile *)(area + i);
        *(char volatile *)(area + i) = 1;
    }
    pthread_mutex_unlock(&lock);
}

/* Twice in one epoch: the second time all is on record. */
static void use(int round) {
    sum += memchr(range_of(round), 7, size_of(round)) != NULL;
    memset(range_of(round), 2, size_of(round));
    memset(range_of(round), 3, size_of(round));
}
