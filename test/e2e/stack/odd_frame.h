/* Code without frame pointers calls libc with any number in the register. */
#include "test.h"

#include <string.h>

_Alignas(64) char area[192];

#define FILL(number)                                                                                    \
    __attribute__((naked, noinline)) static void fill_##number(__attribute__((unused)) char *p) {       \
        __asm__("push %rbp\n\tmov $" #number ", %ebp\n\tmov $8, %edx\n\txor %esi, %esi\n\t"              \
                "call memset@PLT\n\tpop %rbp\n\tret");                                                  \
    }
FILL(0)
FILL(1)
FILL(16)

static void fill_all(char *p) {
    fill_0(p);
    fill_0(p + 8);
    fill_1(p + 16);
    fill_1(p + 24);
    fill_16(p + 32);
    fill_16(p + 40);
}
