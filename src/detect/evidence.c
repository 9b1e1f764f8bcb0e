#include "detect/evidence.h"

#include "detect/events.h"

#include <stdlib.h>

void dh_evidence_add(struct dh_evidence *e, struct dh_finding const *finding,
                     struct dh_trace_event const *later) {
    e->found++;
    if (e->count == DH_EVIDENCE_MOST) return;
    e->items =
        dh_arena_grow(e->memory, e->items, &e->room, (uint64_t)e->count + 1, sizeof *e->items);
    e->items[e->count++] = (struct dh_evidence_item){
        .finding = *finding,
        .later = *later,
        .earlier = {.op = DH_OP_COUNT},
    };
}

static uint32_t *bucket(struct dh_evidence *e, uint64_t cell) {
    return &e->buckets[(cell * 0x9e3779b97f4a7c15u >> 32) & (e->bucket_count - 1)];
}

void dh_evidence_begin(struct dh_evidence *e) {
    for (e->bucket_count = 16; e->bucket_count < e->count;)
        e->bucket_count *= 2;
    e->buckets = dh_arena_alloc(e->memory, e->bucket_count * sizeof *e->buckets);
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t *head = bucket(e, e->items[i].finding.address / 8);
        e->items[i].next = *head;
        *head = i + 1;
    }
}

/* The last event that fits is the one: earlier ones may have been before an allocation. */
static void consider(struct dh_evidence_item *item, uint64_t index,
                     struct dh_trace_event const *event) {
    struct dh_finding const *f = &item->finding;
    if (event->thread != f->other_thread || index < f->first || index > f->last || index >= f->event
        || dh_event_kind(event) != f->other_kind || f->address - event->address >= event->size)
        return;
    item->earlier = *event;
    item->earlier_index = index;
}

void dh_evidence_step(struct dh_evidence *e, uint64_t index, struct dh_trace_event const *event) {
    if (e->count == 0 || dh_event_kind(event) == DH_KINDS) return;
    uint64_t first = event->address / 8, last = dh_event_last_byte(event) / 8;
    if (last - first >= e->count) {
        for (uint32_t i = 0; i < e->count; i++)
            consider(&e->items[i], index, event);
        return;
    }
    for (uint64_t cell = first; cell <= last; cell++)
        for (uint32_t i = *bucket(e, cell); i != 0; i = e->items[i - 1].next)
            if (e->items[i - 1].finding.address / 8 == cell)
                consider(&e->items[i - 1], index, event);
}

/* ---- groups ---- */

static int order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare(struct dh_evidence_item const *a, struct dh_evidence_item const *b) {
    int o = order(a->later.site, b->later.site);
    if (o == 0) o = order(a->earlier.site, b->earlier.site);
    if (o == 0) o = order(a->later.op, b->later.op);
    if (o == 0) o = order(a->earlier.op, b->earlier.op);
    if (o != 0 || (a->later.site != 0 && a->earlier.site != 0)) return o;
    o = order(a->later.thread, b->later.thread);
    if (o == 0) o = order(a->finding.other_thread, b->finding.other_thread);
    if (o == 0) o = order(a->finding.address, b->finding.address);
    if (o == 0) o = order(a->finding.size, b->finding.size);
    return o;
}

static int by_place(void const *a, void const *b) {
    struct dh_evidence_item const *x = *(struct dh_evidence_item *const *)a,
                                  *y = *(struct dh_evidence_item *const *)b;
    int o = compare(x, y);
    if (o == 0) o = order(x->finding.event, y->finding.event);
    return o != 0 ? o : order((uintptr_t)x, (uintptr_t)y);
}

static int by_event(void const *a, void const *b) {
    struct dh_evidence_item const *x = ((struct dh_evidence_group const *)a)->item,
                                  *y = ((struct dh_evidence_group const *)b)->item;
    int o = order(x->finding.event, y->finding.event);
    return o != 0 ? o : order((uintptr_t)x, (uintptr_t)y);
}

uint32_t dh_evidence_groups(struct dh_evidence *e, struct dh_evidence_group **groups) {
    struct dh_evidence_item const **sorted =
        dh_arena_alloc(e->memory, e->count * sizeof(struct dh_evidence_item *));
    struct dh_evidence_group *list = dh_arena_alloc(e->memory, e->count * sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->count; i++)
        sorted[i] = &e->items[i];
    qsort(sorted, e->count, sizeof *sorted, by_place);
    for (uint32_t i = 0; i < e->count; i++) {
        if (i == 0 || compare(sorted[i - 1], sorted[i]) != 0)
            list[count++] = (struct dh_evidence_group){sorted[i], 0};
        list[count - 1].count++;
    }
    qsort(list, count, sizeof *list, by_event);
    *groups = list;
    return count;
}
