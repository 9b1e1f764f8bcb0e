/* longjmp out of many frames, in two threads, and _setjmp in a loop: nothing is left behind that would make stacks
 * or locks wrong. */
#include "test.h"
#include <setjmp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total;

__attribute__((noinline)) static void dive(jmp_buf back, int depth) {
    int volatile own = depth;
    if (own == 0) longjmp(back, 1);
    dive(back, depth - 1);
    total += own; /* never */
}

static void *work(void *unused) {
    jmp_buf back;
    for (int volatile i = 0; i < 2000; i++) {
        if (setjmp(back) == 0) {
            pthread_mutex_lock(&mutex);
            dive(back, 50);
        } else {
            total++;
            pthread_mutex_unlock(&mutex);
        }
    }
    return unused;
}

int main(void) {
    pthread_t a = spawn(work, 0), b = spawn(work, 0);
    work(0);
    join(a);
    join(b);
    CHECK(total == 6000);
    return 0;
}
