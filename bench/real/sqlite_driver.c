/* Drives sqlite3: sqlite_driver THREADS ROWS DIRECTORY (which it does not use)
 *
 * Databases in memory, so that nobody sleeps for a file's lock. One connection is shared by all threads,
 * which is what sqlite3's serialised mode is for: each inserts ROWS rows into a table of its own there.
 * In between it fills an index in a database of its own, which shares sqlite3's allocator and page cache
 * with the others. Prints a checksum of the tables, which does not depend on the schedule. */
#include "driver.h"

#include "sqlite3.h"

static sqlite3 *shared;
static int64_t sums[DRIVER_THREADS];

static void check(sqlite3 *db, int result) {
    if (result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE)
        driver_fail("sqlite3: %s", db ? sqlite3_errmsg(db) : sqlite3_errstr(result));
}

static sqlite3 *connect_to(void) {
    sqlite3 *db;
    check(NULL, sqlite3_open_v2(":memory:", &db,
                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX,
                                NULL));
    return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, char const *format, int number) {
    sqlite3_stmt *s;
    char sql[200];
    snprintf(sql, sizeof sql, format, number);
    check(db, sqlite3_prepare_v2(db, sql, -1, &s, NULL));
    return s;
}

/* Runs a prepared statement with up to two parameters; returns the first column of its first row. */
static int64_t run(sqlite3 *db, sqlite3_stmt *s, int64_t first, int64_t second) {
    if (sqlite3_bind_parameter_count(s) > 0) sqlite3_bind_int64(s, 1, first);
    if (sqlite3_bind_parameter_count(s) > 1) sqlite3_bind_int64(s, 2, second);
    int result = sqlite3_step(s);
    check(db, result);
    int64_t value = result == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    return value;
}

static int64_t run_once(sqlite3 *db, char const *format, int number) {
    sqlite3_stmt *s = prepare(db, format, number);
    int64_t value = run(db, s, 0, 0);
    sqlite3_finalize(s);
    return value;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    sqlite3 *own = connect_to();
    run_once(own, "create table words (key integer primary key, value text)", 0);
    run_once(own, "create index by_value on words (value)", 0);
    sqlite3_stmt *write = prepare(shared, "insert into own%d values (?, ?)", me);
    sqlite3_stmt *read = prepare(shared, "select value from shared where key = ?", 0);
    sqlite3_stmt *insert = prepare(own, "insert into words values (?1, hex(?2 * 7919 %% 1009))", 0);
    sqlite3_stmt *search = prepare(own, "select count(*) from words where value = hex(?)", 0);
    int64_t sum = 0;
    for (long i = 0; i < driver_size; i++) {
        sum += run(shared, read, (i * 7919 + me) % 1000, 0);
        run(shared, write, i, sum);
        run(own, insert, i, i);
        sum += run(own, search, i % 1009, 0);
    }
    sqlite3_finalize(write);
    sqlite3_finalize(read);
    sqlite3_finalize(insert);
    sqlite3_finalize(search);
    sums[me] = sum + run_once(own, "select sum(length(value)) from words", 0);
    sqlite3_close(own);
    return NULL;
}

int main(int argc, char **argv) {
    driver_arguments(argc, argv);
    shared = connect_to();
    run_once(shared, "create table shared (key integer primary key, value integer)", 0);
    run_once(shared,
             "with recursive n(i) as (select 0 union all select i + 1 from n where i < 999) "
             "insert into shared select i, i * i %% 1013 from n",
             0);
    for (int t = 0; t < driver_threads; t++)
        run_once(shared, "create table own%d (key integer primary key, value integer)", t);
    driver_run(work);
    int64_t sum = 0;
    for (int t = 0; t < driver_threads; t++)
        sum = sum * 31 + sums[t]
              + run_once(shared, "select sum(key * value %% 1000003) from own%d", t);
    sqlite3_close(shared);
    printf("sqlite3 %d %ld %lld\n", driver_threads, driver_size, (long long)sum);
}
