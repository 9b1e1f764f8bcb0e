/* An access, a release, the same again: the first is checked if the second is not sure to be, or acquires before.
 *
 * EXPECT: #0 at_both
 * EXPECT: #0 then_jumps
 * EXPECT: #0 then_perhaps
 * EXPECT: #0 in_rounds
 * EXPECT: #0 then_acquires
 * EXPECT: #0 then_tries */
#include "released.h"

static void *first(void *unused) {
    step();
    at_both(&twice);
    then_jumps(&jumped);
    then_perhaps(&sometimes, 0);
    in_rounds(&looped, 1);
    return unused;
}

/* Each learns of the writes by `other`, and not before: so each in a thread that has not locked it yet. */
static void *third(void *unused) {
    step();
    then_acquires(&acquired);
    return unused;
}

static void *fourth(void *unused) {
    step();
    then_tries(&tried);
    return unused;
}

int main(void) {
    steps(4);
    pthread_t threads[] = {spawn(first, NULL), spawn(third, NULL), spawn(fourth, NULL)};
    pthread_mutex_lock(&other);
    twice = jumped = sometimes = looped = acquired = tried = 1;
    pthread_mutex_unlock(&other);
    step();
    for (int i = 0; i < 3; i++)
        join(threads[i]);
    return 0;
}
