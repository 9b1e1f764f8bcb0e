/* Two streams have locks of their own: what their functions have in common is not protected by them. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <stdio.h>

static long bytes;
static FILE *files[2];

static ssize_t put(void *own, char const *from, size_t size) {
    (void)own, (void)from;
    bytes += (long)size; // RACE
    return (ssize_t)size;
}

static void *first(void *unused) {
    fputs("one\n", files[0]);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    fputs("two\n", files[1]);
    return unused;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        CHECK((files[i] = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put})));
        setvbuf(files[i], NULL, _IONBF, 0);
    }
    run_two(first, second);
    return 0;
}
