#include "rt/libraries.h"
#include "rt/heap.h"
#include "rt/history.h"
#include "rt/state.h"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- what is loaded ---- */

struct dh_loaded {
    char const *path;
    uintptr_t low, high, bias;
    ElfW(Phdr) const *segments;
    uint16_t segment_count;
    bool stays;
    struct dh_loaded *next;
};

static struct dh_loaded loaded_of(struct dl_phdr_info const *object) {
    struct dh_loaded l = {.path = object->dlpi_name,
                          .low = UINTPTR_MAX,
                          .bias = object->dlpi_addr,
                          .segments = object->dlpi_phdr,
                          .segment_count = object->dlpi_phnum};
    for (uint16_t i = 0; i < l.segment_count; i++) {
        ElfW(Phdr) const *s = &l.segments[i];
        if (s->p_type != PT_LOAD) continue;
        uintptr_t low = l.bias + s->p_vaddr, high = low + s->p_memsz;
        if (low < l.low) l.low = low;
        if (high > l.high) l.high = high;
    }
    l.low &= ~(uintptr_t)4095;
    return l;
}

/* ---- what was unloaded ---- */

static struct dh_mutex lock;
static struct dh_unloaded *unloaded; /* newest first; published with release */

static struct dh_library_file file_of(char const *path) {
    struct stat s;
    if (*path == 0 || dh_syscall(SYS_newfstatat, (long)AT_FDCWD, path, &s, 0l) != 0)
        return (struct dh_library_file){0};
    return (struct dh_library_file){s.st_dev, s.st_ino, (uint64_t)s.st_size,
                                    (uint64_t)s.st_mtim.tv_sec * 1000000000
                                        + (uint64_t)s.st_mtim.tv_nsec};
}

static bool same_file(struct dh_library_file const *a, struct dh_library_file const *b) {
    return a->inode != 0 && dh_compare(a, b, sizeof *a) == 0;
}

bool dh_unloaded_intact(struct dh_unloaded const *gone) {
    struct dh_library_file now = file_of(gone->path);
    return same_file(&now, &gone->file);
}

static bool overlap(struct dh_unloaded const *u, uintptr_t low, uintptr_t high) {
    return u->low < high && low < u->high;
}

/* The newest that was there. */
static struct dh_unloaded *unloaded_at(uintptr_t low, uintptr_t high) {
    struct dh_unloaded *u = __atomic_load_n(&unloaded, __ATOMIC_ACQUIRE);
    while (u && !overlap(u, low, high))
        u = u->older;
    return u;
}

/* A library that comes and goes at one place again and again is remembered once. */
static void remember(struct dh_loaded const *l, struct dh_library_file file) {
    dh_critical_enter();
    dh_mutex_lock(&lock);
    struct dh_unloaded *last = unloaded_at(l->low, l->high);
    if (last && last->low == l->low && last->high == l->high && last->bias == l->bias
        && same_file(&last->file, &file)) {
        last->mark = dh_stack_next();
    } else {
        struct dh_unloaded *u = dh_alloc(sizeof *u);
        size_t room = dh_length(l->path) + 1;
        *u = (struct dh_unloaded){.number = unloaded ? unloaded->number + 1 : 1,
                                  .path = dh_copy(dh_alloc(room), l->path, room),
                                  .low = l->low,
                                  .high = l->high,
                                  .bias = l->bias,
                                  .file = file,
                                  .mark = dh_stack_next(),
                                  .older = unloaded};
        __atomic_store_n(&unloaded, u, __ATOMIC_RELEASE);
    }
    dh_mutex_unlock(&lock);
    dh_critical_leave();
}

/* Of several that were at this place the one whose time the stack is from: the oldest that was
 * unloaded after it was taken. */
struct dh_unloaded const *dh_unloaded_find(dh_stack_id stack, uintptr_t pc) {
    struct dh_unloaded const *found = 0;
    for (struct dh_unloaded *u = __atomic_load_n(&unloaded, __ATOMIC_ACQUIRE); u; u = u->older)
        if (stack < u->mark && overlap(u, pc - 1, pc)) found = u;
    return found;
}

/* ---- dlopen ---- */

struct search {
    uintptr_t address;
    struct dh_loaded found;
    size_t tls_module;
};

static int visit(struct dl_phdr_info *object, size_t size, void *argument) {
    (void)size;
    struct search *s = argument;
    struct dh_loaded l = loaded_of(object);
    if (s->address < l.low || s->address >= l.high) return 0;
    s->found = l;
    s->tls_module = object->dlpi_tls_modid;
    return 1;
}

static bool has_static_tls(struct dh_loaded const *l) {
    for (uint16_t i = 0; i < l->segment_count; i++) {
        if (l->segments[i].p_type != PT_DYNAMIC) continue;
        ElfW(Dyn) const *d = (ElfW(Dyn) const *)(l->bias + l->segments[i].p_vaddr);
        for (; d->d_tag != DT_NULL; d++)
            if (d->d_tag == DT_FLAGS) return d->d_un.d_val & DF_STATIC_TLS;
    }
    return false;
}

extern void *__tls_get_addr(size_t const *module_and_offset);

/* Such variables are in the block below the thread pointer that every thread has, all at the same
 * distance from it. Others have come from malloc: all that was built with deadheat asks for such
 * variables, the runtime's own, and need not have any itself. */
