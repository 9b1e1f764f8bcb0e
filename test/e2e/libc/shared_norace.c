/* In good order they may; and those that share nothing may be made at any time. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -lm
// LEVELS: -O1
#include "shared.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *in_order(void *second) {
    if (second) step();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        pthread_mutex_lock(&mutex);
        (second ? pairs[i].second : pairs[i].first)();
        pthread_mutex_unlock(&mutex);
    }
    if (!second) step();
    return NULL;
}

/* With memory of one's own. */
static void *apart(void *unused) {
    for (int i = 0; i < 20; i++) {
        struct tm tm;
        char text[64], buffer[2048];
        struct passwd user, *found;
        mbstate_t state = {0};
        wchar_t c;
        unsigned short own[3] = {0};
        unsigned seed = 1;
        locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        CHECK(mine && uselocale(mine));
        CHECK(localtime_r(&moments[0], &tm) && ctime_r(&moments[0], text) && asctime_r(&tm, text));
        CHECK(getpwnam_r("root", &user, buffer, sizeof buffer, &found) == 0);
        CHECK(mbrtowc(&c, "a", 1, &state) == 1 && strcoll("a", "b") < 0);
        KEEP(nl_langinfo(CODESET));
        KEEP(rand_r(&seed) + rand() + (int)random());
        KEEP(nrand48(own));
        KEEP(strerror(i));
        struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *list;
        CHECK(getaddrinfo("127.0.0.1", NULL, &hints, &list) == 0);
        freeaddrinfo(list);
        uselocale(LC_GLOBAL_LOCALE);
        freelocale(mine);
        step();
    }
    return unused;
}

int main(void) {
    prepare();
    steps(2);
    pthread_t a = spawn(in_order, NULL), b = spawn(in_order, &mutex);
    join(a);
    join(b);
    run_two(apart, apart);
    return 0;
}
