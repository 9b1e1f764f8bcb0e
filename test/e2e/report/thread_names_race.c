/* Threads by their names, and a thread that was created by another than the main one.
 * EXPECT: by thread T2 'reader-2'
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 'writer-1':$
 * EXPECT: ^  Thread T2 'reader-2' \(tid=[0-9]+, running\) created by thread T1 at:$
 * EXPECT: ^    #[01] writer .*thread_names_race\.c:
 * EXPECT: ^  Thread T1 'writer-1' \(tid=[0-9]+, running\) created by main thread at:$
 */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

int shared;
int volatile seen;

static void *reader(void *unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), "reader-2");
    step();
    seen = shared;
    return NULL;
}

static void *writer(void *unused) {
    (void)unused;
    pthread_t other;
    pthread_setname_np(pthread_self(), "writer-1");
    pthread_create(&other, NULL, reader, NULL);
    shared = 1;
    step();
    pthread_join(other, NULL);
    return NULL;
}

int main(void) {
    steps(2);
    join(spawn(writer, NULL));
    return 0;
}
