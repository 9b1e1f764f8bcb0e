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

/* What becomes of a cell of epochs that are ordered before us, or of one that the thread remembers
 * the change of (rt/parts.h). False: that needs more. */
static bool made_of(struct dh_judge const *j, dh_cell *cell, dh_word mine) {
    enum dh_kind const kind = (enum dh_kind)j->access.kind;
    dh_cell const old = *cell, remembered = dh_parts_changed(j->self, old, mine, kind);
    if (remembered != 0) *cell = remembered;
    if (remembered == 0
        && (!dh_quick_step(cell, mine, kind) || !dh_quick_ordered(dh_cell_write(old), j->self)
            || !dh_quick_ordered(dh_cell_read(old), j->self)))
        return false;
    if (kind == DH_READ) dh_parts_remember(*cell);
    return true;
}

/* The accesses from `at` on that lie within its block, as far as that goes for all cells of theirs.
 * A cell that is not 0 is fine (rt/blocks.h), so nothing else has to be asked. All have the same
 * bytes of their first cell, of their second and so on, and neighbours mostly were in the same
 * state: what becomes of it is found out once. Returns the first that is not done; what was done of
 * it is on record then. */
enum { CELLS_MOST = 3 };
static uintptr_t judge_alike(struct dh_judge *j, uintptr_t at, uintptr_t end) {
    struct {
        dh_word mine;
        dh_cell before, after;
    } known[CELLS_MOST];
    uint32_t const owner = dh_owner_of(at);
    uintptr_t const in_cell = at % DH_CELL_BYTES, block_end = dh_block_end(at);
    size_t const cells = (in_cell + j->unit + DH_CELL_BYTES - 1) / DH_CELL_BYTES;
    if (j->stride % DH_CELL_BYTES != 0 || cells > CELLS_MOST || !dh_judge_epoch_runs(j)
        || !dh_own_settled(owner))
        return at;
    for (size_t i = 0; i < cells; i++) {
        known[i].mine = __dh_tls.epoch;
        known[i].before = UINT64_MAX; /* no cell is that */
    }
    known[0].mine &= ~DH_WORD_BYTES_MASK | (DH_WORD_BYTES_MASK << in_cell);
    known[cells - 1].mine &=
        ~DH_WORD_BYTES_MASK | DH_WORD_BYTES_MASK >> (cells * DH_CELL_BYTES - in_cell - j->unit);
    for (; at < end && at + j->unit <= block_end; at += j->stride) {
        dh_cell *cell = dh_shadow(at);
        for (size_t i = 0; i < cells; i++, cell++) {
            dh_cell old = __atomic_load_n(cell, __ATOMIC_ACQUIRE);
            if (old != known[i].before) {
                dh_cell next = old;
                if (old == 0 || !made_of(j, &next, known[i].mine)) return at;
                known[i].before = old;
                known[i].after = next;
            }
            if (known[i].after == old) continue;
            if (owner != DH_OWNER_SHARED)
                __atomic_store_n(cell, known[i].after, __ATOMIC_RELAXED);
            else if (!__atomic_compare_exchange_n(cell, &old, known[i].after, false,
                                                  __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
                return at;
            j->changed = true;
        }
    }
    return at;
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
        if (at >= from && last < to) {
            at += (to - at - unit) / stride * stride;
            continue;
        }
        uintptr_t next = judge_alike(j, at, end);
        if (next == at)
            judge_one(j, at);
        else
            at = next - stride;
    }
}
