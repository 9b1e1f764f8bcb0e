#include "rt/lists.h"

#include <sys/syscall.h>
#include <time.h>

enum {
    LISTS = 1 << 25, /* 4 GB of address space */
    /* How many pieces a list without room becomes shorter by; a step adds two. */
    ROOM = 2 + (DH_PIECES_MAX - 4) * 6 / 7,
    /* A piece of at most so many cells becomes fine rather than the whole block. */
    FEW = 16,
    /* And where there is no room for others, all of at most so many. */
    FEWEST = 2,
};

_Static_assert(ROOM < DH_PIECES_MAX, "a list can be so much shorter");
_Static_assert(LISTS <= DH_RECORD_MAX, "a list's number fits a cell");

struct dh_list *dh_lists;

static struct {
    struct dh_mutex lock;
    struct dh_list *free;
    uint32_t used;
} pool;

void dh_blocks_init(void) {
    dh_lists = dh_reserve(LISTS * sizeof *dh_lists);
    if (!dh_lists) dh_die("cannot reserve address space for blocks (ulimit -v?)");
}

/* Who holds it may have lost its processor. It gets one sooner where we sleep: to yield is not
 * enough, if we have priority over it. */
DH_COLD void dh_list_wait(struct dh_list *l) {
    struct timespec const while_it_runs = {.tv_nsec = 50000};
    for (uint32_t spin = 1;; spin++) {
        uint32_t free = 0;
        if (__atomic_load_n(&l->lock, __ATOMIC_RELAXED) == 0
            && __atomic_compare_exchange_n(&l->lock, &free, 1, false, __ATOMIC_ACQUIRE,
                                           __ATOMIC_RELAXED))
            return;
        if (spin % 128 != 0)
            __builtin_ia32_pause();
        else
            dh_syscall(SYS_nanosleep, &while_it_runs, 0l, 0l, 0l, 0l, 0l);
    }
}

static struct dh_list *list_new(void) {
    dh_mutex_lock(&pool.lock);
    struct dh_list *l = pool.free;
    if (l) {
        pool.free = l->next_free;
    } else if (pool.used < LISTS) {
        l = &dh_lists[pool.used];
        l->number = pool.used++;
    }
    dh_mutex_unlock(&pool.lock);
    if (!l) dh_die("out of memory: more than %d blocks of memory in pieces", LISTS);
    return l;
}

void dh_list_free(struct dh_list *l) {
    l->pieces.count = 0;
    l->period = 0;
    l->entry = 0;
    dh_list_unlock(l);
    dh_mutex_lock(&pool.lock);
    l->next_free = pool.free;
    pool.free = l;
    dh_mutex_unlock(&pool.lock);
}

struct dh_list *dh_list_make(uintptr_t address, dh_cell *at, dh_cell entry) {
    struct dh_list *l = list_new();
    dh_list_take(l);
    l->entry = at;
    dh_list_begin(l, entry ? entry : dh_coarse(address));
    l->credit = DH_CREDIT_FIRST;
    dh_shadow_touch(address);
    if (__atomic_compare_exchange_n(at, &entry, dh_cell_of_record(l->number), false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return l;
    dh_list_free(l);
    return 0;
}

/* All strides have the same state. */
static bool are_alike(struct dh_list const *l) {
    for (uint32_t i = 1; i < l->period; i++)
        if (l->pieces.cell[i] != l->pieces.cell[0]) return false;
    return true;
}

void dh_list_done_slow(struct dh_list *l) {
    if (l->period != 0 && are_alike(l)) dh_list_begin(l, l->pieces.cell[0]);
    if (l->pieces.count != 1) {
        dh_list_unlock(l);
        return;
    }
    __atomic_store_n(l->entry, l->pieces.cell[0], __ATOMIC_SEQ_CST);
    dh_list_free(l);
}

/* Cells of the piece become what it says. Nobody else writes them before they are said to be
 * fine. */
static void write_cells(struct dh_list const *l, uintptr_t address, uint32_t i) {
    dh_cell *cells = dh_shadow(address & ~(DH_BLOCK - 1));
    struct dh_pieces const *p = &l->pieces;
    if (p->cell[i] == 0 || p->cell[i] == DH_PIECE_FINE) return;
    for (uint32_t c = p->start[i]; c < dh_piece_end(p, i); c++)
        __atomic_store_n(&cells[c], p->cell[i], __ATOMIC_RELAXED);
}

static void write_strides(struct dh_list const *l, uintptr_t address) {
    dh_cell *cells = dh_shadow(address & ~(DH_BLOCK - 1));
    for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
        if (l->pieces.cell[c % l->period] != 0)
            __atomic_store_n(&cells[c], l->pieces.cell[c % l->period], __ATOMIC_RELAXED);
}

void dh_list_expand(struct dh_list *l, uintptr_t address) {
    if (l->period != 0)
        write_strides(l, address);
    else
        for (uint32_t i = 0; i < l->pieces.count; i++)
            write_cells(l, address, i);
    __atomic_store_n(l->entry, DH_BLOCK_FINE, __ATOMIC_SEQ_CST);
    dh_list_free(l);
}

/* All that are very small at once, which mostly is enough; then two by two. */
void dh_list_shorten(struct dh_list *l, uintptr_t address) {
    struct dh_pieces *p = &l->pieces;
    for (uint32_t i = 0; i < p->count; i++) {
        if (dh_piece_end(p, i) - p->start[i] > FEWEST) continue;
        write_cells(l, address, i);
        p->cell[i] = DH_PIECE_FINE;
    }
    dh_pieces_unite(p);
    while (p->count > DH_PIECES_MAX - ROOM) {
        uint32_t i = dh_pieces_smallest(p);
        write_cells(l, address, i);
        write_cells(l, address, i + 1);
        p->cell[i] = p->cell[i + 1] = DH_PIECE_FINE;
        dh_pieces_unite(p);
    }
}

bool dh_list_refine(struct dh_list *l, uintptr_t address) {
    struct dh_pieces *p = &l->pieces;
    if (l->period != 0) return false;
    uint32_t i = dh_piece_of(p, dh_cell_in_block(address));
    if (dh_piece_end(p, i) - p->start[i] > FEW) return false;
    write_cells(l, address, i);
    p->cell[i] = DH_PIECE_FINE;
    dh_pieces_unite(p);
    return true;
}

void dh_blocks_each_list(void (*visit)(dh_cell *from, dh_cell *to)) {
    for (uint32_t i = 0; i < pool.used; i++) {
        struct dh_pieces *p = &dh_lists[i].pieces;
        if (p->count != 0) visit(p->cell, p->cell + p->count);
    }
}
