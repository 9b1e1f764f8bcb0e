#include "rt/called_from.h"
#include "rt/critical.h"
#include "rt/modules.h"
#include "rt/options.h"
#include "rt/state.h"
#include "rt/suppress.h"

#include <link.h>
#include <sys/syscall.h>

bool dh_calls_ignored;
static struct dh_suppression *patterns;

/* The libraries of the process as they were last looked at. An address in none of them is a reason
 * to look again: whoever calls from a new library is in it. */
struct library {
    uintptr_t low, high;
    bool ignored;
    struct dh_suppression *by; /* counts what is ignored; may be null */
    struct library *next;
};
static struct dh_mutex lock;
static struct library *libraries;

/* Code that is in no library, by page: it was looked for before. */
enum { STRANGERS = 64 };
static uintptr_t strangers[STRANGERS];

/* ---- looking ---- */

struct listing {
    char *path;                /* room for that of the executable */
    struct dh_modules modules; /* with ignore_noninstrumented_modules */
    struct library *list;
};
enum { PATH_ROOM = 4096 };

static struct dh_suppression *pattern_of(char const *path) {
    struct dh_suppression *s = patterns;
    while (s && !(s->kind == DH_SUPPRESS_LIBRARY && dh_suppress_match(s->pattern, path)))
        s = s->next;
    return s;
}

/* What cannot be read was not built with deadheat, for all that is known. */
static bool not_instrumented(struct listing const *listing, uintptr_t code) {
    if (!dh_options.ignore_noninstrumented_modules) return false;
    struct dh_module const *module = dh_module_of(&listing->modules, code);
    return !module || !module->instrumented;
}

static int list_one(struct dl_phdr_info *object, size_t size, void *argument) {
    (void)size;
    struct listing *listing = argument;
    char const *path = object->dlpi_name;
    if (*path == 0) { /* the executable */
        long n = dh_syscall(SYS_readlink, "/proc/self/exe", listing->path, (long)PATH_ROOM - 1);
        listing->path[n > 0 ? n : 0] = 0;
        path = listing->path;
    }
    struct dh_suppression *by = pattern_of(path);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        ElfW(Phdr) const *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        struct library *l = dh_alloc(sizeof *l);
        uintptr_t low = object->dlpi_addr + part->p_vaddr;
        *l = (struct library){low, low + part->p_memsz, by || not_instrumented(listing, low), by,
                              listing->list};
        listing->list = l;
    }
    return 0;
}

static void look_again(void) {
    struct dh_arena arena = {0};
    struct listing listing = {.path = dh_arena_alloc(&arena, PATH_ROOM)};
    if (dh_options.ignore_noninstrumented_modules) dh_modules_read(&listing.modules, &arena);
    dl_iterate_phdr(list_one, &listing);
    dh_arena_free(&arena);
    dh_critical_enter();
    dh_mutex_lock(&lock);
    struct library *old = libraries;
    libraries = listing.list;
    dh_mutex_unlock(&lock);
    dh_critical_leave();
    while (old) {
        struct library *next = old->next;
        dh_free(old, sizeof *old);
        old = next;
    }
}

/* ---- asking ---- */

static bool find(uintptr_t pc, struct library *found) {
    dh_critical_enter();
    dh_mutex_lock(&lock);
    struct library *l = libraries;
    while (l && (pc < l->low || pc >= l->high))
        l = l->next;
    *found = l ? *l : (struct library){0};
    dh_mutex_unlock(&lock);
    dh_critical_leave();
    return l != 0;
}

bool dh_call_ignored_slow(uintptr_t pc) {
    if (dh_options.ignore_interceptors_accesses) return true;
    struct library caller;
    uintptr_t page = pc >> 12, *stranger = &strangers[page % STRANGERS];
    if (!find(pc, &caller)) {
        if (__atomic_load_n(stranger, __ATOMIC_RELAXED) == page) return false;
        look_again();
        if (!find(pc, &caller)) __atomic_store_n(stranger, page, __ATOMIC_RELAXED);
    }
    if (caller.by) __atomic_fetch_add(&caller.by->count, 1, __ATOMIC_RELAXED);
    return caller.ignored;
}

void dh_called_from_init(struct dh_suppression *list) {
    patterns = list;
    dh_calls_ignored =
        dh_options.ignore_interceptors_accesses || dh_options.ignore_noninstrumented_modules;
    for (; list; list = list->next)
        dh_calls_ignored |= list->kind == DH_SUPPRESS_LIBRARY;
}
