/* Some elements of each table are both threads': each of these is seen when the second thread comes to it, and when the
 * first does again, by its read and its write where both are checked.
 *
 * EXPECT: ^  Write of size 4 at .* by thread T2 \(
 * EXPECT: ^  Write of size 2 at .* by thread T2 \(
 * EXPECT: ^  Write of size 1 at .* by thread T2 \(
 * EXPECT: \((384|576) occurrences\)
 */
static void use(void);
#include "halves.h"

#define SET(type, n)                  \
    for (int i = 0; i < N; i += 16) { \
        table_##n[i] = 1;             \
    }
static void use(void) { KINDS(SET) }
