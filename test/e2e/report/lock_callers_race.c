/* A lock that one function takes for its callers, over and over, with the same frames: where it was taken is told
 * from what called it this time, however far out that is, and so is where the access was.
 * EXPECT: ^  Previous write of size 4 .* by thread T1 \(holding lock M[0-9]+ \(write\)\):$
 * EXPECT: #3 from_there
 * REJECT: from_here
 * REJECT: #[0-9] in_vain
 */
#include "test.h"

static pthread_mutex_t mutex, checking;
int shared;
static int unshared;

/* All of these have a frame of the same size. */
#define FUNCTION __attribute__((noinline)) static void
#define NO_TAIL_CALL __asm__ volatile("")

FUNCTION take(int *p) {
    pthread_mutex_lock(&mutex);
    *p = 1;
    pthread_mutex_unlock(&mutex);
}

FUNCTION innermost(int *p) {
    take(p);
    NO_TAIL_CALL;
}

FUNCTION inner(int *p) {
    innermost(p);
    NO_TAIL_CALL;
}

FUNCTION from_here(int *p) {
    inner(p);
    NO_TAIL_CALL;
}

FUNCTION from_there(int *p) {
    inner(p);
    NO_TAIL_CALL;
}

/* What is not locked after all says nothing about what is locked next. */
FUNCTION in_vain(int *p) {
    CHECK(pthread_mutex_lock(&checking) != 0);
    *p = 1;
    NO_TAIL_CALL;
}

static void *first(void *unused) {
    CHECK(pthread_mutex_lock(&checking) == 0);
    for (int i = 0; i < 10; i++) {
        from_here(&unshared);
        in_vain(&unshared);
    }
    pthread_mutex_unlock(&checking);
    from_there(&shared);
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
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_mutex_init(&mutex, NULL);
    run_two(first, second);
    return 0;
}
