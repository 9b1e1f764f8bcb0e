/* Loops with several ways out, each left by one of them. The first thread runs them; the second then writes to
 * the first or the last element that was accessed, or to those behind (exits_*race.c). */
#include "test.h"

#include <stddef.h>

enum { N = 64, AT = 9 }; /* all stop at AT, for one reason or another */

int by_test[N], by_break[N], by_return[N], by_goto[N], by_switch[N], by_end[N], nothing[N], both[N];
int inner_way[N], deep[N];
char text[N];
struct node {
    int count;
    long keys[N];
} node;
int seen[N]; /* what most look for is at AT */

/* The search of a B-tree's node. */
__attribute__((noinline)) int position(struct node const *n, long key) {
    int i = 0;
    while (i < n->count && n->keys[i] < key) i++;
    return i;
}

__attribute__((noinline)) char *scan(char *p, char c) {
    while (*p && *p != c) p++;
    return p;
}

/* The test at its head ends it, though it could have been left before. */
__attribute__((noinline)) int to_the_end(int *a, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] == 7) return i;
    return -1;
}

/* Accessed in the round that leaves. */
__attribute__((noinline)) void breaking(int *a, int const *stop, int n) {
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        if (stop[i]) break;
    }
}

/* Not accessed in the round that leaves. */
__attribute__((noinline)) int breaking_before(int *a, int const *stop, int n) {
    int i;
    for (i = 0; i < n; i++) {
        if (stop[i]) break;
        a[i] = 1;
    }
    return i;
}

__attribute__((noinline)) int returning(int *a, int const *stop, int n) {
    for (int i = 0; i < n; i++) {
        if (stop[i] == 2) return 2;
        a[i] = 1;
        if (stop[i] == 1) return 1;
    }
    return 0;
}

__attribute__((noinline)) int going(int *a, int const *stop, int n) {
    int i = 0;
    for (;; i++) {
        a[i] = i;
        if (stop[i]) goto found;
        if (i == n) goto none;
    }
found:
    return i;
none:
    return -1;
}

__attribute__((noinline)) int switching(int *a, int const *stop, int n) {
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        switch (stop[i]) {
        case 1:
        case 5: return 1;
        case 2: goto two;
        case 3: a[i] = 2;
        }
    }
    return 0;
two:
    return 2;
}

/* Left before the first access. */
__attribute__((noinline)) int leaving_at_once(int *a, int const *stop, int n) {
    int i = 0;
    for (;; i++) {
        if (stop[AT + i]) break;
        a[i] = 1;
        if (a[i + 1] == 3 || i == n) break;
    }
    return i;
}

/* Two runs in one loop that are not in the same rounds; the second begins where the first ends. */
__attribute__((noinline)) int half_a_round(int *a, int const *stop, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        if (stop[i]) return s;
        s += a[N / 2 + i];
    }
    return s;
}

/* The inner loop is left, and so is the outer one by what was found in it. */
__attribute__((noinline)) int nested(int *a, int const *stop, int n) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        for (; j < 4; j++)
            if (stop[4 * i + j]) break;
        if (j < 4) return 4 * i + j;
        a[i] = 1;
    }
    return -1;
}

/* Out of both loops at once. */
__attribute__((noinline)) int out_of_both(int *a, int const *stop, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) {
            a[4 * i + j] = 1;
            if (stop[4 * i + j]) return i;
        }
    return -1;
}

static void run_all(void) {
    CHECK(position(&node, AT) == AT);
    CHECK(scan(text, 'x') == text + AT);
    CHECK(to_the_end(by_end, AT + 1) == -1);
    breaking(by_break, seen, N);
    CHECK(breaking_before(by_test, seen, N) == AT);
    CHECK(returning(by_return, seen, N) == 1);
    CHECK(going(by_goto, seen, N - 1) == AT);
    CHECK(switching(by_switch, seen, N) == 1);
    CHECK(leaving_at_once(nothing, seen, N - 2) == 0);
    CHECK(half_a_round(both, seen, N / 2) == 0);
    CHECK(nested(inner_way, seen, N / 4) == AT);
    CHECK(out_of_both(deep, seen, N / 4) == AT / 4);
}

static inline void prepare(void) {
    seen[AT] = 1;
    node.count = N;
    for (int i = 0; i < N; i++) {
        node.keys[i] = i;
        text[i] = i == AT ? 'x' : 'a';
    }
}
