/* The second thread writes that byte: in each word it is a race with the look that it knows nothing of, and
 * with no other.
 * EXPECT: ^  Previous read of size 1 at .* by thread T1:$
 * EXPECT: ^deadheat: 1 race reported \(24 occurrences\)$
 */
#include "known_readers.h"

static void *second(void *unused) {
    look();
    step();
    step();
    end_epoch();
    for (int word = 0; word < WORDS; word++)
        words[word][LATER] = 1;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
