/* Checks that are left out because a range was checked before, and others that only look so. */
#include "test.h"

#include <string.h>

enum { COUNT = 64 };
int table[256 + 1], swept[COUNT + 1], wrapped[256 + 1];
char bytes[COUNT + 1];
struct pair {
    long first, second;
} pairs[4];

__attribute__((noinline)) void histogram(int *t, unsigned char const *s, size_t n) {
    memset(t, 0, 256 * sizeof *t);
    for (size_t i = 0; i < n; i++)
        t[s[i]]++;
}

__attribute__((noinline)) int element(int const *a, size_t low, size_t high, size_t j) {
    int s = 0;
    for (size_t i = low; i < high; i++)
        s += a[i];
    if (low <= j && j < high) s += a[j];
    return s;
}

/* The index is in bounds, or the sum wraps round: k is SIZE_MAX, and what is written is before the array. */
__attribute__((noinline)) void wraps(char *p, size_t n, size_t k) {
    memset(p, 0, n);
    if (k + 1 < n) p[k] = 1;
}

/* A narrow index that wraps: what is meant to be one further is at the start. */
__attribute__((noinline)) void narrow(int *a, unsigned char i) {
    a[i] = 1;
    a[(unsigned char)(i + 1)] = 2;
}

__attribute__((noinline)) long element_of(struct pair *p, long i) {
    p[i].first = 1;
    p[i].second = 2;
    return p[i + 1 - 1].first;
}

static unsigned char text[4] = {0, 7, 255, 255};

static void *first(void *unused) {
    (void)unused;
    histogram(table, text, sizeof text);
    int s = element(swept, 1, COUNT / 2, 5);
    wraps(bytes + 1, COUNT / 2, (size_t)-1);
    narrow(wrapped, 255);
    s += (int)element_of(pairs, 1);
    step();
    return (void *)(long)s;
}
