/* The state of a location for detectors that keep one a byte: bytes of a cell that were always
 * accessed together share it. A cell's value in the space is a list of parts.
 *
 *   Invariant: the parts of a cell have no byte in common. A value with the lowest bit set is
 * shared with other cells, and copied before it changes.
 */
#ifndef DEADHEAT_DETECT_PARTS_H
#define DEADHEAT_DETECT_PARTS_H

#include "detect/space.h"

struct dh_part {
    struct dh_part *next;
    uint8_t bytes;
    /* the detector's state follows */
};

struct dh_parts {
    struct dh_space space;
    size_t size; /* of a part, with what follows */
    /* Makes `into`, a copy byte by byte, a state of its own; null if it is one. And its opposite.
     */
    void (*split)(struct dh_arena *memory, struct dh_part *into);
    void (*drop)(struct dh_arena *memory, struct dh_part *part);
};

void dh_parts_init(struct dh_parts *parts, struct dh_arena *memory, size_t size,
                   void (*split)(struct dh_arena *, struct dh_part *),
                   void (*drop)(struct dh_arena *, struct dh_part *));

/* Calls for each part of these bytes, or for parts with a zero state where there was none; span and
 * bytes as in dh_space_update. What a zero state becomes does not depend on the address: it is
 * asked for once, and shared. */
typedef void dh_part_visit(void *to, struct dh_part *part, uint64_t address, uint64_t span);
void dh_parts_visit(struct dh_parts *parts, uint64_t first, uint64_t last, dh_part_visit *visit,
                    void *to);

/* The bytes have no state any more. */
void dh_parts_forget(struct dh_parts *parts, uint64_t first, uint64_t last);

#endif
