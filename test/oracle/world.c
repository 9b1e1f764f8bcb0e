#include "world.h"

#include "detect/events.h"
#include "trace/trace.h"

#include <stdio.h>

void world_begin(struct world *w) { *w = (struct world){.threads = 1}; }

static bool overlap(struct world const *w, uint32_t i, struct dh_trace_event const *e) {
    return w->blocks[i].size != 0 && w->blocks[i].address <= dh_event_last_byte(e)
           && e->address <= w->blocks[i].address + (w->blocks[i].size - 1);
}

static bool block(struct world *w, struct dh_trace_event const *e) {
    uint32_t free = WORLD_NAMES;
    for (uint32_t i = 0; i < WORLD_NAMES; i++) {
        if (w->blocks[i].size == 0) free = i;
        if (e->op == DH_OP_ALLOC && overlap(w, i, e)) return false;
        if (e->op == DH_OP_FREE && w->blocks[i].address == e->address
            && w->blocks[i].size == e->size) {
            w->blocks[i].size = 0;
            return true;
        }
    }
    if (e->op == DH_OP_FREE || free == WORLD_NAMES) return false;
    w->blocks[free].address = e->address;
    w->blocks[free].size = e->size;
    return true;
}

bool world_step(struct world *w, struct dh_trace_event const *e) {
    uint32_t me = 1u << e->thread, o = (uint32_t)e->address;
    if (e->thread >= w->threads || w->exited & me) return false;
    switch (e->op) {
    case DH_OP_ACQUIRE:
        if (w->owner[o] || w->readers[o]) return false;
        w->owner[o] = (uint8_t)(e->thread + 1);
        return true;
    case DH_OP_RELEASE:
        if (w->owner[o] != e->thread + 1) return false;
        w->owner[o] = 0;
        return true;
    case DH_OP_RDACQUIRE:
        if (w->owner[o] || w->readers[o] & me) return false;
        w->readers[o] |= (uint16_t)me;
        return true;
    case DH_OP_RDRELEASE:
        if (!(w->readers[o] & me)) return false;
        w->readers[o] &= (uint16_t)~me;
        return true;
    case DH_OP_ARRIVE:
        if (w->departed[o] || w->arrived[o] & me) return false;
        w->arrived[o] |= (uint16_t)me;
        return true;
    case DH_OP_DEPART:
        if (!(w->arrived[o] & me) || w->departed[o] & me) return false;
        w->departed[o] |= (uint16_t)me;
        return true;
    case DH_OP_FORK:
        if (o != w->threads || w->threads == WORLD_THREADS) return false;
        w->threads++;
        return true;
    case DH_OP_JOIN: return o < w->threads && o != e->thread && w->exited >> o & 1;
    case DH_OP_EXIT: w->exited |= (uint16_t)me; return true;
    case DH_OP_ALLOC:
    case DH_OP_FREE: return block(w, e);
    default: return true;
    }
}

void world_print(struct dh_trace_event const *trace, uint32_t count) {
    struct dh_trace_writer *writer = dh_trace_create(stdout, DH_TRACE_TEXT);
    for (uint32_t i = 0; writer && i < count; i++)
        dh_trace_put(writer, &trace[i]);
    if (writer) dh_trace_finish(writer);
    fflush(stdout);
}
