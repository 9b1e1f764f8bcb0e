/* Far more mutexes than 64, all held at once. */
#ifndef DEADHEAT_TEST_MANY_LOCKS_H
#define DEADHEAT_TEST_MANY_LOCKS_H

#include "test.h"

enum { LOCKS = 2000 };
static pthread_mutex_t locks[LOCKS];

static inline void make_all(void) {
    for (int i = 0; i < LOCKS; i++)
        CHECK(pthread_mutex_init(&locks[i], NULL) == 0);
}
/* Each but one. */
static inline void lock_all(int but) {
    for (int i = 0; i < LOCKS; i++)
        if (i != but) pthread_mutex_lock(&locks[i]);
}
static inline void unlock_all(int but) {
    for (int i = 0; i < LOCKS; i++)
        if (i != but) pthread_mutex_unlock(&locks[i]);
}

#endif
