/* In good order; and lists of one's own, many times. */
// FLAGS: -D_GNU_SOURCE -Wno-deprecated-declarations
#include "lists.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define IN_ORDER(name, use, end)                                                                        \
    static void first_##name(void) {                                                                    \
        use_##name();                                                                                   \
        pthread_mutex_lock(&mutex);                                                                     \
        pthread_mutex_unlock(&mutex);                                                                   \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        pthread_mutex_lock(&mutex);                                                                     \
        pthread_mutex_unlock(&mutex);                                                                   \
        end_##name();                                                                                   \
    }
LISTS(IN_ORDER)

static void *own_lists(void *unused) {
    for (int i = 0; i < 20; i++) {
        struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *list;
        struct ifaddrs *all;
        glob_t found;
        wordexp_t expanded;
        CHECK(getaddrinfo("127.0.0.1", NULL, &hints, &list) == 0 && getifaddrs(&all) == 0);
        CHECK(glob("/dev/nul?", 0, NULL, &found) == 0 && wordexp("a b", &expanded, 0) == 0);
        freeaddrinfo(list);
        freeifaddrs(all);
        globfree(&found);
        wordfree(&expanded);
        if_freenameindex(if_nameindex());
    }
    return unused;
}

#define LIST(name, use, end) {#name, first_##name, second_##name},
static struct case_pair const pairs[] = {LISTS(LIST)};

int main(void) {
    make_lists();
    CASES_RUN(pairs, 0);
    run_two(own_lists, own_lists);
    return 0;
}
