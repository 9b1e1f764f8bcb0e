/* The second thread writes all the others, which the first has looked at only before. */
#include "known_readers.h"

static void *second(void *unused) {
    look();
    step();
    step();
    end_epoch();
    for (int word = 0; word < WORDS; word++)
        for (int byte = 0; byte < LENGTH; byte++)
            if (byte != LATER) words[word][byte] = 1;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
