/* dl_iterate_phdr shows a library that another thread has loaded: its name was allocated by that thread.
 * FLAGS: -D_GNU_SOURCE
 */
#include "test.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

static void *load(void *unused) {
    void *library = dlopen("libresolv.so.2", RTLD_NOW | RTLD_LOCAL);
    CHECK(library);
    step();
    step();
    CHECK(dlclose(library) == 0);
    return unused;
}

static int look(struct dl_phdr_info *info, size_t size, void *found) {
    char last = 0;
    for (char const *c = info->dlpi_name; *c; c++)
        last = *c;
    if (strstr(info->dlpi_name, "libresolv") && last == '2') *(int *)found += size > 0;
    return 0;
}

static void *iterate(void *unused) {
    int found = 0;
    step();
    CHECK(dl_iterate_phdr(look, &found) == 0 && found == 1);
    step();
    return unused;
}

int main(void) {
    run_two(load, iterate);
    return 0;
}
