/* A program may see its own reports: as JSON, after each; and count them.
 * EXPECT: ^hook: "schema"
 * EXPECT: ^counted: 1$
 */
#include "test.h"

#include <deadheat.h>
#include <string.h>

int shared;

void deadheat_on_race(char const *json) {
    if (json[0] == '{' && strstr(json, "\"name\":\"shared\""))
        fprintf(stderr, "hook: %.8s\n", json + 1);
}

static void *first(void *unused) {
    (void)unused;
    shared = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    shared = 2;
    fprintf(stderr, "counted: %lu\n", deadheat_race_count());
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
