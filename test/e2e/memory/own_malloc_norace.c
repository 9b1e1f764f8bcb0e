/* Blocks come from the program's own allocator, wherever they are asked for, and go back there.
 * FLAGS: -fno-builtin -D_GNU_SOURCE
 */
#include "memory/own_malloc.h"
#include "test.h"

static void *work(void *unused) {
    size_t before = freed;
    char *copy = strdup("text"), *line = NULL;
    long *block = calloc(4, sizeof *block);
    CHECK(is_own(copy) && is_own(block) && strcmp(copy, "text") == 0);
    block[3] = 1;
    block = realloc(block, 8 * sizeof *block);
    CHECK(block[3] == 1);
    CHECK(asprintf(&line, "%s %d", copy, 7) == 6 && is_own(line));
    free(block);
    free(copy);
    free(line);
    CHECK(freed >= before + 3);
    return unused;
}

int main(void) {
    pthread_t other = spawn(work, NULL);
    work(NULL);
    join(other);
    return 0;
}
