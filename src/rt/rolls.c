#include "rt/rolls.h"
#include "rt/spares.h"

/* Tests build the runtime so that the first turn of a kind has a roll made for it, too. */
#ifndef DH_ROLL_EAGER
#define DH_ROLL_EAGER 0
#endif

/* Entries of a roll; with more than that there are too many states. */
enum { ROLL_MAX = 16 };

/* Numbers from 1 on. Those of `free` were in use before the last collection. */
static struct {
    struct dh_mutex lock;
    uint32_t used;
    struct dh_record *free;
    uint64_t refused;  /* since the last collection: times that there was none */
    uint64_t patience; /* so many, before the next: it takes longer the more memory is in use */
} rolls = {.used = 1, .patience = DH_ROLLS};

/* The last roll made for each hash of its list. Several threads may write a place; any of their
 * rolls will do. */
enum { KNOWN_BITS = 16 };
static uint32_t known[1 << KNOWN_BITS] DH_TABLE;

static uint64_t hash_of(struct dh_entry const *list, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash =
            (hash ^ (uint64_t)list[i].epoch.slot << 32 ^ list[i].epoch.tick) * 0x9e3779b97f4a7c15u;
        hash =
            (hash ^ hash >> 32 ^ (uint32_t)list[i].kind << 8 ^ list[i].mask) * 0x9e3779b97f4a7c15u;
    }
    return hash;
}

static bool is_list(struct dh_record const *roll, struct dh_entry const *list, uint32_t count) {
    bool same = roll->count == count;
    for (uint32_t i = 0; same && i < count; i++)
        same = dh_epoch_equal(roll->entries[i].epoch, list[i].epoch)
               && roll->entries[i].mask == list[i].mask && roll->entries[i].kind == list[i].kind;
    return same;
}

static struct dh_record *roll_new(void) {
    dh_mutex_lock(&rolls.lock);
    struct dh_record *roll = rolls.free;
    if (roll) {
        rolls.free = roll->next_free;
        roll->sync = 0;
    } else if (rolls.used < DH_ROLLS) {
        roll = dh_record_number(rolls.used++);
    } else {
        __atomic_store_n(&rolls.refused, rolls.refused + 1, __ATOMIC_RELAXED);
    }
    dh_mutex_unlock(&rolls.lock);
    return roll;
}

/* In the order of threads and kinds: a state should be one list, in whatever order it came
 * about. */
