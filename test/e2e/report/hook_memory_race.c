/* The text that the hook gets lies in memory of the runtime's, which may have been the program's before:
 * reading it is no race with that memory's end.
 * EXPECT: ^deadheat: 3 races reported
 */
#include "test.h"

#include <deadheat.h>
#include <malloc.h>
#include <string.h>

int x, y, z;
char *block[64];

void deadheat_on_race(char const *json) { CHECK(strstr(json, "\"schema\"")); }

static void *other(void *unused) {
    x = y = z = 1;
    deadheat_acquire(&block);
    for (int i = 0; i < 64; i++)
        free(block[i]); /* back to the kernel */
    step();
    step();
    return unused;
}

int main(void) {
    steps(2);
    mallopt(M_MMAP_THRESHOLD, 100000);
    for (int i = 0; i < 64; i++)
        block[i] = malloc(200000);
    deadheat_release(&block);
    pthread_t thread = spawn(other, NULL);
    step();
    x = 2;
    y = 2;
    z = 2;
    step();
    join(thread);
    return 0;
}
