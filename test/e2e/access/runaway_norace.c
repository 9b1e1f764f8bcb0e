/* A loop that runs off the end of its memory, with a count that has no end: the crash comes where it would have
 * come, and soon, though the loop's check stands before it.
 */
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

static sigjmp_buf out;
static void crashed(int signal) {
    (void)signal;
    siglongjmp(out, 1);
}

__attribute__((noinline)) static void upwards(char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        p[i] = (char)i;
}
__attribute__((noinline)) static void downwards(long *p, size_t n) {
    for (size_t i = n; i-- > 0;)
        p[i] = 1;
}
__attribute__((noinline)) static void strides(int *p, size_t n) {
    for (size_t i = 0; i < n; i += 3)
        p[i] = 1;
}

static void *work(void *unused) {
    enum { BYTES = 1 << 20 };
    char *area = mmap(NULL, 3 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(area != MAP_FAILED && munmap(area, BYTES) == 0 && munmap(area + 2 * BYTES, BYTES) == 0);
    area += BYTES;
    CHECK(mprotect(area, BYTES, PROT_READ | PROT_WRITE) == 0);
    signal(SIGSEGV, crashed);
    if (sigsetjmp(out, 1) == 0) upwards(area, (size_t)1 << 46);
    CHECK(area[BYTES - 1] == (char)(BYTES - 1));
    long *top = (long *)(area + BYTES);
    if (sigsetjmp(out, 1) == 0) downwards(top - ((size_t)1 << 42), (size_t)1 << 42);
    CHECK(((long *)area)[0] == 1);
    memset(area, 0, BYTES);
    if (sigsetjmp(out, 1) == 0) strides((int *)area, (size_t)1 << 42);
    CHECK(((int *)area)[3] == 1);
    return unused;
}

int main(void) {
    join(spawn(work, NULL));
    return 0;
}
