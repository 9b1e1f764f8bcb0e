/* What the compiler leaves to libatomic: objects of odd sizes, or at odd addresses. Values and order; both
 * threads use each at once. */
// FLAGS: -Wno-atomic-alignment
#include "access/cases.h"

#include <stdbool.h>
#include <string.h>

#define LARGE 200

struct large {
    char bytes[LARGE];
};
struct odd {
    char bytes[7];
};
struct __attribute__((packed)) misplaced {
    char first;
    long word;
};

static struct large large_flag, large;
static struct odd odd;
static struct misplaced misplaced;
int x;

static void send(void) {
    struct large value = {{1}};
    x = 1;
    __atomic_store(&large_flag, &value, __ATOMIC_RELEASE);
}
static void receive(void) {
    struct large value;
    __atomic_load(&large_flag, &value, __ATOMIC_ACQUIRE);
    CHECK(value.bytes[0] == 1 && x++ == 1);
}

/* All bytes of `large` are the same at all times; `odd` counts in its first byte, rarely enough to fit. */
enum { ROUNDS = 100 };
static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        struct large value, old;
        memset(&value, i, sizeof value);
        __atomic_exchange(&large, &value, &old, __ATOMIC_ACQ_REL);
        CHECK(old.bytes[0] == old.bytes[LARGE - 1]);
        __atomic_load(&large, &value, __ATOMIC_RELAXED);
        CHECK(value.bytes[0] == value.bytes[LARGE - 1]);

        struct odd had, want;
        __atomic_load(&odd, &had, __ATOMIC_RELAXED);
        do {
            want = had;
            want.bytes[0]++;
            want.bytes[6]--;
        } while (!__atomic_compare_exchange(&odd, &had, &want, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
        __atomic_fetch_add(&misplaced.word, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

/* Code without checks calls the library for sixteen bytes, and is ordered by it all the same. */
static unsigned __int128 wide;
int y;

__attribute__((no_sanitize("thread"))) static unsigned __int128 unseen(unsigned __int128 more) {
    return __atomic_add_fetch(&wide, more, __ATOMIC_ACQ_REL);
}
static void send_unseen(void) {
    y = 1;
    unseen((unsigned __int128)1 << 100);
}
static void receive_unseen(void) {
    CHECK(unseen(1) == ((unsigned __int128)1 << 100) + 1);
    y = 2;
}

/* What gcc would call. */
unsigned short nand_fetch(unsigned short volatile *p, unsigned short operand, int order)
    __asm__("__atomic_nand_fetch_2");
bool test_and_set(unsigned char volatile *p, int order) __asm__("__atomic_test_and_set_1");

static void *by_name(void *unused) {
    unsigned short number = 5;
    unsigned char flag = 0;
    CHECK(nand_fetch(&number, 6, __ATOMIC_SEQ_CST) == 0xfffb && number == 0xfffb);
    CHECK(!test_and_set(&flag, __ATOMIC_SEQ_CST) && test_and_set(&flag, __ATOMIC_SEQ_CST));
    return unused;
}

static struct case_pair const pairs[] = {
    {"message", send, receive},
    {"message of sixteen bytes", send_unseen, receive_unseen},
};

int main(void) {
    CASES_RUN(pairs, 0);
    join(spawn(by_name, NULL));
    run_two(work, work);
    CHECK((unsigned char)odd.bytes[0] == 2 * ROUNDS && (unsigned char)odd.bytes[6] == 256 - 2 * ROUNDS);
    CHECK(misplaced.word == 2 * ROUNDS);
    return 0;
}
