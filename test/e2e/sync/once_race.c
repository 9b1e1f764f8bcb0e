/* Double-checked by hand: the flag says that it is made, but orders nothing. */
#include "test.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
int x, made;

static void make(void) {
    x = 1;
    made = 1;
}

static void *first(void *unused) {
    pthread_once(&once, make);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    if (!made) pthread_once(&once, make);
    CHECK(x == 1);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
