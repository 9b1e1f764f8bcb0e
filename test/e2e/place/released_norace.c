/* An access, a release, the same again: the check is not made earlier than what it stands for, nor later than what
 * orders it. */
#include "released.h"

static void *first(void *unused) {
    step();
    at_both(&twice);
    then_jumps(&jumped);
    then_perhaps(&sometimes, 0);
    then_perhaps(&sometimes, 1);
    then_acquires(&acquired);
    then_tries(&tried);
    pthread_mutex_lock(&other); /* only from here on are these its own */
    pthread_mutex_unlock(&other);
    in_rounds(&looped, 3);
    pthread_mutex_lock(&other);
    looped = 2;
    pthread_mutex_unlock(&other);
    step();
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(first, NULL);
    pthread_mutex_lock(&other);
    looped = 1;
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&lock);
    twice = jumped = sometimes = acquired = tried = 1;
    pthread_mutex_unlock(&lock);
    step();
    step();
    pthread_mutex_lock(
        &other); /* after all that came before its release, and the read before that */
    looped = 3;
    pthread_mutex_unlock(&other);
    join(thread);
    return 0;
}
