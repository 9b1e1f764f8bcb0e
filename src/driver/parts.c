#include "driver/parts.h"

#include "config.h"
#include "util/diag.h"
#include "util/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Below the directory of libraries; the others are directories themselves. */
static char const *const names[] = {
    [DH_PART_PLUGIN] = "libdeadheat-plugin.so",
    [DH_PART_RUNTIME] = "libdeadheat.a",
    [DH_PART_RUNTIME_SYMBOLS] = "libdeadheat.syms",
    [DH_PART_SHARED_RUNTIME] = "libdeadheat.so",
};

/* The directory above the one that this command is in, symbolic links resolved. */
static char const *prefix(void) {
    static char path[PATH_MAX];
    if (*path) return path;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        dh_fail("cannot find out where deadheat is: /proc/self/exe: %s", strerror(errno));
    path[length] = '\0';
    for (int levels = 0; levels < 2; levels++) {
        char *slash = strrchr(path, '/');
        if (slash) *slash = '\0';
    }
    return path;
}

/* lib, or what the system calls it: below /usr, Debian has lib/x86_64-linux-gnu. */
static char const *libraries(void) {
    char const *usual = dh_text_format("%s/lib/deadheat", prefix());
    char const *system = dh_text_format("%s/" DH_CONFIG_LIBDIR "/deadheat", prefix());
    return access(usual, F_OK) != 0 && access(system, F_OK) == 0 ? system : usual;
}

static char const *place(enum dh_part part) {
    switch (part) {
    case DH_PART_INCLUDE: return dh_text_format("%s/include", prefix());
    case DH_PART_LIBRARIES: return libraries();
    default: return dh_text_format("%s/%s", libraries(), names[part]);
    }
}

char const *dh_part(enum dh_part part) {
    char const *path = place(part);
    if (access(path, R_OK) != 0)
        dh_fail("a part of deadheat is missing: %s: %s", path, strerror(errno));
    return path;
}

char const *dh_clang(void) {
    char const *chosen = getenv("DEADHEAT_CLANG");
    return chosen && *chosen ? chosen : DH_CONFIG_CLANG;
}
