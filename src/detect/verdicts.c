#include "detect/verdicts.h"

void dh_verdicts_init(struct dh_verdicts *v, struct dh_arena *memory) {
    v->space = (struct dh_space){.memory = memory};
}

static uint64_t add(void *to, uint64_t value, uint64_t address, uint64_t span, unsigned mask) {
    return value | (uint64_t)mask << 8 * *(unsigned const *)to;
}

void dh_verdicts_add(struct dh_verdicts *v, unsigned side, uint64_t address, uint64_t size) {
    dh_space_update(&v->space, address, address + (size - 1), add, &side);
}

/* Ranges that touch become one. */
struct search {
    unsigned side, but;
    dh_verdict_range *range;
    void *to;
    uint64_t address, size, bytes;
};

static void flush(struct search *s) {
    if (s->size != 0 && s->range) s->range(s->to, s->address, s->size);
    s->bytes += s->size;
    s->size = 0;
}

static void piece(struct search *s, uint64_t address, uint64_t size) {
    if (s->size != 0 && s->address + s->size == address) {
        s->size += size;
        return;
    }
    flush(s);
    s->address = address;
    s->size = size;
}

static void cell(void *to, uint64_t value, uint64_t address, uint64_t span) {
    struct search *s = to;
    unsigned mask = value >> 8 * s->side & 0xff;
    if (s->but < DH_VERDICT_SIDES) mask &= ~(unsigned)(value >> 8 * s->but) & 0xff;
    if (span > 8) { /* all its bytes are alike */
        if (mask) piece(s, address, span);
        return;
    }
    for (unsigned b = 0; b < 8; b++)
        if (mask >> b & 1) piece(s, address + b, 1);
}

uint64_t dh_verdicts_only(struct dh_verdicts const *v, unsigned side, unsigned but,
                          dh_verdict_range *range, void *to) {
    struct search s = {.side = side, .but = but, .range = range, .to = to};
    dh_space_walk(&v->space, cell, &s);
    flush(&s);
    return s.bytes;
}
