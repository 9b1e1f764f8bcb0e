/* The functions of a stream of the program's own are called with the stream locked, by whichever thread: what they
 * have in common needs no other lock. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <stdio.h>

static struct state { int calls; long bytes; } state;
static FILE *file;

static ssize_t put(void *own, char const *from, size_t size) {
    struct state *s = own;
    (void)from;
    s->calls++;
    s->bytes += (long)size;
    return (ssize_t)size;
}

static void *first(void *unused) {
    fputs("one\n", file);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    fputs("two\n", file);
    return unused;
}

int main(void) {
    CHECK((file = fopencookie(&state, "w", (cookie_io_functions_t){.write = put})));
    setvbuf(file, NULL, _IONBF, 0);
    run_two(first, second);
    CHECK(fclose(file) == 0 && state.bytes == 8);
    return 0;
}