static bool goes_before(struct dh_entry const *a, struct dh_entry const *b) {
    if (a->epoch.slot != b->epoch.slot) return a->epoch.slot < b->epoch.slot;
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->epoch.tick < b->epoch.tick;
}
static void sort(struct dh_entry *list, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        struct dh_entry moved = list[i];
        uint32_t at = i;
        for (; at > 0 && goes_before(&moved, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

/* The roll with this list; null if there is none, and is not to be, or can not. */
static struct dh_record *roll_of(struct dh_entry const *list, uint32_t count, bool make) {
    uint32_t *place = &known[hash_of(list, count) >> (64 - KNOWN_BITS)];
    uint32_t number = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    struct dh_record *roll = dh_record_number(number);
    if (number != 0 && is_list(roll, list, count)) return roll;
    roll = make ? roll_new() : 0;
    if (!roll) return 0;
    roll->room = count > DH_RECORD_FEW ? ROLL_MAX : DH_RECORD_FEW;
    roll->entries = roll->few;
    if (count > DH_RECORD_FEW) roll->entries = dh_alloc(ROLL_MAX * sizeof *list);
    dh_copy(roll->entries, list, count * sizeof *list);
    roll->count = count;
    __atomic_store_n(place, (uint32_t)(roll - DH_RECORDS), __ATOMIC_RELEASE);
    return roll;
}

static struct dh_spares spares;

static bool is_of_slot(void const *turns, uint64_t slot) {
    return ((struct dh_turns const *)turns)->slot == slot;
}

DH_COLD void dh_turns_begin(struct dh_thread *self) {
    self->turns = dh_spare_take(&spares, is_of_slot, self->slot);
    if (self->turns) {
        if (!dh_turns_good(self)) dh_turns_forget(self);
        return;
    }
    self->turns = dh_alloc(sizeof *self->turns);
    self->turns->collections = dh_collections;
    self->turns->slot = self->slot;
}

void dh_turns_end(struct dh_thread *thread) {
    dh_spare_put(&spares, thread->turns, sizeof *thread->turns);
    thread->turns = 0;
}

DH_COLD void dh_turns_forget(struct dh_thread *self) {
    dh_fill(self->turns->turns, 0, sizeof self->turns->turns);
    self->turns->collections = dh_collections;
    self->turns->slot = self->slot;
}

dh_cell dh_turn_find(struct dh_thread *self, struct dh_turn *turn, dh_cell cell, uint8_t bytes,
                     enum dh_kind kind) {
    struct dh_entry list[2 * DH_SET_MAX + 1];
    struct dh_verdict v;
    struct dh_view view = dh_thread_view(self);
    struct dh_access access = {
        .epoch = dh_thread_epoch(self), .mask = bytes, .kind = (uint8_t)kind};
    struct dh_turn mine = {cell, access.epoch.tick, dh_turn_access(bytes, kind), 0};
    bool again = DH_ROLL_EAGER || dh_cell_is_roll(cell)
                 || (turn->old == cell && turn->tick == mine.tick && turn->access == mine.access);
    uint32_t count = dh_record_entries(cell, list);
    count = dh_entries_step(list, count, access, &view, &v);
    if (v.racy != 0 || count > ROLL_MAX) return 0;
    if (v.changed) {
        sort(list, count);
        struct dh_record *roll = roll_of(list, count, again);
        mine.roll = roll ? (uint16_t)(roll - DH_RECORDS) : 0;
    } else {
        mine.roll = (uint16_t)dh_cell_record(cell);
    }
    *turn = mine;
    return mine.roll != 0 ? dh_cell_of_record(mine.roll) : 0;
}

/* ---- collection, with the world stopped ---- */

static uint8_t *in_use; /* by number */

/* Entries of blocks look like records, too: no harm is done. */
static void mark_cells(dh_cell *from, dh_cell *to) {
    for (dh_cell *c = from; c < to; c++)
        if (dh_cell_is_roll(*c)) in_use[dh_cell_record(*c)] = 1;
}

static void collect(void) {
    in_use = dh_alloc(DH_ROLLS);
    dh_shadow_each(mark_cells);
    dh_fill(known, 0, sizeof known);
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (t->turns) dh_turns_forget(t);
    rolls.free = 0;
    for (uint32_t i = 1; i < rolls.used; i++) {
        struct dh_record *roll = dh_record_number(i);
        if (in_use[i]) continue;
        if (roll->room > DH_RECORD_FEW) dh_free(roll->entries, ROLL_MAX * sizeof *roll->entries);
        roll->room = roll->count = 0;
        roll->next_free = rolls.free;
        rolls.free = roll;
    }
    dh_free(in_use, DH_ROLLS);
    rolls.refused = 0;
    rolls.patience *= 2;
}

static bool due(void) { return __atomic_load_n(&rolls.refused, __ATOMIC_RELAXED) > rolls.patience; }

DH_COLD static void provide(void) {
    dh_world_stop();
    if (due()) collect();
    dh_world_go();
}

bool dh_turn_prepare(uintptr_t address, size_t size) {
    if (due()) provide();
    if (!dh_has_shadow(address, size)
        || (dh_own_settled(dh_owner_of(address)) && dh_block_is_fine(address)))
        return false;
    dh_own_settle(address, size);
    dh_critical_enter();
    dh_shadow_touch(address);
    dh_block_refine(address);
    dh_critical_leave();
    return true;
}
