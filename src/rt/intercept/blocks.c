/* Which addresses are heap blocks: one bit for each 16 bytes of address space, in pieces of a
 * gigabyte that are reserved when first needed and committed page by page. The bit, not anything in
 * the header, decides what is a block of ours, so that a wild or foreign pointer is never mistaken
 * for one.
 */
#include "rt/intercept/blocks.h"
#include "rt/modules.h"

enum { ADDRESS_BITS = 47, PIECE_BITS = 30, GRAIN_BITS = 4, WORD_BITS = 6 };

#define PIECES ((size_t)1 << (ADDRESS_BITS - PIECE_BITS))
#define PIECE_WORDS ((size_t)1 << (PIECE_BITS - GRAIN_BITS - WORD_BITS))

static uint64_t *pieces[PIECES] DH_TABLE; /* 1 MB, of which a page or two are used */

static size_t piece_of(uintptr_t a) { return a >> PIECE_BITS; }
static size_t word_of(uintptr_t a) { return a >> (GRAIN_BITS + WORD_BITS) & (PIECE_WORDS - 1); }
static uint64_t bit_of(uintptr_t a) { return (uint64_t)1 << (a >> GRAIN_BITS & 63); }

static uint64_t *piece_get(uintptr_t a) {
    return __atomic_load_n(&pieces[piece_of(a)], __ATOMIC_ACQUIRE);
}

static bool possible(uintptr_t a) { return a >> ADDRESS_BITS == 0 && a % 16 == 0; }

bool dh_block_is(void const *p) {
    uintptr_t a = (uintptr_t)p;
    uint64_t *piece = possible(a) ? piece_get(a) : 0;
    return piece && (__atomic_load_n(&piece[word_of(a)], __ATOMIC_RELAXED) & bit_of(a));
}

DH_COLD static uint64_t *piece_new(uintptr_t a) {
    uint64_t *made = dh_reserve(PIECE_WORDS * sizeof *made), *other = 0;
    if (!made) return 0;
    if (__atomic_compare_exchange_n(&pieces[piece_of(a)], &other, made, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    dh_pages_free(made, PIECE_WORDS * sizeof *made);
    return other;
}

bool dh_block_add(void const *p) {
    uintptr_t a = (uintptr_t)p;
    if (!possible(a)) return false;
    uint64_t *piece = piece_get(a);
    if (DH_UNLIKELY(!piece)) piece = piece_new(a);
    if (!piece) return false;
    __atomic_fetch_or(&piece[word_of(a)], bit_of(a), __ATOMIC_RELEASE);
    return true;
}

bool dh_block_remove(void const *p) {
    uintptr_t a = (uintptr_t)p;
    uint64_t *piece = possible(a) ? piece_get(a) : 0;
    return piece
           && (__atomic_fetch_and(&piece[word_of(a)], ~bit_of(a), __ATOMIC_ACQ_REL) & bit_of(a));
}

/* ---- freed blocks ---- */

/* A block's place is a hash of its address, so that nothing is shared between threads that free.
 * Entries are written and read without a lock: a torn one does not have the right check, and is not
 * believed. */
enum { FREED = 1 << 12 };
struct freed {
    uint64_t address, size, origin, check;
};
static struct freed freed[FREED] DH_TABLE;

static uint64_t check_of(struct freed const *f) {
    return (f->address * 31 + f->size) * 31 + f->origin + 1;
}

void dh_block_remember(void const *p) {
    struct dh_block_header const *h = dh_block_header(p);
    struct freed f = {(uintptr_t)p, h->size, (uint64_t)h->thread << 32 | h->stack, 0};
    f.check = check_of(&f);
    struct freed *at = &freed[((uintptr_t)p >> GRAIN_BITS) * 0x9e3779b97f4a7c15u >> 52];
    __atomic_store_n(&at->check, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&at->address, f.address, __ATOMIC_RELEASE);
    __atomic_store_n(&at->size, f.size, __ATOMIC_RELAXED);
    __atomic_store_n(&at->origin, f.origin, __ATOMIC_RELAXED);
    __atomic_store_n(&at->check, f.check, __ATOMIC_RELEASE);
}

static bool find_freed(uintptr_t address, struct dh_block *block) {
    for (struct freed *at = freed; at < freed + FREED; at++) {
        struct freed f;
        f.check = __atomic_load_n(&at->check, __ATOMIC_ACQUIRE);
        f.address = __atomic_load_n(&at->address, __ATOMIC_RELAXED);
        f.size = __atomic_load_n(&at->size, __ATOMIC_RELAXED);
        f.origin = __atomic_load_n(&at->origin, __ATOMIC_RELAXED);
        if (address - f.address >= f.size || f.check != check_of(&f)) continue;
        *block = (struct dh_block){f.address, f.size, (dh_stack_id)f.origin,
                                   (uint32_t)(f.origin >> 32), true};
        return true;
    }
    return false;
}

/* ---- for reports ---- */

/* The highest block at or below the address; 0 if there is none. */
static uintptr_t block_below(uintptr_t address) {
    uint64_t upto = bit_of(address) | (bit_of(address) - 1);
    size_t word = word_of(address);
    for (size_t piece = piece_of(address) + 1; piece-- > 0;
         word = PIECE_WORDS - 1, upto = UINT64_MAX) {
        uint64_t *words = __atomic_load_n(&pieces[piece], __ATOMIC_ACQUIRE);
        if (!words) continue;
        for (size_t w = word + 1; w-- > 0; upto = UINT64_MAX) {
            uint64_t bits = __atomic_load_n(&words[w], __ATOMIC_RELAXED) & upto;
            if (bits == 0) continue;
            uintptr_t bit = 63 - (uintptr_t)__builtin_clzl(bits);
            return (uintptr_t)piece << PIECE_BITS | w << (GRAIN_BITS + WORD_BITS)
                   | bit << GRAIN_BITS;
        }
    }
    return 0;
}

bool dh_heap_find(uintptr_t address, struct dh_block *block) {
    if (address >> ADDRESS_BITS) return false;
    uintptr_t start = block_below(address);
    struct dh_block_header h;
    /* Another thread may be freeing it: the header is read as memory that could be gone. */
    if (start && dh_memory_read(&h, start - sizeof h, sizeof h) && address - start < h.size) {
        *block = (struct dh_block){start, h.size, h.stack, h.thread, false};
        return true;
    }
    return find_freed(address, block);
}
