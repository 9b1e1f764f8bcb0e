/* A correct program starts and runs in all of them; where there is not enough room it is told so in one line,
 * before it begins. */
// FLAGS: -D_GNU_SOURCE
#include "address_space.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *count(void *unused) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void refused_where_nothing_large_is_mapped(void) {
    struct surroundings const strict = {"strict overcommit", nothing_large};
    char text[1000] = "";
    int ends[2];
    CHECK(pipe(ends) == 0);
    int status = status_in(&strict, ends[1]);
    close(ends[1]);
    ssize_t length = read(ends[0], text, sizeof text - 1);
    CHECK(status == 2 && length > 0 && strchr(text, '\n') == text + length - 1);
    CHECK(strstr(text, "cannot reserve address space") && strstr(text, "overcommit"));
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1) {
        refused_where_nothing_large_is_mapped();
        return wrong_in_all(0);
    }
    run_two(count, count);
    CHECK(x == 2);
    return 0;
}
