/* A thread that goes through the same memory again knows that it was there, but not for longer than that holds: a
 * release of its own ends it, and so does giving the memory back, to whoever gets it next.
 *
 * EXPECT: #0 after_release
 * EXPECT: #0 in_old_memory
 * EXPECT: #0 another_part */
#include "test.h"

#include <sys/mman.h>

enum { N = 1024, BYTES = N * sizeof(int) };
int released[N], parts[N];
static int *old_memory;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void after_release(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
}
__attribute__((noinline)) void in_old_memory(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
}
/* Every second one: the other half is another run. */
__attribute__((noinline)) int another_part(int const *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i += 2) s ^= a[i];
    return s;
}

static int *pages(int *at) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
    int *p = mmap(at, BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static void *first(void *unused) {
    int s = 0;
    for (int i = 0; i < 3; i++) after_release(released, N);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    step(); /* 1 */
    step(); /* 2 */
    after_release(released, N);

    s ^= another_part(parts, N);
    s ^= another_part(parts + 2, N / 2);
    s ^= another_part(parts + 1, N / 2);
    int *p = pages(NULL);
    for (int i = 0; i < 3; i++) in_old_memory(p, N);
    munmap(p, BYTES);
    __atomic_store_n(&old_memory, p, __ATOMIC_RELAXED);
    step(); /* 3 */
    step(); /* 4 */
    in_old_memory(p, N);
    return s == -1 ? unused : NULL;
}

static void *second(void *unused) {
    step(); /* 1 */
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    int volatile *r = released; /* ordered behind what was written, but not before what will be */
    (void)r[N / 2];
    step(); /* 2 */
    step(); /* 3 */
    parts[N / 4 + 1] = 1;
    pages(__atomic_load_n(&old_memory, __ATOMIC_RELAXED));
    step(); /* 4 */
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
