/* What the tests of reports share. Included once in each. */
#ifndef DEADHEAT_TEST_UNIT_REPORT_TOOLS_H
#define DEADHEAT_TEST_UNIT_REPORT_TOOLS_H

#include "rt/critical.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Critical sections, for the allocator of src/rt/base.c: there is nobody to keep out. */
_Thread_local struct dh_critical __dh_critical;
uint32_t dh_world_stopping;
__attribute__((preserve_most)) void dh_critical_wait(void) {}
__attribute__((preserve_most)) void dh_critical_leave_slow(void) {}

#define UNUSED __attribute__((unused))

UNUSED static void assert_contains(char const *text, char const *part) {
    if (!strstr(text, part)) fail_msg("not found: %s\nin: %s", part, text);
}

UNUSED static void assert_lacks(char const *text, char const *part) {
    if (strstr(text, part)) fail_msg("found: %s\nin: %s", part, text);
}

UNUSED static int count_of(char const *text, char const *part) {
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Moves over one JSON value; null if it is not one. */
UNUSED static char const *json_value(char const *s) {
    if (*s == '{' || *s == '[') {
        char close = *s == '{' ? '}' : ']';
        bool object = *s++ == '{';
        if (*s == close) return s + 1;
        for (;;) {
            if (object) {
                if (*s != '"' || !(s = json_value(s)) || *s++ != ':') return 0;
            }
            if (!(s = json_value(s))) return 0;
            if (*s == close) return s + 1;
            if (*s++ != ',') return 0;
        }
    }
    if (*s == '"') {
        for (s++; *s != '"'; s++) {
            if ((unsigned char)*s < ' ') return 0;
            if (*s != '\\') continue;
            if (*++s == 'u') {
                if (strspn(s + 1, "0123456789abcdef") < 4) return 0;
                s += 4;
            } else if (!*s || !strchr("\"\\/bfnrt", *s)) {
                return 0;
            }
        }
        return s + 1;
    }
    for (char const *const *word = (char const *const[]){"true", "false", "null", 0}; *word; word++)
        if (strncmp(s, *word, strlen(*word)) == 0) return s + strlen(*word);
    size_t digits = strspn(s, "0123456789");
    return digits ? s + digits : 0;
}

#endif
