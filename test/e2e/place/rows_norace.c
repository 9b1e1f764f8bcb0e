/* Both threads read all, in epoch after epoch, and write in turn. What is on both sides of a row is somebody else's
 * all the time. */
#include "rows.h"

struct {
    int32_t before, row[ROW], behind;
} apart;
struct {
    int64_t before, row[4], behind;
} wide;
pthread_barrier_t barrier;

static void *first(void *unused) {
    (void)unused;
    for (int n = 0; n < 3; n++) {
        read_all();
        result = read_row(apart.row);
        write_row(wide.row, n);
        pthread_barrier_wait(&barrier);
        write_all(n);
        rows[n] = n;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    for (int n = 0; n < 3; n++) {
        write_all(-n);
        read_all();
        apart.before = n, apart.behind = n;
        wide.before = n, wide.behind = n;
        pthread_barrier_wait(&barrier);
        for (int i = 3; i < ROWS; i++)
            result = rows[(size_t)i * ROW];
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    rows_begin();
    pthread_barrier_init(&barrier, NULL, 2);
    run_two(first, second);
    return 0;
}
