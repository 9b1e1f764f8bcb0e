/* The table alone; rt/gathers.h says what it is for. Nothing here may allocate or lock: it is used
 * inside critical sections. */
#include "rt/gathers.h"
#include "rt/base.h"
#include "rt/same.h"

uint32_t dh_gathers_begin(struct dh_gathers *gathers) {
    uint32_t generation = (uint32_t)(gathers->begun++ % (DH_GATHER_GENERATIONS - 1)) + 1;
    if (generation == 1) dh_fill(gathers->words, 0, sizeof gathers->words);
    gathers->credit = DH_GATHER_CREDIT;
    return generation << DH_GATHER_ADDRESS_BITS;
}

bool dh_gathers_put(struct dh_gathers *gathers, uint32_t gathering, uintptr_t address) {
    uintptr_t const cell = gather_cell(address);
    uint64_t *at = &gathers->words[gather_place(address)], word = *at;
    uint64_t const bit = (uint64_t)1 << cell % DH_GATHER_CELLS;
    uint64_t const upper = cell / (DH_GATHER_CELLS * DH_GATHER_WORDS) ^ gathering;
    if (word >> 32 == upper) {
        word |= bit;
        if (gathers->credit < DH_GATHER_CREDIT) gathers->credit++;
    } else {
        if ((word >> 32 ^ gathering) >> DH_GATHER_ADDRESS_BITS == 0)
            gathers->credit -= gathers->credit < DH_GATHER_COST ? gathers->credit : DH_GATHER_COST;
        word = upper << 32 | bit;
    }
    __atomic_store_n(at, word, __ATOMIC_RELAXED);
    return gathers->credit != 0;
}
