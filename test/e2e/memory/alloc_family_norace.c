/* Every allocation function does what libc's would: contents, alignment, sizes, errors, errno. With one
 * thread and with two. */
// FLAGS: -D_GNU_SOURCE -fno-builtin -Wno-deprecated-declarations
// LEVELS: -O0
#include "test.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static size_t volatile huge = SIZE_MAX - 100;

static int aligned(void *p, size_t alignment) { return (uintptr_t)p % alignment == 0; }

static void fill_and_free(char *p, size_t size) {
    CHECK(p && malloc_usable_size(p) >= size);
    memset(p, 0xab, size);
    free(p);
}

static void failures(void) {
    void *p = NULL;
    errno = 0;
    CHECK(!malloc(huge) && errno == ENOMEM);
    errno = 0;
    CHECK(!calloc(huge / 2, 4) && errno == ENOMEM);
    errno = 0;
    CHECK(!reallocarray(NULL, huge / 2, 4) && errno == ENOMEM);
    errno = 0;
    CHECK(!memalign(64, huge) && errno == ENOMEM);
    errno = 0;
    CHECK(!valloc(huge) && errno == ENOMEM);
    errno = 0;
    CHECK(!pvalloc(SIZE_MAX) && errno == ENOMEM);
    errno = EDOM;
    CHECK(posix_memalign(&p, 64, huge) == ENOMEM && !p && errno == EDOM);
    CHECK(posix_memalign(&p, 3, 10) == EINVAL && posix_memalign(&p, 0, 10) == EINVAL && errno == EDOM);
    char *kept = malloc(10);
    strcpy(kept, "kept");
    errno = 0;
    CHECK(!realloc(kept, huge) && errno == ENOMEM && strcmp(kept, "kept") == 0);
    errno = EDOM;
    free(kept);
    free(NULL);
    CHECK(errno == EDOM);
}

static void *work(void *unused) {
    for (size_t size = 0; size < 300000; size = size * 3 / 2 + 1) {
        void *p;
        fill_and_free(malloc(size), size);
        char *zeros = calloc(size, 3);
        for (size_t i = 0; i < 3 * size; i++)
            CHECK(zeros[i] == 0);
        CHECK(aligned(zeros, 16));
        free(zeros);
        for (size_t alignment = 8; alignment <= 65536; alignment *= 2) {
            CHECK(aligned(p = memalign(alignment, size), alignment));
            fill_and_free(p, size);
            CHECK(aligned(p = aligned_alloc(alignment, size), alignment));
            fill_and_free(p, size);
            CHECK(posix_memalign(&p, alignment, size) == 0 && aligned(p, alignment));
            memset(p, 1, size);
            char *grown = realloc(p, 2 * size + 1);
            for (size_t i = 0; i < size; i++)
                CHECK(grown[i] == 1);
            fill_and_free(grown, 2 * size + 1);
        }
        CHECK(aligned(p = memalign(48, size), 64)); /* rounded up to a power of two */
        free(p);
        CHECK(aligned(p = valloc(size), (size_t)getpagesize()));
        fill_and_free(p, size);
        CHECK(aligned(p = pvalloc(size), (size_t)getpagesize()));
        fill_and_free(p, size);
    }
    CHECK(realloc(malloc(10), 0) == NULL && malloc_usable_size(NULL) == 0);
    fill_and_free(realloc(NULL, 100), 100);
    failures();
    return unused;
}

int main(void) {
    work(NULL);
    run_two(work, work);
    return 0;
}
