/* What was done before something was asked for comes before the call that libc makes when it is done, and before
 * whatever is done by who has seen the end. */
// FLAGS: -D_GNU_SOURCE
#include "notices.h"

#include <sched.h>
#include <semaphore.h>

static sem_t done;

static void no_event(struct sigevent *event) { *event = (struct sigevent){.sigev_notify = SIGEV_NONE}; }

#define DEFINE(name, start)                                                                             \
    int data_##name;                                                                                    \
    static void called_##name(union sigval argument) {                                                  \
        CHECK(argument.sival_ptr == &data_##name);                                                      \
        data_##name++;                                                                                  \
        sem_post(&done);                                                                                \
    }                                                                                                   \
    static void run_##name(void) {                                                                      \
        struct sigevent event = calls(called_##name, &data_##name);                                     \
        data_##name = 1;                                                                                \
        start;                                                                                          \
        CHECK(sem_wait(&done) == 0 && data_##name == 2);                                                \
    }
NOTICES(DEFINE)

/* Set by one who did not make it. */
int data_set;
static timer_t timer;
static void called_when_set(union sigval unused) {
    (void)unused;
    data_set++;
    sem_post(&done);
}
static void *sets(void *unused) {
    struct itimerspec soon = {.it_value.tv_nsec = 1000}, before;
    data_set = 1;
    CHECK(timer_settime(timer, 0, &soon, &before) == 0);
    CHECK(timer_gettime(timer, &before) == 0);
    return unused;
}

/* The stack is the program's, and is used again. */
static char stack[1 << 18] __attribute__((aligned(4096)));
static void called_on_stack(union sigval unused) {
    (void)unused;
    char volatile local[100];
    for (int i = 0; i < 100; i++)
        local[i] = (char)i;
    sem_post(&done);
}

/* The end is seen in each way that there is; the block is used again meanwhile. */
static struct aiocb one, *list[2] = {&one, NULL};
static char data[SIZE];
static int way;
static void asks(void) {
    struct sigevent none;
    no_event(&none);
    memset(data, 'x', SIZE);
    CHECK(pwrite(file, data, SIZE, 0) == SIZE);
    one = block(file, data, LIO_READ, none);
    CHECK((way == 2 ? lio_listio(LIO_WAIT, list, 2, NULL) : aio_read(&one)) == 0);
    if (way == 2) data[0]++;
}
static void sees(void) {
    if (way == 0)
        while (aio_error(&one) == EINPROGRESS)
            sched_yield();
    if (way == 1)
        while (aio_suspend((struct aiocb const *const *)list, 2, NULL) != 0)
            CHECK(errno == EINTR);
    if (way == 3)
        while (aio_error64((struct aiocb64 *)&one) == EINPROGRESS)
            CHECK(aio_suspend64((struct aiocb64 const *const *)list, 2, NULL) == 0 || errno == EINTR);
    if (way != 2) {
        CHECK((way == 3 ? aio_return64((struct aiocb64 *)&one) : aio_return(&one)) == SIZE);
        CHECK(data[SIZE - 1] == 'x');
        data[0]++;
    }
}

/* What comes through a pipe: who reads it comes after who wrote. */
static int ends[2];
static struct aiocb from_pipe;
static char got[SIZE];
int data_pipe;
static void reads_pipe(void) {
    struct sigevent none;
    no_event(&none);
    from_pipe = block(ends[0], got, LIO_READ, none);
    CHECK(aio_read(&from_pipe) == 0);
    data_pipe++;
    CHECK(write(ends[1], "x", 1) == 1);
}
static void sees_pipe(void) {
    while (aio_error(&from_pipe) == EINPROGRESS)
        sched_yield();
    CHECK(aio_return(&from_pipe) == 1 && got[0] == 'x');
    data_pipe++;
}

/* A name. */
int data_name;
static void asks_name(void) {
    struct sigevent none;
    no_event(&none);
    data_name = 1;
    start_lookup(none);
}
static void sees_name(void) {
    struct gaicb const *requests[] = {&looked_up};
    int error;
    while ((error = gai_suspend(requests, 1, NULL)) != 0 && error != EAI_ALLDONE)
        CHECK(error == EAI_INTR);
    CHECK(gai_error(&looked_up) == 0 && looked_up.ar_result->ai_family == AF_INET);
    freeaddrinfo(looked_up.ar_result);
    data_name++;
}

static struct case_pair const seen[] = {{"a block", asks, sees}};
static struct case_pair const pairs[] = {{"a pipe", reads_pipe, sees_pipe}, {"a name", asks_name, sees_name}};

/* A message: who is told of it comes after who sent it. */
static mqd_t queue;
int data_message;
static void told(union sigval argument) {
    char text[8];
    struct mq_attr attributes;
    CHECK(argument.sival_int == 7 && ++data_message == 2);
    CHECK(mq_getattr(queue, &attributes) == 0 && attributes.mq_curmsgs == 1);
    CHECK(mq_receive(queue, text, sizeof text, NULL) == 3);
    sem_post(&done);
}
static void *sends(void *unused) {
    data_message = 1;
    CHECK(mq_send(queue, "hi", 3, 0) == 0);
    return unused;
}

int main(void) {
    file = new_file();
    CHECK(pipe(ends) == 0 && sem_init(&done, 0, 0) == 0);
#define RUN_ONE(name, start) run_##name();
    NOTICES(RUN_ONE)
    NOTICES(RUN_ONE)

    struct sigevent event = calls(called_when_set, NULL);
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    pthread_t thread = spawn(sets, NULL);
    CHECK(sem_wait(&done) == 0);
    join(thread);
    CHECK(timer_delete(timer) == 0);

    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    event = calls(called_on_stack, NULL);
    event.sigev_notify_attributes = &attributes;
    start_timer(event, 0);
    CHECK(sem_wait(&done) == 0);

    queue = new_queue();
    if (queue != (mqd_t)-1) {
        event = calls(told, NULL);
        event.sigev_value.sival_int = 7;
        CHECK(mq_notify(queue, &event) == 0);
        thread = spawn(sends, NULL);
        CHECK(sem_wait(&done) == 0);
        join(thread);
    }

    for (way = 0; way < 4; way++)
        CASES_RUN(seen, 0);
    CASES_RUN(pairs, 0);
    return 0;
}
