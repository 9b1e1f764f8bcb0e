/* Two ints in one machine word: one is well locked, and that does not help the other. */
// EXPECT: Location is global 'pair'
// EXPECT: \(struct pair\.b\) by thread T3
#include "test.h"

struct pair {
    int a, b;
};
_Alignas(8) struct pair pair;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count(void) {
    pthread_mutex_lock(&lock);
    pair.a++;
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused) {
    pair.b = 1;
    count();
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    count();
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    pair.b = 2;
    count();
    return unused;
}

int main(void) {
    steps(3);
    pthread_t a = spawn(first, NULL), b = spawn(second, NULL), c = spawn(third, NULL);
    join(a);
    join(b);
    join(c);
    return 0;
}
