/* What is done after that is not ordered; and no stream is to be closed while another thread uses it. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "streams.h"

#define CASE(name, send, receive)                                                                       \
    static void first_##name(void) {                                                                    \
        send_##name();                                                                                  \
        data_##name = 1;                                                                                \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        receive_##name();                                                                               \
        data_##name++;                                                                                  \
    }
STREAMS(CASE)
STANDARD(CASE)

static __thread long volatile kept;
static __thread fpos_t place;
#define USES(X)                                                                                         \
    X(feof, kept = feof(f))                                                                             \
    X(ferror, kept = ferror(f))                                                                         \
    X(fileno, kept = fileno(f))                                                                         \
    X(clearerr, clearerr(f); kept = 0)                                                                  \
    X(ftell, kept = ftell(f))                                                                           \
    X(ftello, kept = ftello(f))                                                                         \
    X(ftello64, kept = ftello64(f))                                                                     \
    X(fseek, kept = fseek(f, 0, SEEK_SET))                                                              \
    X(fseeko, kept = fseeko(f, 0, SEEK_SET))                                                            \
    X(fseeko64, kept = fseeko64(f, 0, SEEK_SET))                                                        \
    X(rewind, rewind(f); kept = 0)                                                                      \
    X(fgetpos, kept = fgetpos(f, &place))                                                               \
    X(setvbuf, kept = setvbuf(f, NULL, _IONBF, 0))                                                      \
    X(setbuf, setbuf(f, NULL); kept = 0)                                                                \
    X(ungetc, kept = ungetc('x', f))
#define DEFINE_USE(name, call)                                                                          \
    static FILE *f_##name;                                                                              \
    static void use_##name(void) {                                                                      \
        FILE *f = f_##name;                                                                             \
        call;                                                                                           \
    }                                                                                                   \
    static void close_##name(void) { kept = fclose(f_##name); }
USES(DEFINE_USE)

/* Its lock can be held by the program, but who does not ask for it is not kept out. */
static FILE *locked;
int data_locked;
static void locks(void) {
    flockfile(locked);
    data_locked = 1;
    funlockfile(locked);
}
static void does_not(void) { data_locked++; }
static void tries(void) {
    CHECK(ftrylockfile(locked) == 0);
    funlockfile(locked);
    data_locked = 2;
}

#define LIST(name, send, receive) {#name, first_##name, second_##name},
#define LIST_USE(name, call) {#name ", fclose", use_##name, close_##name},
static struct case_pair const pairs[] = {
    STREAMS(LIST) STANDARD(LIST) USES(LIST_USE)
    {"flockfile", locks, does_not},
    {"ftrylockfile", does_not, tries},
};

int main(void) {
    make_all();
#define OPEN(name, call) CHECK((f_##name = tmpfile()));
    USES(OPEN)
    CHECK((locked = tmpfile()));
    CASES_RUN(pairs, 1);
    return 0;
}
