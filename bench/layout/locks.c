/* Transfers between accounts, two threads, two mutexes a transfer: locks TRANSFERS
 * Fields of several sizes share the eight-byte words of an account, as in most structs. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACCOUNTS = 10000, THREADS = 2 };

static struct account {
    pthread_mutex_t lock;
    int number, balance;
    int operations, flags;
    long total;
    char name[16];
} * accounts;
static int transfers = 300000;

static unsigned next(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 8;
}

static void *work(void *argument) {
    unsigned state = *(unsigned *)argument;
    for (int i = 0; i < transfers; i++) {
        unsigned a = next(&state) % ACCOUNTS, b = next(&state) % ACCOUNTS;
        if (a == b) continue;
        struct account *from = &accounts[a < b ? a : b], *to = &accounts[a < b ? b : a];
        pthread_mutex_lock(&from->lock);
        pthread_mutex_lock(&to->lock);
        from->balance -= 1;
        to->balance += 1;
        from->operations++;
        to->operations++;
        from->total += i;
        to->flags ^= 1;
        from->name[i & 15] = 'x';
        pthread_mutex_unlock(&to->lock);
        pthread_mutex_unlock(&from->lock);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    long sum = 0, operations = 0;
    if (argc > 1) transfers = atoi(argv[1]);
    accounts = calloc(ACCOUNTS, sizeof *accounts);
    if (!accounts) return 1;
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&accounts[i].lock, NULL);
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = (unsigned)i * 7919 + 1;
        if (pthread_create(&threads[i], NULL, work, &seeds[i]) != 0) return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        sum += accounts[i].balance;
        operations += accounts[i].operations;
    }
    printf("%ld %ld\n", sum, operations);
    return 0;
}
