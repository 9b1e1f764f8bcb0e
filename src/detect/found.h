/* Findings on their way out: bytes that go on where the last ones ended, against the same access,
 * are one finding. */
#ifndef DEADHEAT_DETECT_FOUND_H
#define DEADHEAT_DETECT_FOUND_H

#include "detect/detector.h"

struct dh_outlet {
    dh_found *found;
    void *to;
    struct dh_finding last; /* not yet told, if its size is not 0 */
};

static inline void dh_outlet_flush(struct dh_outlet *o) {
    if (o->last.size != 0) o->found(o->to, &o->last);
    o->last.size = 0;
}

static inline void dh_outlet_add(struct dh_outlet *o, struct dh_finding const *f) {
    struct dh_finding *last = &o->last;
    if (last->size != 0 && last->event == f->event && last->address + last->size == f->address
        && last->other_thread == f->other_thread && last->other_kind == f->other_kind
        && last->first == f->first && last->last == f->last) {
        last->size += f->size;
        return;
    }
    dh_outlet_flush(o);
    *last = *f;
}

/* The bytes of `mask` in the cell at f->address; or, if there is more than a cell, all `span` bytes
 * from there on. */
static inline void dh_outlet_cell(struct dh_outlet *o, struct dh_finding f, uint64_t span,
                                  unsigned mask) {
    uint64_t cell = f.address;
    if (span > 8) {
        f.size = span;
        dh_outlet_add(o, &f);
        return;
    }
    while (mask != 0) {
        unsigned low = (unsigned)__builtin_ctz(mask);
        unsigned bytes = (unsigned)__builtin_ctz(~(mask >> low));
        f.address = cell + low;
        f.size = bytes;
        dh_outlet_add(o, &f);
        mask &= ~(((1u << bytes) - 1) << low);
    }
}

#endif
