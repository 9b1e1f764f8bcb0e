#include "detect/epochs.h"

#include <string.h>

enum { COLLECT_LEAST = 1 << 20 };

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void tables_changed(struct dh_epochs *e) {
    e->tables = (struct dh_tables){e->epochs, e->sets};
}

void dh_epochs_init(struct dh_epochs *e, struct dh_arena *memory) {
    e->memory = memory;
    e->epoch_count = e->set_count = 1; /* 0 is no epoch, and no set */
    e->ids.allowed = smaller(COLLECT_LEAST, DH_EPOCH_ID_MAX);
    e->units.allowed = smaller(COLLECT_LEAST, DH_REPLAY_SET_UNITS);
    e->epochs = dh_arena_grow(memory, NULL, &e->epoch_room, 8, sizeof *e->epochs);
    e->sets = dh_arena_grow(memory, NULL, &e->set_room, 4, DH_SET_UNIT * sizeof *e->sets);
    tables_changed(e);
}

dh_epoch_id dh_epochs_name(struct dh_epochs *e, struct dh_epoch epoch) {
    dh_epoch_id id = 0;
    if (e->free_id_count > 0) {
        id = e->free_ids[--e->free_id_count];
    } else if (e->epoch_count <= e->ids.allowed) {
        id = e->epoch_count++;
        e->epochs =
            dh_arena_grow(e->memory, e->epochs, &e->epoch_room, e->epoch_count, sizeof *e->epochs);
        tables_changed(e);
    } else {
        e->ids.refused++;
        return 0;
    }
    e->epochs[id] = epoch;
    return id;
}

/* ---- sets ---- */

static uint64_t hash_of(dh_word const *words, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return hash;
}

static bool set_is(struct dh_epochs const *e, uint64_t id, dh_word const *words, uint32_t count) {
    uint32_t const *set = e->sets + DH_SET_UNIT * id;
    return id != 0 && set[0] == count && memcmp(set + 1, words, count * sizeof *words) == 0;
}

/* The word for a list of words: none, itself, or a set; false if there is no room for a set. */
static bool word_for(struct dh_epochs *e, dh_word const *words, uint32_t count, dh_word *word) {
    *word = count ? words[0] : 0;
    if (count < 2) return true;
    uint64_t hash = hash_of(words, count), id = dh_map_find(&e->known_sets, hash);
    if (!set_is(e, id, words, count)) {
        uint32_t units = (1 + count + DH_SET_UNIT - 1) / DH_SET_UNIT;
        if (e->set_count + units > e->units.allowed + 1) {
            e->units.refused++;
            return false;
        }
        id = *dh_map_at(&e->known_sets, e->memory, hash) = e->set_count;
        e->set_count += units;
        e->sets = dh_arena_grow(e->memory, e->sets, &e->set_room, e->set_count,
                                DH_SET_UNIT * sizeof *e->sets);
        tables_changed(e);
        uint32_t *set = e->sets + DH_SET_UNIT * id;
        set[0] = count;
        memcpy(set + 1, words, count * sizeof *words);
    }
    unsigned every = DH_WORD_BYTES_MASK;
    for (uint32_t i = 0; i < count; i++)
        every &= dh_word_mask(words[i]);
    *word = DH_WORD_OBJECT | (dh_word)id << DH_WORD_ID_SHIFT | every;
    return true;
}

/* ---- records ---- */

static uint32_t record_new(struct dh_epochs *e) {
    if (e->free_record_count > 0) return e->free_records[--e->free_record_count];
    e->records = dh_arena_grow(e->memory, e->records, &e->record_room,
                               (uint64_t)e->record_count + 1, sizeof *e->records);
    return e->record_count++;
}

static dh_cell record_of(struct dh_epochs *e, struct dh_entry const *list, uint32_t count) {
    uint32_t number = record_new(e);
    struct dh_replay_record *r = &e->records[number];
    r->list = dh_arena_grow(e->memory, r->list, &r->room, (uint64_t)count + 1, sizeof *r->list);
    if (count) memcpy(r->list, list, count * sizeof *list);
    r->count = count;
    return dh_cell_of_record(number);
}

dh_cell dh_epochs_pack(struct dh_epochs *e, struct dh_entry const *list, uint32_t count) {
    struct dh_words words;
    dh_word write, read;
    if (dh_entries_words(list, count, &words) && word_for(e, words.write, words.writes, &write)
        && word_for(e, words.read, words.reads, &read))
        return dh_cell_of(write, read);
    return record_of(e, list, count);
}

struct dh_replay_record *dh_epochs_record(struct dh_epochs *e, dh_cell *cell) {
    if (!dh_cell_is_record(*cell)) {
        struct dh_entry list[2 * DH_SET_MAX];
        *cell = record_of(e, list, dh_cell_entries(*cell, &e->tables, list));
    }
    struct dh_replay_record *r = &e->records[dh_cell_record(*cell)];
    r->list = dh_arena_grow(e->memory, r->list, &r->room, (uint64_t)r->count + 1, sizeof *r->list);
    return r;
}

