/* From one code for characters to another. A conversion that remembers where it stands does so in
 * memory of the program's, or, if it is given none, in one place for all threads. */
#include "rt/intercept/table.h"

#include <iconv.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

/* ---- iconv: what is used of the one buffer and of the other ---- */

ROW(iconv_t, iconv_open, (char const *to, char const *from), (to, from),
    READS_STRING(to) READS_STRING(from), )
ROW(int, iconv_close, (iconv_t way), (way), WRITES_BYTES(way, 1), )

INTERCEPT(size_t, iconv, (iconv_t way, char **in, size_t *in_left, char **out, size_t *out_left)) {
    struct dh_here here = DH_HERE;
    char *from = in ? *in : 0, *to = out ? *out : 0;
    size_t result = REAL(iconv)(way, in, in_left, out, out_left);
    if (!dh_checking()) return result;
    WRITES_BYTES(way, 1)
    if (from) {
        WRITES(in)
        WRITES(in_left)
        READS_BYTES(from, (size_t)(*in - from))
    }
    if (to) {
        WRITES(out)
        WRITES(out_left)
        WRITES_BYTES(to, (size_t)(*out - to))
    }
    return result;
}

/* ---- one character ---- */

static mbstate_t of_mbrtowc, of_mbrlen, of_wcrtomb, of_mbsrtowcs, of_wcsrtombs;
static mbstate_t of_mbrtoc16, of_mbrtoc32, of_c16rtomb, of_c32rtomb;
static char of_mbtowc, of_wctomb, of_mblen;

#define FAILED ((size_t)-2) /* or -1; anything less is a number of bytes */
#define STATE(given, otherwise) WRITES(given ? given : &otherwise)

static size_t bytes_read(size_t result, size_t room) { return result < FAILED ? result : room; }

ROW(size_t, mbrtowc, (wchar_t * to, char const *from, size_t room, mbstate_t *state),
    (to, from, room, state), STATE(state, of_mbrtowc),
    READS_BYTES(from, bytes_read(result, room) + (result == 0)) if (from && result < FAILED)
        WRITES(to))
ROW(size_t, mbrlen, (char const *from, size_t room, mbstate_t *state), (from, room, state),
    STATE(state, of_mbrlen), READS_BYTES(from, bytes_read(result, room) + (result == 0)))
ROW(size_t, wcrtomb, (char *to, wchar_t c, mbstate_t *state), (to, c, state),
    STATE(state, of_wcrtomb), if (result < FAILED) WRITES_BYTES(to, result))
ROW(int, mbtowc, (wchar_t * to, char const *from, size_t room), (to, from, room),
    WRITES(&of_mbtowc),
    READS_BYTES(from, result < 0 ? room : (size_t)result + (result == 0)) if (from && result >= 0)
        WRITES(to))
ROW(int, wctomb, (char *to, wchar_t c), (to, c), WRITES(&of_wctomb),
    if (result > 0) WRITES_BYTES(to, (size_t)result))
ROW(int, mblen, (char const *from, size_t room), (from, room), WRITES(&of_mblen),
    READS_BYTES(from, result < 0 ? room : (size_t)result + (result == 0)))

/* Of what takes two characters of 16 bits the second comes without a byte being read (-3). */
#define SECOND ((size_t)-3)
#define TO_UNICODE(name, type, of_state)                                                          \
    ROW(size_t, name, (type * to, char const *from, size_t room, mbstate_t *state),               \
        (to, from, room, state), STATE(state, of_state),                                          \
        if (result != SECOND) READS_BYTES(from, bytes_read(result, room)                          \
                                                    + (result == 0)) if (from && result < FAILED) \
            WRITES(to))
TO_UNICODE(mbrtoc16, char16_t, of_mbrtoc16)
TO_UNICODE(mbrtoc32, char32_t, of_mbrtoc32)
#define FROM_UNICODE(name, type, of_state)                                  \
    ROW(size_t, name, (char *to, type c, mbstate_t *state), (to, c, state), \
        STATE(state, of_state), if (result < FAILED) WRITES_BYTES(to, result))
FROM_UNICODE(c16rtomb, char16_t, of_c16rtomb)
FROM_UNICODE(c32rtomb, char32_t, of_c32rtomb)

/* ---- strings, from where a pointer points and up to where it points afterwards ---- */

static size_t text_size(wchar_t const *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return (n < limit ? n + 1 : limit) * sizeof *s;
}

static size_t string_size(char const *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n < limit ? n + 1 : limit;
}

/* A null is put at the end if there is room; the pointer is null then. It stays as it was where
 * nothing is stored. */
#define UNPACK(...) __VA_ARGS__
#define CONVERT_WITHIN(name, to_type, from_type, size_of, of_state, limits, limit_arguments, \
                       limit, last, last_argument)                                           \
    INTERCEPT(size_t, name,                                                                  \
              (to_type * to, from_type const **from, UNPACK limits size_t room,              \
               mbstate_t *state UNPACK last)) {                                              \
        struct dh_here here = DH_HERE;                                                       \
        from_type const *start = *from;                                                      \
        size_t result =                                                                      \
            REAL(name)(to, from, UNPACK limit_arguments room, state UNPACK last_argument);   \
        if (!dh_checking()) return result;                                                   \
        bool whole = !to || !*from;                                                          \
        size_t used = (size_t)((char const *)*from - (char const *)start);                   \
        STATE(state, of_state)                                                               \
        READS(from)                                                                          \
        READS_BYTES(start, whole ? size_of(start, limit) : used)                             \
        if (to && result < FAILED) {                                                         \
            WRITES(from)                                                                     \
            WRITES_BYTES(to, (*from ? result : result + 1) * sizeof *to)                     \
        }                                                                                    \
        return result;                                                                       \
    }
#define CONVERT(...) CONVERT_WITHIN(__VA_ARGS__, (), ())
/* With _FORTIFY_SOURCE: the real ones abort if there is no room. */
#define CONVERT_CHECKED(...) CONVERT_WITHIN(__VA_ARGS__, (, size_t space), (, space))
CONVERT(mbsrtowcs, wchar_t, char, string_size, of_mbsrtowcs, (), (), SIZE_MAX)
CONVERT(wcsrtombs, char, wchar_t, text_size, of_wcsrtombs, (), (), SIZE_MAX)
CONVERT(mbsnrtowcs, wchar_t, char, string_size, of_mbsrtowcs, (size_t limit, ), (limit, ), limit)
CONVERT(wcsnrtombs, char, wchar_t, text_size, of_wcsrtombs, (size_t limit, ), (limit, ), limit)
CONVERT_CHECKED(__mbsrtowcs_chk, wchar_t, char, string_size, of_mbsrtowcs, (), (), SIZE_MAX)
CONVERT_CHECKED(__wcsrtombs_chk, char, wchar_t, text_size, of_wcsrtombs, (), (), SIZE_MAX)
CONVERT_CHECKED(__mbsnrtowcs_chk, wchar_t, char, string_size, of_mbsrtowcs, (size_t limit, ),
                (limit, ), limit)
CONVERT_CHECKED(__wcsnrtombs_chk, char, wchar_t, text_size, of_wcsrtombs, (size_t limit, ),
                (limit, ), limit)
ROW(size_t, __wcrtomb_chk, (char *to, wchar_t c, mbstate_t *state, size_t space),
    (to, c, state, space), STATE(state, of_wcrtomb), if (result < FAILED) WRITES_BYTES(to, result))
ROW(int, __wctomb_chk, (char *to, wchar_t c, size_t space), (to, c, space), WRITES(&of_wctomb),
    if (result > 0) WRITES_BYTES(to, (size_t)result))
