/* stdio, but for formats (stdio_format.c). */
#include "rt/intercept/stream.h"

/* ---- output ---- */

#define WRITE_ITEMS(name)                                                                       \
    ROW(size_t, name, (void const *p, size_t size, size_t count, FILE *f), (p, size, count, f), \
        READS_BYTES(p, size *count) PUTS(f), )
WRITE_ITEMS(fwrite)
WRITE_ITEMS(fwrite_unlocked)

#define WRITE_TEXT(name) ROW(int, name, (char const *s, FILE *f), (s, f), READS_STRING(s) PUTS(f), )
WRITE_TEXT(fputs)
WRITE_TEXT(fputs_unlocked)
ROW(int, puts, (char const *s), (s), READS_STRING(s) PUTS(stdout), )

#define WRITE_ONE(name) ROW(int, name, (int c, FILE *f), (c, f), PUTS(f), )
WRITE_ONE(fputc)
WRITE_ONE(putc)
WRITE_ONE(_IO_putc)
WRITE_ONE(fputc_unlocked)
WRITE_ONE(putc_unlocked)
ROW(int, putchar, (int c), (c), PUTS(stdout), )
ROW(int, putchar_unlocked, (int c), (c), PUTS(stdout), )
ROW(int, putw, (int w, FILE *f), (w, f), PUTS(f), )

ROW(int, fflush, (FILE * f), (f), if (f){PUTS(f)}, )
ROW(int, fflush_unlocked, (FILE * f), (f), if (f){PUTS(f)}, )

/* ---- input ---- */

#define READ_ITEMS(name)                                                                           \
    ROW(size_t, name, (void *p, size_t size, size_t count, FILE *f), (p, size, count, f), USES(f), \
        GETS(f) WRITES_BYTES(p, size *result))
READ_ITEMS(fread)
READ_ITEMS(fread_unlocked)

#define READ_LINE(name)                                                      \
    ROW(char *, name, (char *to, int room, FILE *f), (to, room, f), USES(f), \
        GETS(f) WRITES_STRING(result))
READ_LINE(fgets)
READ_LINE(fgets_unlocked)

#define READ_ONE(name) ROW(int, name, (FILE * f), (f), USES(f), GETS(f))
READ_ONE(fgetc)
READ_ONE(getc)
READ_ONE(_IO_getc)
READ_ONE(fgetc_unlocked)
READ_ONE(getc_unlocked)
READ_ONE(getw)
ROW(int, getchar, (void), (), USES(stdin), GETS(stdin))
ROW(int, getchar_unlocked, (void), (), USES(stdin), GETS(stdin))
ROW(int, ungetc, (int c, FILE *f), (c, f), USES(f), )

/* The line may be in a new place; how much room it has there is nobody's business. */
#define LINE \
    GETS(f) WRITES(line) WRITES(room) if (result >= 0) WRITES_BYTES(*line, (size_t)result + 1)
ROW(ssize_t, getline, (char **line, size_t *room, FILE *f), (line, room, f), USES(f), LINE)
ROW(ssize_t, getdelim, (char **line, size_t *room, int last, FILE *f), (line, room, last, f),
    USES(f), LINE)
ROW(ssize_t, __getdelim, (char **line, size_t *room, int last, FILE *f), (line, room, last, f),
    USES(f), LINE)

/* ---- streams come and go ---- */

#define OPEN(name)                                                        \
    ROW(FILE *, name, (char const *path, char const *mode), (path, mode), \
        READS_STRING(path) READS_STRING(mode), )
OPEN(fopen)
OPEN(fopen64)
OPEN(popen)
ROW(FILE *, fmemopen, (void *p, size_t size, char const *mode), (p, size, mode),
    READS_STRING(mode), )
/* Where the bytes are, and how many: said at once, and again by fflush and fclose, which is not
 * seen. */
ROW(FILE *, open_memstream, (char **to, size_t *size), (to, size), ,
    if (result){WRITES(to) WRITES(size)})
