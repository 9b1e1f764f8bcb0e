/* Formatting and messages without stdio: everything is built in a buffer on the stack and written
 * with one system call, so that messages of several threads do not mix. */
#include "rt/base.h"

#include <errno.h>
#include <sys/syscall.h>

struct writer {
    char *to;
    size_t room, used;
};

static void put(struct writer *w, char c) {
    if (w->used + 1 < w->room) w->to[w->used] = c;
    w->used++;
}

static void put_text(struct writer *w, char const *s, size_t length, int width, bool left) {
    if (!left)
        for (int pad = width - (int)length; pad > 0; pad--)
            put(w, ' ');
    for (size_t i = 0; i < length; i++)
        put(w, s[i]);
    if (left)
        for (int pad = width - (int)length; pad > 0; pad--)
            put(w, ' ');
}

static void put_number(struct writer *w, unsigned long long value, unsigned base, bool negative,
                       int width, bool zeros) {
    char digits[24];
    int n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    if (negative && zeros) put(w, '-');
    while (zeros && n + negative < width && n < (int)sizeof digits)
        digits[n++] = '0';
    for (int pad = width - n - negative; !zeros && pad > 0; pad--)
        put(w, ' ');
    if (negative && !zeros) put(w, '-');
    while (n > 0)
        put(w, digits[--n]);
}

size_t dh_vformat(char *to, size_t room, char const *format, va_list args) {
    struct writer w = {to, room, 0};
    for (char const *f = format; *f; f++) {
        if (*f != '%') {
            put(&w, *f);
            continue;
        }
        bool zeros = false, left = false;
        for (f++; *f == '0' || *f == '-'; f++) {
            zeros |= *f == '0';
            left |= *f == '-';
        }
        int width = 0, limit = -1, longs = 0;
        for (; *f >= '0' && *f <= '9'; f++)
            width = width * 10 + (*f - '0');
        if (*f == '.' && f[1] == '*') {
            limit = va_arg(args, int);
            f += 2;
        }
        for (; *f == 'l' || *f == 'z'; f++)
            longs++;
        if (*f == 'd') {
            long long v = longs ? va_arg(args, long) : va_arg(args, int);
            put_number(&w, v < 0 ? 0ull - (unsigned long long)v : (unsigned long long)v, 10, v < 0,
                       width, zeros);
        } else if (*f == 'u' || *f == 'x') {
            unsigned long long v = longs ? va_arg(args, unsigned long) : va_arg(args, unsigned);
            put_number(&w, v, *f == 'u' ? 10 : 16, false, width, zeros);
        } else if (*f == 'p') {
            put_text(&w, "0x", 2, 0, false);
            put_number(&w, (uintptr_t)va_arg(args, void *), 16, false, width, true);
        } else if (*f == 'c') {
            put(&w, (char)va_arg(args, int));
        } else if (*f == 's') {
            char const *s = va_arg(args, char const *);
            if (!s) s = "(none)";
            size_t length = 0;
            while ((limit < 0 || length < (size_t)limit) && s[length])
                length++;
            put_text(&w, s, length, width, left);
        } else if (*f == '%') {
            put(&w, '%');
        } else {
            break;
        }
    }
    if (room > 0) to[w.used < room ? w.used : room - 1] = 0;
    return w.used;
}

size_t dh_format(char *to, size_t room, char const *format, ...) {
    va_list args;
    va_start(args, format);
    size_t n = dh_vformat(to, room, format, args);
    va_end(args);
    return n;
}

void dh_write_all(int fd, char const *text, size_t length) {
    while (length > 0) {
        long n = dh_syscall(SYS_write, (long)fd, text, length, 0l, 0l, 0l);
        if (n == -EINTR || n == -EAGAIN) continue;
        if (n <= 0) return;
        text += n;
        length -= (size_t)n;
    }
}

static void say(char const *format, va_list args) {
    char line[1024];
    size_t used = dh_format(line, sizeof line, "deadheat: ");
    size_t more = dh_vformat(line + used, sizeof line - used - 1, format, args);
    used += more < sizeof line - used - 1 ? more : sizeof line - used - 2;
    line[used++] = '\n';
    dh_write_all(2, line, used);
}

void dh_message(char const *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

void dh_die(char const *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    for (;;)
        dh_syscall(SYS_exit_group, 2l, 0l, 0l, 0l, 0l, 0l);
}
