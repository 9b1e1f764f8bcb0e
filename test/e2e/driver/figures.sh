#!/bin/sh
# The figures of "BigFoot: Static Check Placement for Dynamic Race Detection" in C: how many checks each gets, what
# they are, and at which line.
. "$(dirname "$0")/lib.sh"

cat >figures.c <<'END'
#include <pthread.h>
struct point { int x, y, z; };
struct pair { int f, g; };
void move(struct point *p, int dx, int dy, int dz) {
    p->x = p->x + dx;
    p->y = p->y + dy;
    p->z = p->z + dz;
}
void move_points(struct point **a, long lo, long hi) {
    for (long i = lo; i < hi; i++)
        move(a[i], 1, 1, 1);
}
int three_reads(struct pair *b, pthread_mutex_t *lock) {
    int x, y, z;
    pthread_mutex_lock(lock);
    x = b->f;
    pthread_mutex_unlock(lock);
    y = b->f;
    pthread_mutex_lock(lock);
    z = b->f;
    pthread_mutex_unlock(lock);
    return x + y + z;
}
int branches(struct pair *b, long i) {
    int x = 0, y = 0, z;
    if (i < 0)
        y = b->g;
    else
        x = b->f;
    z = b->f;
    return x + y + z;
}
void fill(int *a, struct pair *b, long n) {
    long i = 0;
    do {
        a[i] = b->f;
        i++;
    } while (i < n);
}
END
check "the figures" deadheat explain --format=json figures.c
python3 - <<'END' || fail "the checks are others" "$(deadheat explain figures.c)"
import json
def shows(c):
    return c["line"], c["form"], c["access"], c["bytes"], c["stride"]
shown = {f["name"]: sorted(shows(c) for c in f["checks"]) for f in json.load(open("out"))["functions"]}
move = (5, "here", "write", 12, 0)  # x, y and z at once; reads that a write follows have no check
expected = {
    "move": [move],                                                       # Figure 1
    "move_points": [move, (10, "before-loop", "read", 8, 8)],             # a[lo..hi]
    "three_reads": [(18, "here", "read", 4, 0)],                          # Figure 3: the second read's
    # Figure 6(a): the compiler makes one read of those in the branches, which has the line of neither.
    "branches": [(30, "here", "read", 4, 0), (31, "here", "read", 4, 0)],
    # Figure 6(b): a[0..i] and b.f, which the compiler reads once, before the loop.
    "fill": [(35, "before-loop", "write", 4, 4), (36, "here", "read", 4, 0)],
}
for name, checks in expected.items():
    assert shown[name] == checks, (name, shown[name])
END
finish
