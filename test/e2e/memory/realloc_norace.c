/* Growing and shrinking, in place and not, with and without mutex; the contents stay. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <string.h>

enum { ROUNDS = 200 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *numbers;
static size_t count;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        numbers = realloc(numbers, ++count * 1000 * sizeof *numbers);
        for (size_t j = 0; j < 1000; j++)
            numbers[(count - 1) * 1000 + j] = (int)((count - 1) * 1000 + j);
        pthread_mutex_unlock(&mutex);
        int *own = malloc(100 * sizeof *own);
        own = realloc(own, 50 * sizeof *own);
        own = reallocarray(own, 1000, sizeof *own);
        own[999] = 1;
        free(own);
    }
    return unused;
}

int main(void) {
    run_two(work, work);
    for (size_t i = 0; i < count * 1000; i++)
        CHECK(numbers[i] == (int)i);
    free(numbers);
    return 0;
}
