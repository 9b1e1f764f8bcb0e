/* Drives sqlite3: sqlite_driver THREADS ROWS DIRECTORY
 *
 * One database file with a write-ahead log, a connection a thread. Each thread inserts ROWS rows into a
 * table of its own, ten a transaction, and reads a table that all share in between. Prints a checksum of
 * the tables, which does not depend on the schedule. */
#include "driver.h"

#include "sqlite3.h"

static char path[4096];

static void check(sqlite3 *db, int result) {
    if (result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE)
        driver_fail("sqlite3: %s", db ? sqlite3_errmsg(db) : sqlite3_errstr(result));
}

static void execute(sqlite3 *db, char const *sql) {
    check(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
}

static sqlite3 *connect_to(void) {
    sqlite3 *db;
    check(NULL, sqlite3_open(path, &db));
    sqlite3_busy_timeout(db, 60000);
    execute(db, "pragma synchronous = off");
    return db;
}

static int64_t number(sqlite3 *db, char const *sql) {
    sqlite3_stmt *s;
    check(db, sqlite3_prepare_v2(db, sql, -1, &s, NULL));
    check(db, sqlite3_step(s));
    int64_t value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return value;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    sqlite3 *db = connect_to();
    sqlite3_stmt *insert, *read;
    char sql[100];
    snprintf(sql, sizeof sql, "insert into own%d values (?, ?)", me);
    check(db, sqlite3_prepare_v2(db, sql, -1, &insert, NULL));
    check(db, sqlite3_prepare_v2(db, "select value from shared where key = ?", -1, &read, NULL));
    int64_t sum = 0;
    for (long i = 0; i < driver_size; i++) {
        if (i % 10 == 0) execute(db, "begin immediate");
        sqlite3_bind_int64(read, 1, (i * 7919 + me) % 1000);
        check(db, sqlite3_step(read));
        sum += sqlite3_column_int64(read, 0);
        sqlite3_reset(read);
        sqlite3_bind_int64(insert, 1, i);
        sqlite3_bind_int64(insert, 2, sum);
        check(db, sqlite3_step(insert));
        sqlite3_reset(insert);
        if (i % 10 == 9 || i == driver_size - 1) execute(db, "commit");
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(read);
    sqlite3_close(db);
    return NULL;
}

int main(int argc, char **argv) {
    driver_arguments(argc, argv);
    snprintf(path, sizeof path, "%s/database", driver_directory);
    driver_remove("database");
    driver_remove("database-wal");
    driver_remove("database-shm");
    sqlite3 *db = connect_to();
    execute(db, "pragma journal_mode = wal");
    execute(db, "create table shared (key integer primary key, value integer)");
    execute(db, "with recursive n(i) as (select 0 union all select i + 1 from n where i < 999) "
                "insert into shared select i, i * i % 1013 from n");
    char sql[200];
    for (int t = 0; t < driver_threads; t++) {
        snprintf(sql, sizeof sql, "create table own%d (key integer primary key, value integer)", t);
        execute(db, sql);
    }
    driver_run(work);
    int64_t sum = 0;
    for (int t = 0; t < driver_threads; t++) {
        snprintf(sql, sizeof sql, "select sum(key * value %% 1000003) from own%d", t);
        sum = sum * 31 + number(db, sql);
    }
    sqlite3_close(db);
    printf("sqlite3 %d %ld %lld\n", driver_threads, driver_size, (long long)sum);
}
