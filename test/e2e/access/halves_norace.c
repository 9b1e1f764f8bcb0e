/* Each thread has its own elements, side by side in the same cells. */
static void use(void);
#include "halves.h"

#define READ(type, n) CHECK(table_##n[N - 8 + YOURS] != 0);
static void use(void) { KINDS(READ) }
