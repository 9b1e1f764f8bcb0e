/* The process ends while a thread has checks of a trail pending, and is asleep.
 *
 * EXPECT: #0 crawl */
#include "access/trails.h"

#include <unistd.h>

char text[SIZE];

CRAWL(crawl)

static void *reader(void *unused) {
    crawl(text, SHORT);
    step();
    for (;;)
        pause();
    return unused;
}

int main(void) {
    steps(2);
    spawn(reader, NULL);
    step();
    text[RACED_SHORT] = 1;
    exit(0);
}
