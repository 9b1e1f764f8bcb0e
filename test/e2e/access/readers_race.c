/* Many readers of one place, in many epochs each; the writer has joined all but one, whose last read of it
 * was long ago, in epochs and in accesses. */
#include "test.h"

enum { READERS = 20, LEFT_OUT = 7, EPOCHS = 200 };

static int word, elsewhere[READERS];
static pthread_mutex_t locks[READERS];

static void *reader(void *number) {
    for (int i = 0; i < EPOCHS; i++) {
        if (i < EPOCHS / 2 || (long)number != LEFT_OUT) CHECK(word == 0);
        elsewhere[(long)number]++;
        pthread_mutex_lock(&locks[(long)number]);
        pthread_mutex_unlock(&locks[(long)number]);
    }
    step();
    return NULL;
}

int main(void) {
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_mutex_init(&locks[i], NULL);
    steps(READERS);
    for (long i = 0; i < READERS; i++)
        readers[i] = spawn(reader, (void *)i);
    for (int i = 0; i < READERS; i++)
        if (i != LEFT_OUT) join(readers[i]);
    word = 1;
    join(readers[LEFT_OUT]);
    return 0;
}
