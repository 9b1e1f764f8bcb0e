/* Loops in loops, and runs side by side: no byte is checked that they do not access. Nor is anything checked too early
 * where a loop around synchronises. */
#include "nests.h"

#include <stdatomic.h>

int handed_over[N];
atomic_int turn;

/* In each round the bytes are another thread's until it says so. */
__attribute__((noinline)) void taking_turns(int *a, int n, int me) {
    for (int i = 0; i < n; i++) {
        while (atomic_load_explicit(&turn, memory_order_acquire) % 2 != me) {}
        for (int j = 0; j < N; j++) a[j] = i;
        atomic_fetch_add_explicit(&turn, 1, memory_order_release);
    }
}

static void *first(void *unused) {
    (void)unused;
    run_all();
    step();
    taking_turns(handed_over, 4, 0);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    for (int i = 0; i < 12; i++)
        if (i % 2) keys[i] = 1;
    keys[12] = 1;
    behind_guard[N / 2] = 1;
    for (int i = 0; i < N; i++) {
        never[i] = 1;
        outer_never[i] = 1;
        particles[i].speed.x = 1;
        particles[i].id = 1;
        reversed[i].at.z = 1;
        reversed[i].id = 1;
        apart[4 * i + 1] = apart[4 * i + 3] = 1;
        for (int j = M; j < 2 * M; j++) gaps[i][j] = 1;
    }
    for (int j = 0; j < M; j++) rows[0][j] = rows[N - 1][j] = 1;
    triangle[9] = triangle[N - 10] = 1;
    first_only[4] = 1;
    window[N / 2 + M - 1] = 1;
    particles[N - 1].at.x = 1;
    for (int i = 1; i < N; i += 2) reversed[i].speed.y = 1;
    for (int i = 0; i < 8; i++) text[i] = text[8 * (N - 1) + i] = 1;
    down[N - 2] = down_once[1] = down_once[3] = 1;
    up[0] = up[N - 4] = 1;
    taking_turns(handed_over, 4, 1);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
