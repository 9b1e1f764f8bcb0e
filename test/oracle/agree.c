#include "agree.h"

#include "detect/events.h"

#include <stdio.h>
#include <stdlib.h>

static struct agree *running; /* for the callbacks, which know their side only */

static uint64_t bits_of(struct agree const *a, uint64_t address, uint64_t size) {
    uint64_t bits = 0;
    if (!a->bytes) {
        if (address >= a->watched) return 0;
        uint64_t upto = a->watched - address;
        return (size < upto ? (1ull << size) - 1 : (upto < 64 ? (1ull << upto) - 1 : ~0ull))
               << address;
    }
    for (uint32_t i = 0; i < a->watched; i++)
        if (a->bytes[i] - address < size) bits |= 1ull << i;
    return bits;
}

static void found(void *to, struct dh_finding const *finding) {
    struct agree_side *side = to;
    side->event |= bits_of(running, finding->address, finding->size);
    if (side->count == AGREE_FINDINGS) {
        fprintf(stderr, "agree: too many findings for one event\n");
        exit(2);
    }
    side->findings[side->count++] = *finding;
}

void agree_begin(struct agree *a, struct dh_detector const *const *detectors, uint32_t count,
                 uint64_t const *bytes, uint32_t watched) {
    a->sides = 0;
    a->side[a->sides++].detector = &dh_definition;
    for (uint32_t i = 0; i < count; i++)
        if (detectors[i] != &dh_definition) a->side[a->sides++].detector = detectors[i];
    for (uint32_t i = 0; i < a->sides; i++) {
        struct agree_side *s = &a->side[i];
        s->memory = (struct dh_arena){0};
        s->state = s->detector->create(&s->memory, found, s);
        s->racy = 0;
    }
    a->bytes = bytes;
    a->watched = watched;
    a->events = 0;
    a->differing = 0;
}

void agree_end(struct agree *a) {
    for (uint32_t i = 0; i < a->sides; i++)
        dh_arena_release(&a->side[i].memory);
}

void agree_save(struct agree const *a, struct agree_copy *copy) {
    for (uint32_t i = 0; i < a->sides; i++) {
        dh_arena_save(&a->side[i].memory, &copy->memory[i]);
        copy->racy[i] = a->side[i].racy;
    }
    copy->events = a->events;
}

void agree_restore(struct agree *a, struct agree_copy const *copy) {
    for (uint32_t i = 0; i < a->sides; i++) {
        dh_arena_restore(&a->side[i].memory, &copy->memory[i]);
        a->side[i].racy = copy->racy[i];
    }
    a->events = copy->events;
}

/* ---- what is said about the other side ---- */

/* The definition has found this pair, on all these bytes. */
static bool is_pair(struct agree const *a, uint64_t other, uint64_t address, uint64_t last) {
    struct agree_side const *definition = &a->side[0];
    for (uint32_t i = 0; i < definition->count; i++) {
        struct dh_finding const *f = &definition->findings[i];
        if (f->first == other && f->address <= address && address <= f->address + (f->size - 1)) {
            uint64_t end = f->address + (f->size - 1);
            if (end >= last) return true;
            address = end + 1;
            i = UINT32_MAX; /* again from the start, for the rest */
        }
    }
    return false;
}

/* Since event `from`, nobody allocated any of the bytes. */
static bool same_life(struct agree const *a, uint32_t from, struct dh_finding const *f) {
    for (uint32_t i = from + 1; i < a->events; i++)
        if (a->trace[i].op == DH_OP_ALLOC && a->trace[i].address <= f->address + (f->size - 1)
            && f->address <= dh_event_last_byte(&a->trace[i]))
            return false;
    return true;
}

static bool true_other_side(struct agree const *a, struct dh_finding const *f) {
    bool any = false;
    for (uint64_t i = f->first; i <= f->last && i < a->events - 1; i++) {
        struct dh_trace_event const *e = &a->trace[i];
        if (e->thread != f->other_thread || dh_event_kind(e) != f->other_kind
            || e->address > f->address + (f->size - 1) || f->address > dh_event_last_byte(e)
            || !same_life(a, (uint32_t)i, f))
            continue;
        uint64_t from = e->address > f->address ? e->address : f->address,
                 last = f->address + (f->size - 1);
        if (dh_event_last_byte(e) < last) last = dh_event_last_byte(e);
        if (!is_pair(a, i, from, last)) return false;
        any = true;
    }
    return any;
}

static char message[200];

static char const *differs(struct agree_side const *s, char const *what) {
    snprintf(message, sizeof message, "%s: %s", s->detector->name, what);
    return message;
}

static char const *compare(struct agree *a, struct agree_side const *s) {
    struct agree_side const *definition = &a->side[0];
    if (!s->detector->precise) {
        a->differing += s->racy != definition->racy;
        return NULL;
    }
    if (s->racy & ~definition->racy) return differs(s, "a byte that is not racy");
    if (definition->racy & ~s->racy) return differs(s, "a racy byte is missed");
    if (s->event & ~definition->event) return differs(s, "this event does not race on that byte");
    if (s->detector->every_event && s->event != definition->event)
        return differs(s, "this event races on a byte, and it is not said");
    for (uint32_t i = 0; i < s->count; i++)
        if (!true_other_side(a, &s->findings[i]))
            return differs(s, "what it names as the other side does not race");
    return NULL;
}

char const *agree_step(struct agree *a, struct dh_trace_event const *event) {
    uint32_t index = a->events++;
    a->trace[index] = *event;
    running = a;
    uint64_t new = event->op == DH_OP_ALLOC ? bits_of(a, event->address, event->size) : 0;
    for (uint32_t i = 0; i < a->sides; i++) {
        struct agree_side *s = &a->side[i];
        s->event = s->count = 0;
        s->detector->step(s->state, index, event);
        s->racy = (s->racy & ~new) | s->event;
    }
    for (uint32_t i = 1; i < a->sides; i++) {
        char const *wrong = compare(a, &a->side[i]);
        if (wrong) return wrong;
    }
    return NULL;
}
