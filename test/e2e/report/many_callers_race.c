/* Text that is read on and on (rt/trails.h) by a function that is called from here and from there: each access has
 * another stack, more of which are kept than there are events in the history.
 *
 * EXPECT: ^ *#0 read_two
 * EXPECT: ^deadheat: 1 race reported */
#include "test.h"

#include <string.h>

enum { TEXT = 1 << 19 };
char text[TEXT];
_Thread_local unsigned volatile sum;

__attribute__((noinline)) static void read_two(char const *p) {
    unsigned short two;
    memcpy(&two, p, sizeof two);
    sum += two;
}

static void *reader(void *unused) {
    for (int i = 1; i + 8 < TEXT; i += 8) {
        read_two(text + i);
        read_two(text + i + 2);
        read_two(text + i + 4);
        read_two(text + i + 6);
    }
    step();
    return unused;
}

static void *writer(void *unused) {
    step();
    text[TEXT - 20] = 1;
    return unused;
}

int main(void) {
    run_two(reader, writer);
    return 0;
}
