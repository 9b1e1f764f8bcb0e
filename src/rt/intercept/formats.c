#include "rt/intercept/formats.h"
#include "rt/base.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <wchar.h>

/* One conversion: %flags width .precision length letter. Numbers of arguments are 0 where the
 * format does not number them. */
struct conversion {
    size_t argument, width_argument, precision_argument;
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

/* A number that names an argument: digits and a $. */
static char const *argument_number(char const *p, size_t *argument) {
    size_t value;
    char const *end = number(p, &value);
    *argument = end > p && *end == '$' ? value : 0;
    return *argument ? end + 1 : p;
}

/* p is behind the %. Returns what follows the conversion. */
static char const *parse(char const *p, bool scanning, struct conversion *c) {
    *c = (struct conversion){.length = NONE};
    p = argument_number(p, &c->argument);
    while (!scanning
           && (*p == '-' || *p == '+' || *p == ' ' || *p == '#' || *p == '0' || *p == '\''))
        p++;
    if (scanning && *p == '*') {
        c->suppressed = true;
        p++;
    }
    if (!scanning && *p == '*') {
        c->star_width = true;
        p = argument_number(p + 1, &c->width_argument);
    } else {
        p = number(p, &c->width);
    }
    if (scanning && *p == 'm') {
        c->allocates = true;
        p++;
    }
    if (!scanning && *p == '.') {
        c->has_precision = true;
        p++;
        if (*p == '*') {
            c->star_precision = true;
            p = argument_number(p + 1, &c->precision_argument);
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

/* What a conversion takes from the list. */
enum taken { NOTHING, INT, WORD, DOUBLE, LONG_FLOAT, POINTER, UNKNOWN };

static enum taken takes(struct conversion const *c) {
    switch (c->letter) {
    case '%':
    case 'm': return NOTHING;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'c':
    case 'C': return integer_size(c) > sizeof(int) ? WORD : INT;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return c->length == LONG_DOUBLE ? LONG_FLOAT : DOUBLE;
    case 'p':
    case 's':
    case 'S':
    case 'n': return POINTER;
    default: return UNKNOWN;
    }
}

/* An argument as far as it matters here: an int or a pointer. */
union value {
    int number;
    void *pointer;
};

static union value take(enum taken type, va_list *list) {
    union value value = {.pointer = 0};
    switch (type) {
    case INT: value.number = va_arg(*list, int); break;
    case WORD: (void)va_arg(*list, long); break;
    case DOUBLE: (void)va_arg(*list, double); break;
    case LONG_FLOAT: (void)va_arg(*list, long double); break;
    case POINTER: value.pointer = va_arg(*list, void *); break;
    default: break;
    }
    return value;
}

static void precision_is(struct conversion *c, int precision) {
    c->has_precision = precision >= 0;
    c->precision = precision < 0 ? 0 : (size_t)precision;
}

static void converts(struct conversion const *c, void *p, struct dh_here here) {
    if (c->letter == 's' || c->letter == 'S') text_read(c, p, here);
    if (c->letter == 'n') dh_range_write(p, integer_size(c), here);
}

/* In the order of the list. */
static void printf_in_order(char const *format, va_list *list, struct dh_here here) {
    for (char const *p = format; *p;) {
        struct conversion c;
        if (*p++ != '%') continue;
        p = parse(p, false, &c);
        if (c.star_width) (void)take(INT, list);
        if (c.star_precision) precision_is(&c, take(INT, list).number);
        enum taken type = takes(&c);
        if (type == UNKNOWN) return;
        converts(&c, take(type, list).pointer, here);
    }
}

/* ---- numbered arguments ---- */

/* More than a format has in practice; POSIX asks for nine. */
enum { NUMBERED = 64 };

static void note(enum taken *types, size_t argument, enum taken type) {
    if (argument > 0 && argument <= NUMBERED) types[argument - 1] = type;
}

/* The list can only be walked from its beginning, and each step needs the type: so first the types,
 * then the values, and then the conversions. An argument that no conversion names ends the walk. */
static void printf_numbered(char const *format, va_list *list, struct dh_here here) {
    enum taken types[NUMBERED] = {NOTHING};
    union value values[NUMBERED] = {{.pointer = 0}};
    struct conversion c;
    for (char const *p = format; *p;) {
        if (*p++ != '%') continue;
        p = parse(p, false, &c);
        note(types, c.width_argument, INT);
        note(types, c.precision_argument, INT);
        note(types, c.argument, takes(&c));
    }
    size_t known = 0;
    for (; known < NUMBERED && types[known] != NOTHING && types[known] != UNKNOWN; known++)
        values[known] = take(types[known], list);
    for (char const *p = format; *p;) {
        if (*p++ != '%') continue;
        p = parse(p, false, &c);
        if (c.argument == 0 || c.argument > known || c.precision_argument > known) continue;
        if (c.precision_argument) precision_is(&c, values[c.precision_argument - 1].number);
        converts(&c, values[c.argument - 1].pointer, here);
    }
}

static bool is_numbered(char const *format, bool scanning) {
    for (char const *p = format; *p;) {
        struct conversion c;
        if (*p++ != '%') continue;
        p = parse(p, scanning, &c);
        if (c.letter != '%') return c.argument != 0;
    }
    return false;
}

void dh_printf_accesses(char const *format, va_list list, struct dh_here here) {
    va_list args;
    va_copy(args, list);
    if (is_numbered(format, false))
        printf_numbered(format, &args, here);
    else
        printf_in_order(format, &args, here);
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

/* All arguments are pointers: the next one, or the one with that number. */
static void *place_of(struct conversion const *c, va_list list, va_list *args) {
    if (c->argument == 0) return va_arg(*args, void *);
    va_list from_start;
    void *place = 0;
    va_copy(from_start, list);
    for (size_t i = 0; i < c->argument && i < NUMBERED; i++)
        place = va_arg(from_start, void *);
    va_end(from_start);
    return place;
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
            void *to = place_of(&c, list, &args);
            if (stored < count || just_stored) dh_range_write(to, integer_size(&c), here);
            continue;
        }
        if (c.letter == 0 || stored >= count) break;
        void *to = place_of(&c, list, &args);
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

/* ---- formats of wide characters ---- */

enum { WIDE_FORMAT = 1024 };

/* Whatever matters here is in ASCII. */
static void narrow(wchar_t const *format, char to[WIDE_FORMAT]) {
    size_t n = 0;
    for (; n < WIDE_FORMAT - 1 && format[n]; n++)
        to[n] = format[n] > 0 && format[n] < 128 ? (char)format[n] : '?';
    to[n] = 0;
}

void dh_wprintf_accesses(wchar_t const *format, va_list list, struct dh_here here) {
    char narrowed[WIDE_FORMAT];
    narrow(format, narrowed);
    dh_printf_accesses(narrowed, list, here);
}

void dh_wscanf_accesses(wchar_t const *format, va_list list, int count, struct dh_here here) {
    char narrowed[WIDE_FORMAT];
    narrow(format, narrowed);
    dh_scanf_accesses(narrowed, list, count, here);
}
