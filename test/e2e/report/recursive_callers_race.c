/* A lock that the thread has already begins nothing: what is accessed next, by a call that looks alike as far as the
 * frame beyond the next, is told from its own callers.
 * EXPECT: ^  Previous write of size 4 .* by thread T1
 * EXPECT: #3 from_there
 * REJECT: from_here
 */
#include "test.h"

static pthread_mutex_t recursive;
int shared, first_unshared, second_unshared;

#define FUNCTION __attribute__((noinline)) static void
#define NO_TAIL_CALL __asm__ volatile("")

FUNCTION leaf(int *p) {
    if (!p) {
        pthread_mutex_lock(&recursive);
        pthread_mutex_unlock(&recursive);
    } else {
        *p = 1;
    }
    NO_TAIL_CALL;
}

FUNCTION inner(int *p) {
    leaf(p);
    NO_TAIL_CALL;
}

FUNCTION outer(int *p) {
    inner(p);
    NO_TAIL_CALL;
}

FUNCTION from_here(int *p) {
    outer(p);
    NO_TAIL_CALL;
}

FUNCTION from_there(int *p) {
    outer(p);
    NO_TAIL_CALL;
}

static void *first(void *unused) {
    pthread_mutex_lock(&recursive);
    first_unshared = 1;
    from_here(NULL);
    second_unshared = 1;
    from_there(&shared);
    pthread_mutex_unlock(&recursive);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    shared = 2;
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    run_two(first, second);
    return 0;
}
