/* Drives LMDB: lmdb_driver THREADS ENTRIES DIRECTORY
 *
 * The main thread fills a database with ENTRIES entries. Then one thread writes as many more, in small
 * transactions, while the others read the first ones at random, each in read transactions. Prints a
 * checksum of what was read and of what is there at the end, which does not depend on the schedule. */
#include "driver.h"

#include "lmdb.h"

static MDB_env *environment;
static MDB_dbi table;
static uint64_t sums[256];

static void check(int result) {
    if (result) driver_fail("lmdb: %s", mdb_strerror(result));
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void write_entries(uint64_t from, uint64_t to) {
    enum { BATCH = 50 };
    for (uint64_t i = from; i < to; i += BATCH) {
        MDB_txn *txn;
        check(mdb_txn_begin(environment, NULL, 0, &txn));
        for (uint64_t j = i; j < to && j < i + BATCH; j++) {
            uint64_t k = mix(j), words[8];
            for (int w = 0; w < 8; w++)
                words[w] = mix(k + (uint64_t)w);
            MDB_val key = {sizeof k, &k}, value = {sizeof words, words};
            check(mdb_put(txn, table, &key, &value, 0));
        }
        check(mdb_txn_commit(txn));
    }
}

static uint64_t read_entries(uint64_t seed, uint64_t count) {
    enum { BATCH = 20 };
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i += BATCH) {
        MDB_txn *txn;
        check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &txn));
        for (uint64_t j = 0; j < BATCH; j++) {
            uint64_t k = mix((seed + mix(i + j)) % (uint64_t)driver_size), words[8];
            MDB_val key = {sizeof k, &k}, value;
            check(mdb_get(txn, table, &key, &value));
            memcpy(words, value.mv_data, sizeof words);
            sum += words[j % 8];
        }
        mdb_txn_abort(txn);
    }
    return sum;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    uint64_t n = (uint64_t)driver_size;
    if (me == 0)
        write_entries(n, 2 * n);
    else
        sums[me] = read_entries((uint64_t)me, 4 * n);
    return NULL;
}

int main(int argc, char **argv) {
    driver_arguments(argc, argv);
    driver_remove("data.mdb");
    driver_remove("lock.mdb");
    check(mdb_env_create(&environment));
    check(mdb_env_set_mapsize(environment, (size_t)1 << 30));
    check(mdb_env_open(environment, driver_directory, MDB_NOSYNC, 0644));
    MDB_txn *txn;
    check(mdb_txn_begin(environment, NULL, 0, &txn));
    check(mdb_dbi_open(txn, NULL, 0, &table));
    check(mdb_txn_commit(txn));
    write_entries(0, (uint64_t)driver_size);
    driver_run(work);
    uint64_t sum = 0;
    for (int t = 0; t < driver_threads; t++)
        sum = mix(sum + sums[t]);
    check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &txn));
    MDB_cursor *cursor;
    MDB_val key, value;
    check(mdb_cursor_open(txn, table, &cursor));
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
        uint64_t word;
        memcpy(&word, value.mv_data, sizeof word);
        sum = mix(sum + word);
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    mdb_env_close(environment);
    printf("lmdb %d %ld %016llx\n", driver_threads, driver_size, (unsigned long long)sum);
}
