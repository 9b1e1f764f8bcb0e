/* Accesses of every width and kind touch no byte too many: another thread writes the bytes next to them. And
 * a read does not disturb another read. */
#include "accesses.h"

int main(void) {
    add_all();
    for (int i = 0; i < access_count; i++) {
        struct access const *a = &accesses[i];
        if (!a->possible) continue;
        for (int order = 0; order < 2; order++) {
            void (*other)(void) = write_byte;
            place = m + a->first - 1;
            if (case_races(order ? other : a->access, order ? a->access : other))
                fprintf(stderr, "%s: a byte too early\n", a->name);
            place = m + a->first + a->size;
            if (case_races(order ? other : a->access, order ? a->access : other))
                fprintf(stderr, "%s: a byte too late\n", a->name);
            if (a->kind == 'w') continue;
            place = m + a->first;
            other = read_byte;
            if (case_races(order ? other : a->access, order ? a->access : other))
                fprintf(stderr, "%s: two reads\n", a->name);
        }
    }
    return 0;
}
