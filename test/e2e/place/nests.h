/* Loops in loops, and accesses that go through memory side by side: what one check before a loop says of them. The
 * first thread runs each; the second then writes to bytes that they access, or that they do not (nests_race.c,
 * nests_norace.c). */
#include "test.h"

enum { N = 64, M = 16 };
struct vector {
    double x, y, z;
};
struct particle {
    struct vector at, speed;
    long id;
};
struct particle particles[N], reversed[N];
unsigned char text[8 * N];
short keys[N], behind_guard[N], never[N], outer_never[N], rows[N][M], gaps[N][2 * M], triangle[N], first_only[N];
int apart[4 * N], window[N + M], down[N], down_once[N], up[N], still;
long sum;

/* The same run in each round of the loop around it. */
__attribute__((noinline)) void same_again(short const *k, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++) sum += k[2 * j] * m;
}

/* It is there if the guard says so, which is asked once. */
__attribute__((noinline)) void if_any(short *k, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) k[j] = (short)i;
}

/* Each round goes on where the last one ended. */
__attribute__((noinline)) void row_by_row(short (*a)[M], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) a[i][j] = 1;
}

/* It does not. */
__attribute__((noinline)) void with_gaps(short (*a)[2 * M], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) a[i][j] = 1;
}

/* Each round is another run, shorter than the last. */
__attribute__((noinline)) void shrinking(short *a, int from, int n) {
    for (int i = from; i < n; i++)
        for (int j = i; j < n; j++) a[j] = (short)i;
}

/* In the first round only. */
__attribute__((noinline)) void once(short *a, int n) {
    for (int i = 0; i < n; i++)
        if (i == 3)
            for (int j = 0; j < 4; j++) a[j] = (short)i;
}

__attribute__((noinline)) void overlapping(int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) a[i + j] = j;
}

/* One place, in all rounds of both, if there are any. */
__attribute__((noinline)) void one_place(int *a, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum += *a * i;
}

__attribute__((noinline)) void positions(struct particle const *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i].at.x + p[i].at.y + p[i].at.z;
    sum += (long)s;
}

__attribute__((noinline)) void from_the_end(struct particle *p, int n) {
    for (int i = n - 1; i >= 0; i -= 2) {
        p[i].speed.x = 1;
        p[i].speed.z = 3;
        p[i].speed.y = 2;
    }
}

__attribute__((noinline)) void blocks_of_eight(unsigned char *t, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) t[8 * i + k] = (unsigned char)(k * i);
}

/* Two runs of one array that do not touch. */
__attribute__((noinline)) void two_of_four(int *a, int n) {
    for (int i = 0; i < n; i++) {
        a[4 * i] = i;
        a[4 * i + 2] = i;
    }
}

/* What is read is written some rounds later, but for the last; or was, but for the first. */
__attribute__((noinline)) void down_by_two(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = a[i + 2] + 1;
}
__attribute__((noinline)) void up_by_three(int *a, int n) {
    for (int i = 0; i < n; i++) a[i + 3] = a[i] + 1;
}

static void run_all(void) {
    same_again(keys, 9, 1);
    if_any(behind_guard, 9, N / 2);
    if_any(never, 9, 0);
    if_any(outer_never, 0, N);
    row_by_row(rows + 1, N - 2);
    with_gaps(gaps, N);
    shrinking(triangle, 10, N - 10);
    once(first_only, 9);
    overlapping(window, N / 2);
    one_place(&still, 3, 3);
    positions(particles, N - 1);
    from_the_end(reversed, N - 1);
    blocks_of_eight(text + 8, N - 2);
    two_of_four(apart, N);
    down_by_two(down, N - 4);
    down_by_two(down_once, 1);
    up_by_three(up + 1, N - 8);
}
