/* Many readers of one place at once, in many epochs each; then a writer that has joined them all; and again
 * from the start. */
#include "test.h"

enum { READERS = 20, ROUNDS = 3, EPOCHS = 200, WORDS = 64 };

static int words[WORDS];
static pthread_mutex_t locks[READERS];

static void *reader(void *number) {
    int sum = 0;
    for (int i = 0; i < EPOCHS; i++) {
        for (int w = 0; w < WORDS; w++)
            sum += words[w];
        pthread_mutex_lock(&locks[(long)number]); /* nobody else's: a new epoch, and no order */
        pthread_mutex_unlock(&locks[(long)number]);
    }
    CHECK(sum % WORDS == 0);
    return NULL;
}

int main(void) {
    for (int i = 0; i < READERS; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t readers[READERS];
        for (long i = 0; i < READERS; i++)
            readers[i] = spawn(reader, (void *)i);
        for (int i = 0; i < READERS; i++)
            join(readers[i]);
        for (int w = 0; w < WORDS; w++)
            words[w] = round;
    }
    return 0;
}
