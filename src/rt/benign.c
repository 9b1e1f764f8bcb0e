#include "rt/benign.h"
#include "rt/critical.h"

/* Few programs have any, and those have few: a list. */
struct mark {
    uintptr_t from, to;
    struct mark *next;
};

static struct dh_mutex lock;
static struct mark *marks;

void dh_benign_add(uintptr_t address, size_t size) {
    struct mark *m = dh_alloc(sizeof *m);
    dh_critical_enter();
    dh_mutex_lock(&lock);
    *m = (struct mark){address, address + size, marks};
    marks = m;
    dh_mutex_unlock(&lock);
    dh_critical_leave();
}

bool dh_benign(uintptr_t address, size_t size) {
    bool found = false;
    if (!__atomic_load_n(&marks, __ATOMIC_RELAXED)) return false;
    dh_critical_enter();
    dh_mutex_lock(&lock);
    for (struct mark *m = marks; m && !found; m = m->next)
        found = m->from <= address && address + size <= m->to;
    dh_mutex_unlock(&lock);
    dh_critical_leave();
    return found;
}

void dh_benign_gone(uintptr_t address, size_t size) {
    if (!__atomic_load_n(&marks, __ATOMIC_RELAXED)) return;
    dh_critical_enter();
    dh_mutex_lock(&lock);
    for (struct mark **link = &marks; *link;) {
        struct mark *m = *link;
        if (m->from < address + size && address < m->to) {
            *link = m->next;
            dh_free(m, sizeof *m);
        } else {
            link = &m->next;
        }
    }
    dh_mutex_unlock(&lock);
    dh_critical_leave();
}
