#include "report/fingerprint.h"
#include "report/out.h"

/* FNV-1a, finished with a mix so that sums of two are as good as one. */
static uint64_t const hash_start = 0xcbf29ce484222325u;

static uint64_t hash_byte(uint64_t hash, unsigned char byte) {
    return (hash ^ byte) * 0x100000001b3u;
}

static uint64_t hash_number(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++)
        hash = hash_byte(hash, (unsigned char)(value >> 8 * i));
    return hash;
}

/* With its end, so that "ab", "c" is not "a", "bc"; and null is not "". */
static uint64_t hash_text(uint64_t hash, char const *text) {
    if (!text) return hash_byte(hash, 1);
    for (; *text; text++)
        hash = hash_byte(hash, (unsigned char)*text);
    return hash_byte(hash, 0);
}

static uint64_t hash_finish(uint64_t hash) {
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 33;
}

/* Only the innermost source-level frame: what is inlined into what changes with optimisation, and
 * the callers say who came by, not what is wrong. */
static uint64_t hash_frame(uint64_t hash, struct dh_frame const *frame) {
    hash = hash_text(hash, frame->function);
    bool placed = frame->function && frame->line != 0;
    if (placed && frame->start_line != 0 && frame->line >= frame->start_line)
        return hash_number(hash, frame->line - frame->start_line);
    if (placed) return hash_number(hash, frame->line);
    hash = hash_text(hash, frame->module ? out_basename(frame->module) : 0);
    return hash_number(hash, frame->module ? frame->module_offset : 0);
}

static uint64_t hash_side(struct dh_side const *side) {
    uint64_t hash = hash_number(hash_start, side->flags);
    hash = hash_text(hash, side->field);
    if (side->stack.count > 0) hash = hash_frame(hash, &side->stack.frames[0]);
    return hash_finish(hash);
}

/* Only globals have a name from both sides: a local is named when the race is found on its own
 * stack, and whether a heap block is still remembered is luck. */
uint64_t dh_race_fingerprint(struct dh_race const *race) {
    struct dh_object const *object = &race->object;
    bool global = object->memory == DH_MEMORY_GLOBAL;
    uint64_t hash =
        hash_number(hash_start, hash_side(&race->sides[0]) + hash_side(&race->sides[1]));
    hash = hash_text(hash, global ? object->name : 0);
    hash = hash_text(hash, global ? object->field : 0);
    hash = hash_finish(hash);
    return hash != 0 ? hash : 1;
}
