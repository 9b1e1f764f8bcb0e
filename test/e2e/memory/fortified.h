/* Calls that the compiler makes into __memcpy_chk and its like, because it knows the room but not the size. */
#include "test.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS(X)                                                                                        \
    X(memcpy(to, from, length)) X(memmove(to, from, length)) X(memset(to, 1, length))                    \
    X(mempcpy(to, from, length)) X(explicit_bzero(to, length)) X(strcpy(to, from)) X(stpcpy(to, from))   \
    X(strncpy(to, from, length)) X(stpncpy(to, from, length)) X(strcat(to, from))                        \
    X(strncat(to, from, length))

char to[64], from[64] = "hello";
size_t volatile length_given = 5;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int which;

static void call(size_t length) {
    int number = 0;
#define CALL(expression)                                                                                \
    if (which == number++) (void)expression;
    CALLS(CALL)
}

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    call(length_given);
    pthread_mutex_unlock(&mutex);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    if (FORTIFIED_ORDERED) pthread_mutex_lock(&mutex);
    to[4]++;
    if (FORTIFIED_ORDERED) pthread_mutex_unlock(&mutex);
    return unused;
}

#define COUNT(expression) +1
enum { HOW_MANY = 0 CALLS(COUNT) };

int main(void) {
    for (which = 0; which < HOW_MANY; which++) {
        pid_t pid = fork();
        if (pid == 0) {
            run_two(first, second);
            exit(0);
        }
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == (FORTIFIED_ORDERED ? 0 : 66));
    }
    return FORTIFIED_ORDERED ? 0 : 66;
}