uint64_t dh_epochs_copy(void *epochs, uint64_t cell, uint64_t address, uint64_t span) {
    struct dh_epochs *e = epochs;
    if (!dh_cell_is_record(cell)) return cell;
    struct dh_replay_record old = e->records[dh_cell_record(cell)];
    return record_of(e, old.list, old.count);
}

void dh_epochs_drop(void *epochs, uint64_t cell) {
    struct dh_epochs *e = epochs;
    if (!dh_cell_is_record(cell)) return;
    uint32_t number = dh_cell_record(cell);
    struct dh_replay_record *r = &e->records[number];
    dh_arena_return(e->memory, r->list, r->room * sizeof *r->list);
    *r = (struct dh_replay_record){0};
    e->free_records = dh_arena_grow(e->memory, e->free_records, &e->free_record_room,
                                    (uint64_t)e->free_record_count + 1, sizeof *e->free_records);
    e->free_records[e->free_record_count++] = number;
}

/* ---- collection ---- */

bool dh_epochs_short(struct dh_epochs const *e) {
    return e->ids.refused > e->ids.patience || e->units.refused > e->units.patience;
}

struct collection {
    struct dh_epochs *epochs;
    uint64_t *used;  /* a bit an id */
    uint32_t *moved; /* by old unit of a set: the new one */
    struct dh_epochs new;
};

static void use(struct collection *c, dh_epoch_id id) { c->used[id / 64] |= 1ull << (id % 64); }

static dh_word word_kept(struct collection *c, dh_word w) {
    if (w == 0) return w;
    if (!dh_word_is_set(w)) {
        use(c, dh_word_epoch_id(w));
        return w;
    }
    uint32_t count, *moved = &c->moved[dh_word_set_id(w)];
    uint32_t const *words = dh_set_words(&c->epochs->tables, w, &count);
    if (*moved == 0) {
        dh_word set;
        for (uint32_t i = 0; i < count; i++)
            use(c, dh_word_epoch_id(words[i]));
        word_for(&c->new, words, count, &set); /* no more room is needed than there was */
        *moved = dh_word_set_id(set);
    }
    return DH_WORD_OBJECT | *moved << DH_WORD_ID_SHIFT | dh_word_mask(w);
}

static uint64_t cell_kept(void *to, uint64_t cell, uint64_t address, uint64_t span, unsigned mask) {
    struct collection *c = to;
    if (!dh_cell_is_record(cell))
        return dh_cell_of(word_kept(c, dh_cell_write(cell)), word_kept(c, dh_cell_read(cell)));
    struct dh_replay_record const *r = &c->epochs->records[dh_cell_record(cell)];
    for (uint32_t i = 0; i < r->count; i++)
        if (r->list[i].id != 0) use(c, r->list[i].id);
    return cell;
}

/* Twice what is in use may be out until the next time. */
static struct dh_ration ration(uint32_t in_use, uint32_t most) {
    struct dh_ration r = {0};
    r.allowed = in_use < most / 2 ? 2 * in_use : most;
    if (r.allowed < COLLECT_LEAST) r.allowed = smaller(COLLECT_LEAST, most);
    if (in_use > most - most / 8) r.patience = most / 4;
    return r;
}

static void free_unused_ids(struct dh_epochs *e, uint64_t const *used) {
    e->free_id_count = 0;
    e->free_ids = dh_arena_grow(e->memory, e->free_ids, &e->free_id_room, e->epoch_count,
                                sizeof *e->free_ids);
    for (dh_epoch_id id = e->epoch_count - 1; id > 0; id--)
        if (!(used[id / 64] >> (id % 64) & 1)) e->free_ids[e->free_id_count++] = id;
    e->ids = ration(e->epoch_count - e->free_id_count, DH_EPOCH_ID_MAX);
}

void dh_epochs_collect(struct dh_epochs *e, struct dh_space *cells) {
    struct collection c = {.epochs = e};
    size_t used_size = (e->epoch_count / 64 + 1) * sizeof *c.used,
           moved_size = e->set_count * sizeof *c.moved;
    c.used = dh_arena_alloc(e->memory, used_size);
    c.moved = dh_arena_alloc(e->memory, moved_size);
    c.new.memory = e->memory;
    c.new.set_count = 1;
    c.new.units.allowed = DH_REPLAY_SET_UNITS;
    dh_space_revise(cells, 0, UINT64_MAX, cell_kept, &c);

    dh_arena_return(e->memory, e->sets, e->set_room * DH_SET_UNIT * sizeof *e->sets);
    dh_arena_return(e->memory, e->known_sets.entries,
                    e->known_sets.room * sizeof *e->known_sets.entries);
    e->sets = c.new.sets;
    e->set_count = c.new.set_count;
    e->set_room = c.new.set_room;
    e->known_sets = c.new.known_sets;
    e->units = ration(e->set_count, DH_REPLAY_SET_UNITS);
    free_unused_ids(e, c.used);
    tables_changed(e);
    e->collections++;
    dh_arena_return(e->memory, c.used, used_size);
    dh_arena_return(e->memory, c.moved, moved_size);
}