static void forget_tls(size_t module, size_t size) {
    size_t const start[2] = {module, 0};
    uintptr_t first = (uintptr_t)__tls_get_addr(start);
    struct dh_block block;
    if (dh_heap_find(first, &block) && !block.freed) return;
    uintptr_t distance = (uintptr_t)__builtin_thread_pointer() - first;
    dh_memory_fresh((void *)first, size);
    for (struct dh_thread *t = dh_all_threads(); t; t = t->next)
        if (t->life == DH_RUNNING && t->handle)
            dh_memory_fresh((void *)(t->handle - distance), size);
}

/* Stacks from before must not be taken for stacks from now on. */
static void begin_generation(void) {
    dh_world_stop();
    dh_stack_generation++;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        dh_contexts_interrupt(t);
    dh_world_go();
}

struct dh_code dh_code_around(uintptr_t pc) {
    struct search s = {.address = pc};
    if (!dl_iterate_phdr(visit, &s)) return (struct dh_code){0};
    for (uint16_t i = 0; i < s.found.segment_count; i++) {
        ElfW(Phdr) const *part = &s.found.segments[i];
        uintptr_t low = s.found.bias + part->p_vaddr, high = low + part->p_memsz;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X && low <= pc && pc < high)
            return (struct dh_code){low, high};
    }
    return (struct dh_code){0};
}

static int count(struct dl_phdr_info *object, size_t size, void *loaded) {
    (void)size;
    *(uint64_t *)loaded = object->dlpi_adds;
    return 1;
}

uint64_t dh_libraries_loaded(void) {
    uint64_t loaded = 0;
    dl_iterate_phdr(count, &loaded);
    return loaded;
}

void dh_library_starts(uintptr_t pc) {
    struct search s = {.address = pc};
    if (!dl_iterate_phdr(visit, &s)) return;
    struct dh_loaded const *l = &s.found;
    struct dh_unloaded const *before = unloaded_at(l->low, l->high);
    struct dh_library_file file = file_of(l->path);
    if (before && (before->bias != l->bias || !same_file(&before->file, &file))) begin_generation();
    for (uint16_t i = 0; i < l->segment_count; i++) {
        ElfW(Phdr) const *segment = &l->segments[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_W)
            dh_memory_fresh((void *)(l->bias + segment->p_vaddr), segment->p_memsz);
        if (segment->p_type == PT_TLS && has_static_tls(l))
            forget_tls(s.tls_module, segment->p_memsz);
    }
}

/* ---- dlclose ---- */

struct listing {
    struct dh_arena *arena;
    struct dh_loaded *list;
};

static char const *absolute(struct dh_arena *arena, char const *path) {
    enum { ROOM = 4096 };
    size_t length = dh_length(path);
    if (length == 0 || path[0] == '/') return dh_arena_text(arena, path, length);
    char *whole = dh_arena_alloc(arena, ROOM + length + 2);
    long used = dh_syscall(SYS_getcwd, whole, (long)ROOM); /* with the zero */
    if (used <= 1 || whole[0] != '/') return dh_arena_text(arena, path, length);
    dh_format(whole + used - 1, length + 2, "/%s", path);
    return whole;
}

static int list_one(struct dl_phdr_info *object, size_t size, void *argument) {
    (void)size;
    struct listing *l = argument;
    struct dh_loaded *item = dh_arena_alloc(l->arena, sizeof *item);
    *item = loaded_of(object);
    item->path = absolute(l->arena, item->path);
    ElfW(Phdr) *segments = dh_arena_alloc(l->arena, item->segment_count * sizeof *segments);
    item->segments = dh_copy(segments, item->segments, item->segment_count * sizeof *segments);
    item->next = l->list;
    l->list = item;
    return 0;
}

struct dh_loaded *dh_libraries_note(struct dh_arena *arena) {
    struct listing l = {.arena = arena};
    dl_iterate_phdr(list_one, &l);
    return l.list;
}

static int still_there(struct dl_phdr_info *object, size_t size, void *argument) {
    (void)size;
    struct dh_loaded now = loaded_of(object);
    for (struct dh_loaded *l = argument; l; l = l->next)
        if (l->low == now.low && l->bias == now.bias) l->stays = true;
    return 0;
}

static bool is_mapped(uintptr_t from, uintptr_t to) {
    unsigned char resident;
    for (uintptr_t a = from & ~(uintptr_t)4095; a < to; a += 4096)
        if (dh_syscall(SYS_mincore, a, 1l, &resident, 0l, 0l, 0l) == 0) return true;
    return false;
}

/* What is mapped there already has lost the history by itself. */
static void forget_data(struct dh_loaded const *l) {
    for (uint16_t i = 0; i < l->segment_count; i++) {
        ElfW(Phdr) const *s = &l->segments[i];
        uintptr_t from = l->bias + s->p_vaddr;
        if (s->p_type != PT_LOAD || !(s->p_flags & PF_W) || is_mapped(from, from + s->p_memsz))
            continue;
        dh_memory_fresh((void *)from, s->p_memsz);
    }
}

bool dh_libraries_gone(struct dh_loaded const *before) {
    bool any = false;
    dl_iterate_phdr(still_there, (void *)before);
    for (struct dh_loaded const *l = before; l; l = l->next) {
        if (l->stays || l->high == 0) continue;
        remember(l, file_of(l->path));
        forget_data(l);
        any = true;
    }
    return any;
}

void dh_library_ends(uintptr_t address, struct dh_here here) {
    struct search s = {.address = address};
    if (!dl_iterate_phdr(visit, &s)) return;
    for (uint16_t i = 0; i < s.found.segment_count; i++) {
        ElfW(Phdr) const *segment = &s.found.segments[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_W)
            dh_memory_dies((void *)(s.found.bias + segment->p_vaddr), segment->p_memsz, here);
    }
}
