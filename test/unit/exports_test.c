/* Whatever the libraries of this process export is found where dlsym finds it; what they do not, is not. */
#include "../../src/rt/intercept/exports.c"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

bool dh_same_text(char const *a, char const *b) { return strcmp(a, b) == 0; }

static uint32_t left; /* to dlsym */

static void compare(char const *name) {
    void *function;
    if (!dh_exports_find(name, &function))
        left++;
    else if (function != dlsym(RTLD_NEXT, name))
        fail_msg("%s is found at %p, and by dlsym at %p", name, function, dlsym(RTLD_NEXT, name));
}

static uint32_t compare_all(struct object const *o) {
    uint32_t names = 0;
    for (uint32_t b = 0; b < o->bucket_count; b++)
        for (uint32_t i = o->buckets[b]; i != 0; i = o->chains[i] & 1 ? 0 : i + 1, names++)
            if (ELF64_ST_TYPE(o->symbols[i].st_info) != STT_TLS) compare(o->names + o->symbols[i].st_name);
    return names;
}

/* Data is left to dlsym, and little else. */
static void all_names(void **unused) {
    (void)unused;
    assert_true(dh_exports_begin());
    assert_true(found.count >= 3);
    uint32_t names = 0;
    for (uint32_t o = 0; o < found.count; o++)
        names += compare_all(&objects[o]);
    assert_true(names > 2000);
    assert_true(left < names / 10);
}

/* Of several versions, from a table of pointers, of the kernel's own object as well. */
static void some_names(void **unused) {
    (void)unused;
    static char const *const names[] = {"pthread_cond_wait", "regexec",       "memcpy",      "strlen",
                                        "malloc",            "clock_gettime", "gettimeofday"};
    assert_true(dh_exports_begin());
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function;
        assert_true(dh_exports_find(names[i], &function));
        assert_non_null(function);
        assert_ptr_equal(function, dlsym(RTLD_NEXT, names[i]));
    }
}

static void no_names(void **unused) {
    (void)unused;
    static char const *const names[] = {"", "no_such_function", "mallo", "malloc_", "__vdso_clock_gettime"};
    assert_true(dh_exports_begin());
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function = &function;
        assert_true(dh_exports_find(names[i], &function));
        assert_null(function);
    }
}

int main(void) {
    struct CMUnitTest const tests[] = {cmocka_unit_test(all_names), cmocka_unit_test(some_names),
                                       cmocka_unit_test(no_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
