/* Lists that libc allocates and frees itself: who reads one, and who frees it. */
#ifndef DEADHEAT_TEST_LISTS_H
#define DEADHEAT_TEST_LISTS_H

#include "access/cases.h"

#include <dirent.h>
#include <glob.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <wordexp.h>

static struct addrinfo *addresses;
static struct ifaddrs *interfaces;
static struct if_nameindex *indices;
static glob_t files;
static wordexp_t words;
static DIR *directory;

#define LISTS(X)                                                                                        \
    X(addresses, local = addresses->ai_family, freeaddrinfo(addresses))                                 \
    X(interfaces, local = interfaces ? interfaces->ifa_name[0] : 0, freeifaddrs(interfaces))            \
    X(indices, local = (int)indices->if_index, if_freenameindex(indices))                               \
    X(files, local = files.gl_pathv[0][0], globfree(&files))                                            \
    X(words, local = words.we_wordv[1][0], wordfree(&words))                                            \
    X(directory, local = dirfd(directory), local = closedir(directory))                                 \
    X(directory_place, seekdir(other_directory, 0); local = 0, local = closedir(other_directory))

static DIR *other_directory;

#define DEFINE(name, use, end)                                                                          \
    static void use_##name(void) {                                                                      \
        int volatile local = 0;                                                                         \
        use;                                                                                            \
        (void)local;                                                                                    \
    }                                                                                                   \
    static void end_##name(void) {                                                                      \
        int volatile local = 0;                                                                         \
        end;                                                                                            \
        (void)local;                                                                                    \
    }
LISTS(DEFINE)

static inline void make_lists(void) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    struct dirent entry, *found;
    struct dirent64 entry64, *found64;
    CHECK(getaddrinfo("127.0.0.1", NULL, &hints, &addresses) == 0);
    CHECK(getifaddrs(&interfaces) == 0 && (indices = if_nameindex()));
    CHECK(glob("/dev/nul?", 0, NULL, &files) == 0 && wordexp("a b", &words, 0) == 0);
    CHECK((directory = opendir("/dev")) && (other_directory = opendir("/dev")));
    CHECK(readdir_r(directory, &entry, &found) == 0 && found == &entry);
    CHECK(readdir64_r(directory, &entry64, &found64) == 0 && found64 == &entry64);
}

#endif
