/* What was done before a character was sent comes before what is done when it has been received. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin
#include "streams.h"

#define CASE(name, send, receive)                                                                       \
    static void first_##name(void) {                                                                    \
        data_##name = 1;                                                                                \
        send_##name();                                                                                  \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        receive_##name();                                                                               \
        data_##name++;                                                                                  \
    }
STREAMS(CASE)
STANDARD(CASE)

/* Standard streams that are wide cannot be anything else. */
int data_wide;
static void put_wide(void) {
    data_wide = 1;
    CHECK(putwchar(L'x') == L'x');
}
static void get_wide(void) {
    CHECK(getwchar() == L'x');
    data_wide++;
}

#define LIST(name, send, receive) {#name, first_##name, second_##name},
static struct case_pair const pairs[] = {STREAMS(LIST) STANDARD(LIST)};
static struct case_pair const wide[] = {{"putwchar", put_wide, get_wide}};

int main(void) {
    make_all();
    CASES_RUN(pairs, 0);
    CHECK(freopen("/dev/null", "r", stdin) && freopen("/dev/null", "w", stdout));
    standard();
    CASES_RUN(wide, 0);
    return 0;
}
