/* A thread reads on, and then waits for another, in what it has read last: it must be seen waiting.
 *
 * EXPECT: #0 (crawl|wait_there) */
#include "access/trails.h"

#include <deadheat.h>

char text[SIZE];
int volatile reported;

CRAWL(crawl)

__attribute__((no_sanitize("thread"))) void deadheat_on_race(char const *json) {
    (void)json;
    reported = 1;
}

__attribute__((noinline, no_sanitize("thread"))) static int was_reported(void) { return reported; }

__attribute__((noinline)) static void wait_there(char const *p) {
    do
        kept = (long)((struct odd const *)p)->value;
    while (!was_reported());
}

static void *reader(void *unused) {
    crawl(text, SHORT);
    wait_there(text + SHORT - 9);
    return unused;
}

static void *writer(void *unused) {
    text[SHORT - 2] = 1;
    return unused;
}

int main(void) {
    steps(2);
    pthread_t a = spawn(writer, NULL), b = spawn(reader, NULL);
    join(b);
    join(a);
    return 0;
}
