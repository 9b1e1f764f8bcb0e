/* A home-made mutex: what it does inside is not looked at, and it orders. */
#include "annotate/mutex.h"

static struct mutex mutex;
int shared, ranged[4];

/* Gives up two levels at once and takes them again, as a condition variable would. */
static void wait_recursively(struct mutex *m) {
    __tsan_mutex_pre_lock(m, __tsan_mutex_write_reentrant);
    __tsan_mutex_post_lock(m, __tsan_mutex_write_reentrant, 0);
    int levels = __tsan_mutex_pre_unlock(m, __tsan_mutex_recursive_unlock);
    CHECK(levels == 2);
    __tsan_mutex_pre_divert(m, 0);
    __tsan_mutex_post_divert(m, 0);
    __tsan_mutex_post_unlock(m, __tsan_mutex_recursive_unlock);
    __tsan_mutex_pre_lock(m, __tsan_mutex_recursive_lock);
    __tsan_mutex_post_lock(m, __tsan_mutex_recursive_lock, levels);
    __tsan_mutex_pre_unlock(m, 0);
    __tsan_mutex_post_unlock(m, 0);
}

static void *first(void *unused) {
    for (int i = 0; i < 1000; i++) {
        mutex_lock(&mutex);
        shared++;
        __tsan_write_range(ranged, sizeof ranged);
        __tsan_write4(&ranged[1]);
        __tsan_unaligned_read4((char *)&ranged[1] + 1);
        if (i == 500) wait_recursively(&mutex);
        mutex_unlock(&mutex, 0);
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < 1000;) {
        if (!mutex_try(&mutex, 0)) continue;
        shared++;
        __tsan_read_range(ranged, sizeof ranged);
        mutex_unlock(&mutex, 0);
        i++;
    }
    return unused;
}

int main(void) {
    __tsan_mutex_create(&mutex, __tsan_mutex_linker_init);
    pthread_t a = spawn(first, 0), b = spawn(second, 0);
    join(a);
    join(b);
    CHECK(shared == 2000);
    __tsan_check_no_mutexes_held();
    __tsan_mutex_destroy(&mutex, 0);
    __tsan_flush_memory();
    int word;
    __tsan_release(&word);
    __tsan_acquire(&word);
    return 0;
}
