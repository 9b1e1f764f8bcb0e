/* One thread becomes another user, which all threads must do, while another makes threads. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <unistd.h>

enum { ROUNDS = 300 };

static void *nothing(void *unused) { return unused; }

static void *creates(void *unused) {
    for (int i = 0; i < ROUNDS; i++)
        join(spawn(nothing, NULL));
    return unused;
}

static void *changes(void *unused) {
    for (int i = 0; i < ROUNDS; i++)
        CHECK(setresuid(-1, geteuid(), -1) == 0);
    return unused;
}

int main(void) {
    pthread_t a = spawn(creates, NULL), b = spawn(changes, NULL);
    join(a);
    join(b);
    return 0;
}
