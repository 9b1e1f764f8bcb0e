#include "detect/history.h"

#include "detect/events.h"

static void split(struct dh_arena *memory, struct dh_part *into) {
    struct dh_history_part *x = (struct dh_history_part *)into;
    for (unsigned kind = 0; kind < DH_KINDS; kind++) {
        struct dh_vc shared = x->last[kind];
        x->last[kind] = (struct dh_vc){0};
        dh_vc_copy(memory, &x->last[kind], &shared);
    }
}

static void drop(struct dh_arena *memory, struct dh_part *part) {
    struct dh_history_part *x = (struct dh_history_part *)part;
    for (unsigned kind = 0; kind < DH_KINDS; kind++)
        dh_vc_clear(memory, &x->last[kind]);
}

struct dh_history *dh_history_create(struct dh_arena *memory, dh_found *found, void *to,
                                     enum dh_join_rule rule) {
    struct dh_history *h = dh_arena_alloc(memory, sizeof *h);
    dh_clocks_init(&h->clocks, memory, rule);
    dh_parts_init(&h->parts, memory, sizeof(struct dh_history_part), split, drop);
    h->out.found = found;
    h->out.to = to;
    return h;
}

void dh_history_step(struct dh_history *h, uint64_t index, struct dh_trace_event const *e,
                     dh_part_visit *rules) {
    struct dh_history_access a = {
        .history = h,
        .index = index,
        .self = e->thread,
        .kind = dh_event_kind(e),
    };
    if (e->op > DH_OP_WRITE) dh_clocks_acquire(&h->clocks, e);
    if (a.kind != DH_KINDS) {
        uint64_t last = dh_event_last_byte(e);
        a.thread = dh_clocks_thread(&h->clocks, e->thread);
        if (e->op == DH_OP_ALLOC) dh_parts_forget(&h->parts, e->address, last);
        dh_parts_visit(&h->parts, e->address, last, rules, &a);
        dh_outlet_flush(&h->out);
    }
    if (e->op > DH_OP_WRITE) dh_clocks_release(&h->clocks, e, index);
}

static void report(struct dh_history_access const *a, struct dh_history_part const *x,
                   uint64_t address, uint64_t span, unsigned kind, uint32_t slot) {
    struct dh_finding f = {
        .event = a->index,
        .address = address,
        .other_thread = slot,
        .other_kind = (uint8_t)kind,
    };
    struct dh_epoch epoch = {slot, x->last[kind].tick[slot]};
    dh_clocks_events(&a->history->clocks, epoch, a->index, &f.first, &f.last);
    dh_outlet_cell(&a->history->out, f, span, x->part.bytes);
}

void dh_history_compare(struct dh_history_access const *a, struct dh_history_part const *x,
                        uint64_t address, uint64_t span) {
    struct dh_vc const *now = &a->thread->clock;
    for (unsigned kind = 0; kind < DH_KINDS; kind++) {
        if (!(dh_conflicts(a->kind) >> kind & 1)) continue;
        struct dh_vc const *last = &x->last[kind];
        for (uint32_t s = 0; s < last->size; s++)
            if (last->tick[s] > dh_vc_tick(now, s)) {
                report(a, x, address, span, kind, s);
                return;
            }
    }
}

void dh_history_note(struct dh_history_access const *a, struct dh_history_part *x) {
    dh_vc_set(a->history->clocks.memory, &x->last[a->kind], a->self,
              a->thread->clock.tick[a->self]);
}

void dh_history_figure2(void *to, struct dh_part *part, uint64_t address, uint64_t span) {
    struct dh_history_access const *a = to;
    struct dh_history_part *x = (struct dh_history_part *)part;
    dh_history_compare(a, x, address, span);
    dh_history_note(a, x);
}
