#include "rt/gaps.h"
#include "report/race.h"
#include "rt/blocks.h"
#include "rt/own.h"
#include "rt/quick.h"
#include "rt/shadow.h"
#include "rt/stats.h"
#include "rt/tape.h"

bool dh_gaps_begin(struct dh_judge *j, struct dh_gaps const *g, struct dh_here here) {
    size_t size = (g->count - 1) * g->stride + g->unit;
    uint32_t flags = g->kind == DH_WRITE ? DH_ACCESS_WRITE : 0;
    if (dh_alone_now || !dh_has_shadow(g->first, size)) return false;
    dh_own_settle(g->first, size);
    if (!dh_judge_begin(j, g->kind, flags, g->first, g->unit, here)) return false;
    j->size = size;
    j->stride = g->stride;
    j->self->stats[DH_STAT_slow_bytes] += (g->count - 1) * g->unit;
    if (DH_UNLIKELY(dh_recording))
        for (size_t i = 1; i < g->count; i++)
            dh_tape_access(j->self, g->kind, flags, g->first + i * g->stride, g->unit, here.pc);
    return true;
}

/* Inside one fine cell, and without a race. */
static bool one_is_quick(struct dh_judge *j, uintptr_t at) {
    dh_word bytes = ((1u << j->unit) - 1) << at % DH_CELL_BYTES;
    return dh_judge_epoch_runs(j) && bytes <= DH_WORD_BYTES_MASK
           && dh_quick_cell(at, bytes, (enum dh_kind)j->access.kind, j->self, &j->changed);
}

/* One of the accesses by itself. */
static void judge_one(struct dh_judge *j, uintptr_t at) {
    if (j->unit <= DH_CELL_BYTES && one_is_quick(j, at)) return;
    uintptr_t address = j->address;
    size_t size = j->size;
    j->address = at;
    j->size = j->unit;
    dh_judge_range(j);
    j->address = address;
    j->size = size;
}

/* Whole blocks have all accesses that such a run can have in them, or none. */
void dh_gaps_judge(struct dh_judge *j, uintptr_t lowest, uintptr_t highest) {
    size_t const unit = j->unit, stride = j->stride, gap = stride - unit;
    uintptr_t const end = j->address + j->size;
    uintptr_t low = UINTPTR_MAX, high = 0; /* these blocks have */
    uintptr_t from = 0, to = 0;            /* these were judged */
    uintptr_t unable = UINTPTR_MAX;        /* this one cannot say it */
    if (stride % DH_CELL_BYTES == 0 && stride / DH_CELL_BYTES <= DH_PIECES_MAX && lowest > gap) {
        low = (lowest - gap + DH_BLOCK - 1) & ~(DH_BLOCK - 1);
        high = (highest + stride) & ~(DH_BLOCK - 1);
    }
    for (uintptr_t at = j->address; at < end && !j->stopped; at += stride) {
        uintptr_t last = at + unit - 1;
        for (uintptr_t block = at & ~(DH_BLOCK - 1); block <= last; block += DH_BLOCK) {
            if (block < low || block >= high || (block >= from && block < to) || block == unable)
                continue;
            if (dh_block_step_strides(j, block)) {
                if (block != to) from = block;
                to = block + DH_BLOCK;
            } else {
                unable = block;
            }
        }
        if (at < from || last >= to)
            judge_one(j, at);
        else
            at += (to - at - unit) / stride * stride;
    }
}
