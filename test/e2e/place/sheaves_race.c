/* Runs side by side have one check: a report names the one that races, on both sides, by its own line, its own size and
 * its own address.
 *
 * FLAGS: -g
 * EXPECT: ^ *#0 .*sum.* .*sheaves_race.c:30
 * EXPECT: ^ *#0 .*fill.* .*sheaves_race.c:38
 * EXPECT: ^ *#0 pack.* .*sheaves_race.c:47
 * EXPECT: ^ *#0 .*unpack.* .*sheaves_race.c:55
 * EXPECT: [Rr]ead of (size )?8
 * EXPECT: [Ww]rite of (size )?1\b
 * REJECT: sheaves_race.c:(29|31|37|39|46|48|54|56):
 * REJECT: of (size )?(24|3|12)\b */
#include "test.h"

enum { N = 3000 };
struct point {
    double x, y, z;
    double rest;
} read_first[N], written_later[N];
unsigned char packed[3 * N];
short unpacked[4 * N];
double result;

/* The others are not touched by the second thread. */

__attribute__((noinline)) double sum(struct point const *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i].x;
        s += p[i].y;
        s += p[i].z;
    }
    return s;
}
__attribute__((noinline)) void fill(struct point *p, int n) {
    for (int i = n - 1; i >= 0; i--) {
        p[i].x = 1;
        p[i].y = 2;
        p[i].z = 3;
    }
}

/* These are whole blocks of shadow. */
__attribute__((noinline)) void pack(unsigned char *p, int n) {
    for (int i = 0; i < n; i++) {
        p[3 * i] = 1;
        p[3 * i + 1] = 2;
        p[3 * i + 2] = 3;
    }
}
__attribute__((noinline)) int unpack(short const *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += p[4 * i] + p[4 * i + 3];
        s ^= p[4 * i + 1];
        s -= p[4 * i + 2];
    }
    return s;
}

static void *first(void *unused) {
    (void)unused;
    result = sum(read_first, N);
    pack(packed, N);
    step();
    step();
    fill(written_later, N);
    result += unpack(unpacked, N);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    read_first[N / 2].y = 1;
    packed[3 * (N / 2) + 1] = 1;
    written_later[N / 2].y = 1;
    unpacked[4 * (N / 2) + 1] = 1;
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
