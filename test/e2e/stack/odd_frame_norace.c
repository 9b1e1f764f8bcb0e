#include "stack/odd_frame.h"

static void *first(void *unused) {
    fill_all(area);
    return unused;
}

static void *second(void *unused) {
    fill_all(area + 64);
    fill_all(area + 128);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
