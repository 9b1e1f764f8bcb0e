#include "rt/intercept/formats.h"
#include "rt/base.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <wchar.h>

/* One conversion: %flags width .precision length letter. */
struct conversion {
    bool suppressed; /* scanf's * */
    bool allocates;  /* scanf's m */
    bool star_width, star_precision;
    bool has_precision;
    size_t width; /* 0: none */
    size_t precision;
    enum { NONE, CHAR, SHORT, LONG, LONG_LONG, LONG_DOUBLE, INTMAX, SIZE, PTRDIFF } length;
    char letter; /* 0: not understood */
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char const *number(char const *p, size_t *value) {
    for (*value = 0; is_digit(*p); p++)
        if (*value < SIZE_MAX / 20) *value = *value * 10 + (size_t)(*p - '0');
    return p;
}

static char const *length_of(char const *p, struct conversion *c) {
    switch (*p) {
    case 'h': c->length = p[1] == 'h' ? CHAR : SHORT; return p + (p[1] == 'h' ? 2 : 1);
    case 'l': c->length = p[1] == 'l' ? LONG_LONG : LONG; return p + (p[1] == 'l' ? 2 : 1);
    case 'q': c->length = LONG_LONG; return p + 1;
    case 'L': c->length = LONG_DOUBLE; return p + 1;
    case 'j': c->length = INTMAX; return p + 1;
    case 'z':
    case 'Z': c->length = SIZE; return p + 1;
    case 't': c->length = PTRDIFF; return p + 1;
    default: return p;
    }
}

/* p is behind the %. Returns what follows the conversion. */
static char const *parse(char const *p, bool scanning, struct conversion *c) {
    *c = (struct conversion){.length = NONE};
    while (!scanning
           && (*p == '-' || *p == '+' || *p == ' ' || *p == '#' || *p == '0' || *p == '\''))
        p++;
    if (scanning && *p == '*') {
        c->suppressed = true;
        p++;
    }
    if (!scanning && *p == '*') {
        c->star_width = true;
        p++;
    } else {
        p = number(p, &c->width);
    }
    if (*p == '$') return p; /* numbered: letter stays 0 */
    if (scanning && *p == 'm') {
        c->allocates = true;
        p++;
    }
    if (!scanning && *p == '.') {
        c->has_precision = true;
        p++;
        if (*p == '*') {
            c->star_precision = true;
            p++;
        } else {
            p = number(p, &c->precision);
        }
    }
    p = length_of(p, c);
    c->letter = *p;
    if (*p == 0) return p;
    if (scanning && *p == '[') {
        p++;
        if (*p == '^') p++;
        if (*p == ']') p++;
        while (*p && *p != ']')
            p++;
        if (*p == 0) {
            c->letter = 0;
            return p;
        }
    }
    return p + 1;
}

static size_t integer_size(struct conversion const *c) {
    switch (c->length) {
    case CHAR: return sizeof(char);
    case SHORT: return sizeof(short);
    case LONG: return sizeof(long);
    case LONG_LONG:
    case LONG_DOUBLE: return sizeof(long long);
    case INTMAX: return sizeof(intmax_t);
    case SIZE: return sizeof(size_t);
    case PTRDIFF: return sizeof(ptrdiff_t);
    default: return sizeof(int);
    }
}

static size_t wide_length(wchar_t const *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

static size_t narrow_length(char const *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

/* ---- printf ---- */

/* Up to the terminating null, or as much as the precision allows. */
static void text_read(struct conversion const *c, void const *s, struct dh_here here) {
    size_t limit = c->has_precision ? c->precision : SIZE_MAX;
    bool wide = c->length == LONG || c->letter == 'S';
    if (!s) return;
    size_t n = wide ? wide_length(s, limit) : narrow_length(s, limit);
    if (n < limit) n++;
    dh_range_read(s, wide ? n * sizeof(wchar_t) : n, here);
}

void dh_printf_accesses(char const *format, va_list list, struct dh_here here) {
    va_list args;
    va_copy(args, list);
    for (char const *p = format; *p;) {
        struct conversion c;
        if (*p++ != '%') continue;
        p = parse(p, false, &c);
        if (c.star_width) (void)va_arg(args, int);
        if (c.star_precision) {
            int precision = va_arg(args, int);
            c.has_precision = precision >= 0;
            c.precision = precision < 0 ? 0 : (size_t)precision;
        }
        switch (c.letter) {
        case '%':
        case 'm': continue;
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
        case 'c':
        case 'C': /* a word each, whatever its size: the same place for all */
            if (integer_size(&c) > sizeof(int))
                (void)va_arg(args, long);
            else
                (void)va_arg(args, int);
            continue;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            if (c.length == LONG_DOUBLE)
                (void)va_arg(args, long double);
            else
                (void)va_arg(args, double);
            continue;
        case 'p': (void)va_arg(args, void *); continue;
        case 's':
        case 'S': text_read(&c, va_arg(args, void *), here); continue;
        case 'n': dh_range_write(va_arg(args, void *), integer_size(&c), here); continue;
        default: break;
        }
        break; /* not understood */
    }
    va_end(args);
}

/* ---- scanf ---- */

static size_t floating_size(struct conversion const *c) {
    if (c->length == LONG_DOUBLE || c->length == LONG_LONG) return sizeof(long double);
    return c->length == LONG ? sizeof(double) : sizeof(float);
}

static void text_written(struct conversion const *c, void *p, struct dh_here here) {
    bool wide = c->length == LONG || c->letter == 'S' || c->letter == 'C';
    size_t unit = wide ? sizeof(wchar_t) : 1, n;
    if (c->allocates) {
        dh_range_write(p, sizeof(void *), here);
        p = *(void **)p;
    }
    if (c->letter == 'c' || c->letter == 'C')
        n = c->width ? c->width : 1;
    else
        n = (wide ? wide_length(p, SIZE_MAX) : narrow_length(p, SIZE_MAX)) + 1;
    dh_range_write(p, n * unit, here);
}

void dh_scanf_accesses(char const *format, va_list list, int count, struct dh_here here) {
    va_list args;
    va_copy(args, list);
    int stored = 0;
    bool just_stored = false; /* nothing can have failed since */
    for (char const *p = format; *p;) {
        struct conversion c;
        if (*p++ != '%') {
            just_stored = false;
            continue;
        }
        p = parse(p, true, &c);
        if (c.letter == '%' || c.suppressed) {
            just_stored = false;
            continue;
        }
        if (c.letter == 'n') {
            void *to = va_arg(args, void *);
            if (stored < count || just_stored) dh_range_write(to, integer_size(&c), here);
            continue;
        }
        if (c.letter == 0 || stored >= count) break;
        void *to = va_arg(args, void *);
        switch (c.letter) {
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X': dh_range_write(to, integer_size(&c), here); break;
        case 'p': dh_range_write(to, sizeof(void *), here); break;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G': dh_range_write(to, floating_size(&c), here); break;
        case 's':
        case 'S':
        case 'c':
        case 'C':
        case '[': text_written(&c, to, here); break;
        default: stored = count; /* not understood: the end */
        }
        stored++;
        just_stored = true;
    }
    va_end(args);
}
