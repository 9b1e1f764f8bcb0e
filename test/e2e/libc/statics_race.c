/* What all threads share inside libc: the environment, and results that the next call overwrites. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <string.h>
#include <time.h>

static time_t now[2] = {1, 2};
static void *volatile kept;

static void set(void) { CHECK(setenv("DEADHEAT_TEST", "1", 1) == 0); }
static void get(void) { kept = getenv("DEADHEAT_TEST"); }
static void convert(void) { kept = localtime(&now[0]); }
static void convert_too(void) { kept = localtime(&now[1]); }
static void print(void) { kept = ctime(&now[0]); }
static void print_too(void) { kept = ctime(&now[1]); }

static char one[] = "a,b", two[] = "c,d";
static void cut(void) { kept = strtok(one, ","); }
static void cut_too(void) { kept = strtok(two, ","); }

static struct case_pair const pairs[] = {
    {"setenv, getenv", set, get},
    {"localtime", convert, convert_too},
    {"strtok", cut, cut_too},
    {"ctime", print, print_too},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
