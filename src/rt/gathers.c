/* When a thread has a table of its gathers, and what comes into it. */
#include "rt/gathers.h"
#include "rt/shortest.h"
#include "rt/stats.h"
#include "rt/tape.h"

/* How often a thread began to know something, and how much of that is over for all: then nothing is
 * known. Who finds another at it waits for it. */
static uint64_t begun, over;

void dh_gathers_begun(void) { __atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST); }

void dh_gathers_end_all(void) {
    uint64_t now = __atomic_load_n(&begun, __ATOMIC_SEQ_CST);
    uint64_t was = __atomic_load_n(&over, __ATOMIC_SEQ_CST);
    if (was == now) return;
    dh_live_forget_gathers();
    while (was < now
           && !__atomic_compare_exchange_n(&over, &was, now, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST))
        continue;
}

/* Inside a critical section, in an open epoch. The generation is there before others are told of
 * it, and whoever takes a cell's history away before they see that is done before the cell is looked
 * at for the table. */
static void begin(struct dh_thread *self) {
    if (!self->gathers) self->gathers = dh_alloc(sizeof *self->gathers);
    if (self->gathers->credit != 0) self->gathers_vain = 0;
    DH_COUNT(self, gathers);
    __atomic_store_n(&__dh_tls.gathering, dh_gathers_begin(self->gathers), __ATOMIC_RELAXED);
    dh_gathers_begun();
    __dh_tls.gathered = self->gathers->words;
}

/* Without a table: is it time for one? A tape is to have all that is asked. */
static void missed(struct dh_thread *self) {
    if (self->gathers_missed_in != self->tick) {
        self->gathers_missed_in = self->tick;
        self->gathers_missed = 0;
    }
    uint32_t wanted = DH_GATHER_MISSES << DH_GATHER_LONGER * self->gathers_vain;
    if (++self->gathers_missed < wanted || dh_recording) return;
    self->gathers_missed = 0;
    dh_critical_enter();
    if (__dh_tls.epoch - 1 < DH_WORD_OBJECT) begin(self);
    dh_critical_leave();
}

static void in_vain(struct dh_thread *self) {
    __dh_tls.gathering = 0;
    __dh_tls.gathered = 0;
    if (self->gathers_vain < DH_GATHER_VAIN) self->gathers_vain++;
}

__attribute__((preserve_most)) bool dh_gathers_know(void const *p) {
    uintptr_t const address = (uintptr_t)p;
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self) || address % DH_CELL_BYTES != 0) return false;
    if (!__dh_tls.gathered) {
        missed(self);
        return false;
    }
    dh_critical_enter_known();
    /* The generation before the cell: if somebody ends it in between, the bit is in one that is
     * over. */
    uint32_t const gathering = __atomic_load_n(&__dh_tls.gathering, __ATOMIC_ACQUIRE);
    bool known = __dh_tls.epoch - 1 < DH_WORD_OBJECT
                 && dh_shortest_recorded(address, DH_WORD_BYTES_MASK, DH_READ);
    if (gathering == 0)
        __dh_tls.gathered = 0;
    else if (known && !dh_gathers_put(self->gathers, gathering, address))
        in_vain(self);
    dh_critical_leave();
    return known;
}
