/* Functions on bytes, as ranges. What C lets them access is what is checked: memcmp all bytes,
 * memchr those up to the one found. This file is compiled apart from the rest of the runtime, in
 * which the compiler's own calls of memcpy and memset must not come here.
 */
#include "rt/intercept/intercept.h"

#include <sys/types.h>

static void copies(void *to, void const *from, size_t size, struct dh_here here) {
    dh_range_read(from, size, here);
    dh_range_write(to, size, here);
}

static void compares(void const *a, void const *b, size_t size, struct dh_here here) {
    dh_range_read(a, size, here);
    dh_range_read(b, size, here);
}

/* ---- copy ---- */

INTERCEPT(void *, memcpy, (void *to, void const *from, size_t size)) {
    if (dh_checking()) copies(to, from, size, DH_HERE);
    return REAL(memcpy)(to, from, size);
}

INTERCEPT(void *, memmove, (void *to, void const *from, size_t size)) {
    if (dh_checking()) copies(to, from, size, DH_HERE);
    return REAL(memmove)(to, from, size);
}

INTERCEPT(void *, mempcpy, (void *to, void const *from, size_t size)) {
    if (dh_checking()) copies(to, from, size, DH_HERE);
    return REAL(mempcpy)(to, from, size);
}

INTERCEPT(void, bcopy, (void const *from, void *to, size_t size)) {
    if (dh_checking()) copies(to, from, size, DH_HERE);
    REAL(bcopy)(from, to, size);
}

/* Whole pairs of bytes. */
INTERCEPT(void, swab, (void const *from, void *to, ssize_t size)) {
    if (dh_checking() && size > 0) copies(to, from, (size_t)size & ~(size_t)1, DH_HERE);
    REAL(swab)(from, to, size);
}

/* ---- fill ---- */

INTERCEPT(void *, memset, (void *to, int byte, size_t size)) {
    if (dh_checking()) dh_range_write(to, size, DH_HERE);
    return REAL(memset)(to, byte, size);
}

INTERCEPT(void, bzero, (void *to, size_t size)) {
    if (dh_checking()) dh_range_write(to, size, DH_HERE);
    REAL(bzero)(to, size);
}

INTERCEPT(void, explicit_bzero, (void *to, size_t size)) {
    if (dh_checking()) dh_range_write(to, size, DH_HERE);
    REAL(explicit_bzero)(to, size);
}

/* ---- compare ---- */

INTERCEPT(int, memcmp, (void const *a, void const *b, size_t size)) {
    if (dh_checking()) compares(a, b, size, DH_HERE);
    return REAL(memcmp)(a, b, size);
}

INTERCEPT(int, bcmp, (void const *a, void const *b, size_t size)) {
    if (dh_checking()) compares(a, b, size, DH_HERE);
    return REAL(bcmp)(a, b, size);
}

/* ---- search ---- */

/* The bytes of p up to and including the one found, or all. */
static size_t up_to(void const *p, void const *found, size_t all) {
    return found ? (size_t)((char const *)found - (char const *)p) + 1 : all;
}

INTERCEPT(void *, memchr, (void const *p, int byte, size_t size)) {
    void *found = REAL(memchr)(p, byte, size);
    if (dh_checking()) dh_range_read(p, up_to(p, found, size), DH_HERE);
    return found;
}

INTERCEPT(void *, rawmemchr, (void const *p, int byte)) {
    void *found = REAL(rawmemchr)(p, byte);
    if (dh_checking()) dh_range_read(p, up_to(p, found, 0), DH_HERE);
    return found;
}

INTERCEPT(void *, memrchr, (void const *p, int byte, size_t size)) {
    char *found = REAL(memrchr)(p, byte, size);
    char const *from = found ? found : p;
    if (dh_checking()) dh_range_read(from, size - (size_t)(from - (char const *)p), DH_HERE);
    return found;
}

INTERCEPT(void *, memmem, (void const *p, size_t size, void const *wanted, size_t wanted_size)) {
    char *found = REAL(memmem)(p, size, wanted, wanted_size);
    if (!dh_checking()) return found;
    dh_range_read(p, found ? (size_t)(found - (char const *)p) + wanted_size : size, DH_HERE);
    dh_range_read(wanted, wanted_size, DH_HERE);
    return found;
}

INTERCEPT(void *, memccpy, (void *to, void const *from, int last, size_t size)) {
    if (dh_checking()) copies(to, from, up_to(from, REAL(memchr)(from, last, size), size), DH_HERE);
    return REAL(memccpy)(to, from, last, size);
}

/* ---- with _FORTIFY_SOURCE: the real ones abort if `room` is too small ---- */

INTERCEPT(void *, __memcpy_chk, (void *to, void const *from, size_t size, size_t room)) {
    if (dh_checking() && size <= room) copies(to, from, size, DH_HERE);
    return REAL(__memcpy_chk)(to, from, size, room);
}

INTERCEPT(void *, __memmove_chk, (void *to, void const *from, size_t size, size_t room)) {
    if (dh_checking() && size <= room) copies(to, from, size, DH_HERE);
    return REAL(__memmove_chk)(to, from, size, room);
}

INTERCEPT(void *, __mempcpy_chk, (void *to, void const *from, size_t size, size_t room)) {
    if (dh_checking() && size <= room) copies(to, from, size, DH_HERE);
    return REAL(__mempcpy_chk)(to, from, size, room);
}

INTERCEPT(void *, __memset_chk, (void *to, int byte, size_t size, size_t room)) {
    if (dh_checking() && size <= room) dh_range_write(to, size, DH_HERE);
    return REAL(__memset_chk)(to, byte, size, room);
}

INTERCEPT(void, __explicit_bzero_chk, (void *to, size_t size, size_t room)) {
    if (dh_checking() && size <= room) dh_range_write(to, size, DH_HERE);
    REAL(__explicit_bzero_chk)(to, size, room);
}
