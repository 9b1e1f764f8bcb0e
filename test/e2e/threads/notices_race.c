/* What is done after something was asked for is not ordered with the call that libc makes when it is done; nor are
 * two such calls. Until the end has been seen, the buffer is not the program's. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "notices.h"

static int missed;
static void expect(char const *name, unsigned long before) {
    if (deadheat_race_count() != before) return;
    fprintf(stderr, "%s: no race is reported\n", name);
    missed++;
}

/* Each with its own variable and code. */
#define DEFINE(name, start)                                                                             \
    int data_##name;                                                                                    \
    static void called_##name(union sigval argument) {                                                  \
        CHECK(argument.sival_ptr == &data_##name);                                                      \
        step();                                                                                         \
        data_##name = 2;                                                                                \
        step();                                                                                         \
    }                                                                                                   \
    static void run_##name(void) {                                                                      \
        unsigned long before = deadheat_race_count();                                                   \
        struct sigevent event = calls(called_##name, &data_##name);                                     \
        start;                                                                                          \
        data_##name = 1;                                                                                \
        step();                                                                                         \
        step();                                                                                         \
        expect(#name, before);                                                                          \
    }
NOTICES(DEFINE)

/* A timer that repeats: each call is another thread. */
static int calls_made;
int data_repeated;
static void repeated(union sigval unused) {
    (void)unused;
    int now = __atomic_fetch_add(&calls_made, 1, __ATOMIC_RELAXED);
    if (now < 2) data_repeated++;
    if (now < 2) step();
}

/* Two timers. */
int data_two;
static void called_first(union sigval unused) {
    (void)unused;
    data_two = 1;
    step();
    step();
}
static void called_second(union sigval unused) {
    (void)unused;
    step();
    data_two = 2;
    step();
}

static void two_calls(void) {
    unsigned long before = deadheat_race_count();
    start_timer(calls(called_first, NULL), 0);
    start_timer(calls(called_second, NULL), 0);
    step();
    step();
    expect("two timers", before);
}

/* The buffer, while it is libc's. */
static struct aiocb unseen;
char volatile unseen_buffer[SIZE];
static void ask(void) {
    unseen = block(file, (char *)unseen_buffer, LIO_READ, (struct sigevent){.sigev_notify = SIGEV_NONE});
    CHECK(aio_read(&unseen) == 0);
}
static void look(void) { CHECK(unseen_buffer[SIZE - 1] == 0); }
static struct case_pair const pairs[] = {{"the buffer", ask, look}};

int main(void) {
    file = new_file();
    steps(2);
#define RUN_ONE(name, start) run_##name();
    NOTICES(RUN_ONE)

    unsigned long before = deadheat_race_count();
    start_timer(calls(repeated, NULL), 1000000);
    step();
    step();
    expect("a timer that repeats", before);

    steps(3);
    two_calls();
    CHECK(missed == 0);
    CASES_RUN(pairs, 1);
    return 0;
}