ROW(FILE *, fdopen, (int fd, char const *mode), (fd, mode), READS_STRING(mode), )
#define OPEN_AGAIN(name)                                                              \
    ROW(FILE *, name, (char const *path, char const *mode, FILE *f), (path, mode, f), \
        READS_STRING(path) READS_STRING(mode) WRITES_BYTES((char *)f, 1) PUTS(f), )
OPEN_AGAIN(freopen)
OPEN_AGAIN(freopen64)

#define CLOSE(name) ROW(int, name, (FILE * f), (f), WRITES_BYTES((char *)f, 1) PUTS(f), )
CLOSE(fclose)
CLOSE(pclose)

/* ---- places ---- */

#define PLACE(type, name) ROW(type, name, (FILE * f), (f), USES(f), )
PLACE(long, ftell)
PLACE(off_t, ftello)
PLACE(off_t, ftello64)
ROW(int, fseek, (FILE * f, long at, int from), (f, at, from), PUTS(f), )
ROW(int, fseeko, (FILE * f, off_t at, int from), (f, at, from), PUTS(f), )
ROW(int, fseeko64, (FILE * f, off_t at, int from), (f, at, from), PUTS(f), )
ROW(int, fgetpos, (FILE * f, fpos_t *at), (f, at), USES(f), WRITES(at))
ROW(int, fsetpos, (FILE * f, fpos_t const *at), (f, at), READS(at) PUTS(f), )

ROW(int, fgetpos64, (FILE * f, fpos64_t *at), (f, at), USES(f), WRITES(at))
ROW(int, fsetpos64, (FILE * f, fpos64_t const *at), (f, at), READS(at) PUTS(f), )
PLACE(int, feof)
PLACE(int, ferror)
PLACE(int, fileno)
PLACE(int, feof_unlocked)
PLACE(int, ferror_unlocked)
PLACE(int, fileno_unlocked)
ROW_VOID(clearerr, (FILE * f), (f), USES(f), )
ROW_VOID(clearerr_unlocked, (FILE * f), (f), USES(f), )
ROW(int, setvbuf, (FILE * f, char *p, int mode, size_t size), (f, p, mode, size), USES(f), )
ROW_VOID(setbuf, (FILE * f, char *p), (f, p), USES(f), )
ROW_VOID(setbuffer, (FILE * f, char *p, size_t size), (f, p, size), USES(f), )
ROW_VOID(setlinebuf, (FILE * f), (f), USES(f), )

INTERCEPT(void, rewind, (FILE * f)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        PUTS(f)
    }
    REAL(rewind)(f);
}

INTERCEPT(void, perror, (char const *s)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS_STRING(s)
    }
    REAL(perror)(s);
}

/* ---- the lock of a stream, where the program holds it itself ---- */

INTERCEPT(void, flockfile, (FILE * f)) {
    REAL(flockfile)(f);
    dh_lock_acquired(f, false, DH_HERE);
}

INTERCEPT(int, ftrylockfile, (FILE * f)) {
    int failed = REAL(ftrylockfile)(f);
    if (!failed) dh_lock_acquired(f, false, DH_HERE);
    return failed;
}

INTERCEPT(void, funlockfile, (FILE * f)) {
    dh_lock_releasing(f);
    REAL(funlockfile)(f);
}

/* ---- with _FORTIFY_SOURCE: the real ones abort if `limit` is too small ---- */

#define READ_ITEMS_CHECKED(name)                                                   \
    ROW(size_t, name, (void *p, size_t limit, size_t size, size_t count, FILE *f), \
        (p, limit, size, count, f), USES(f), GETS(f) WRITES_BYTES(p, size *result))
READ_ITEMS_CHECKED(__fread_chk)
READ_ITEMS_CHECKED(__fread_unlocked_chk)

#define READ_LINE_CHECKED(name)                                                                   \
    ROW(char *, name, (char *to, size_t limit, int room, FILE *f), (to, limit, room, f), USES(f), \
        GETS(f) WRITES_STRING(result))
READ_LINE_CHECKED(__fgets_chk)
READ_LINE_CHECKED(__fgets_unlocked_chk)
