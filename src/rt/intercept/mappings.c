#include "rt/intercept/mappings.h"
#include "rt/critical.h"

struct span {
    uintptr_t from, to;
};

/* In no order: there are few, and they are asked for rarely. */
static struct dh_mutex lock;
static struct span *spans;
static uint32_t count, room;

static void enter(void) {
    dh_critical_enter();
    dh_mutex_lock(&lock);
}

static void leave(void) {
    dh_mutex_unlock(&lock);
    dh_critical_leave();
}

static void add_locked(uintptr_t from, uintptr_t to) {
    if (from >= to) return;
    spans = dh_grow(spans, count, &room, sizeof *spans);
    spans[count++] = (struct span){from, to};
}

/* What is left of a span that is cut goes to the end of the list, and is not cut again. */
static void cut_locked(uintptr_t from, uintptr_t to) {
    for (uint32_t i = count; i-- > 0;) {
        struct span s = spans[i];
        if (s.to <= from || to <= s.from) continue;
        spans[i] = spans[--count];
        add_locked(s.from, from);
        add_locked(to, s.to);
    }
}

void dh_mapping_set(void const *p, size_t size, bool foreign) {
    uintptr_t from = (uintptr_t)p, to = from + size;
    if (!foreign && __atomic_load_n(&count, __ATOMIC_RELAXED) == 0) return;
    enter();
    cut_locked(from, to);
    if (foreign) add_locked(from, to);
    leave();
}

bool dh_mapping_foreign(void const *p, size_t size) {
    uintptr_t from = (uintptr_t)p, to = from + size;
    bool found = false;
    enter();
    for (uint32_t i = 0; i < count && !found; i++)
        found = spans[i].from < to && from < spans[i].to;
    leave();
    return found;
}

size_t dh_mapping_size(void const *p) {
    size_t size = 0;
    enter();
    for (uint32_t i = 0; i < count && size == 0; i++)
        if (spans[i].from == (uintptr_t)p) size = spans[i].to - spans[i].from;
    leave();
    return size;
}
