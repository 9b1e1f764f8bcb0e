/* As dlsym does it (glibc's elf/dl-lookup.c): the objects in the order in which they were loaded;
 * in each the hash table of DT_GNU_HASH; of a name with versions the default one, whose entry is
 * not hidden. Whatever is less common than that is left to dlsym. */
#include "rt/intercept/exports.h"
#include "rt/base.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

enum { OBJECTS = 64, HIDDEN = 0x8000 };

static struct object {
    uintptr_t base;
    ElfW(Sym) const *symbols;
    char const *names;
    ElfW(Half) const *versions; /* null: it has none */
    ElfW(Addr) const *bloom;
    uint32_t const *buckets, *chains; /* chains[i] is of symbol i */
    uint32_t bucket_count, bloom_mask, bloom_shift;
} objects[OBJECTS];

static struct {
    uint32_t count;
    bool first, unusual;
} found;

/* The loader has made addresses of them, but where it cannot write. */
static void const *pointer(uintptr_t base, ElfW(Dyn) const *d) {
    return (void const *)(d->d_un.d_ptr < base ? base + d->d_un.d_ptr : d->d_un.d_ptr);
}

static bool object_read(struct object *o, uintptr_t base, ElfW(Dyn) const *d) {
    uint32_t const *hash = 0;
    *o = (struct object){.base = base};
    for (; d->d_tag != DT_NULL; d++)
        switch (d->d_tag) {
        case DT_SYMTAB: o->symbols = pointer(base, d); break;
        case DT_STRTAB: o->names = pointer(base, d); break;
        case DT_VERSYM: o->versions = pointer(base, d); break;
        case DT_GNU_HASH: hash = pointer(base, d); break;
        default: break;
        }
    if (!hash || !o->symbols || !o->names) return false;
    uint32_t const first_symbol = hash[1], bloom_words = hash[2];
    o->bucket_count = hash[0];
    o->bloom_mask = bloom_words - 1;
    o->bloom_shift = hash[3];
    o->bloom = (ElfW(Addr) const *)(hash + 4);
    o->buckets = (uint32_t const *)(o->bloom + bloom_words);
    o->chains = o->buckets + o->bucket_count - first_symbol;
    return o->bucket_count != 0 && bloom_words != 0;
}

static bool holds(struct dl_phdr_info const *info, void const *code) {
    uintptr_t const at = (uintptr_t)code - info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        ElfW(Phdr) const *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && at - part->p_vaddr < part->p_memsz) return true;
    }
    return false;
}

/* The kernel's own object is on the list, but nothing is bound to it. */
static int note_object(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    if (!found.first) {
        found.first = true;
        found.unusual = !holds(info, (void const *)&dh_exports_begin);
        return found.unusual;
    }
    uintptr_t const kernel = getauxval(AT_SYSINFO_EHDR);
    if (kernel != 0 && (uintptr_t)info->dlpi_phdr - kernel < 4096) return 0;
    ElfW(Dyn) const *dynamic = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (ElfW(Dyn) const *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (found.count == OBJECTS || !dynamic
        || !object_read(&objects[found.count++], info->dlpi_addr, dynamic))
        found.unusual = true;
    return found.unusual;
}

bool dh_exports_begin(void) {
    found.count = 0;
    found.first = found.unusual = false;
    dl_iterate_phdr(note_object, 0);
    return !found.unusual && found.count != 0;
}

/* The symbol of that name that is to be had without naming a version; null if there is none. */
static ElfW(Sym) const *symbol_of(struct object const *o, char const *name, uint32_t hash) {
    uint32_t const bits = 8 * sizeof *o->bloom;
    ElfW(Addr) const word = o->bloom[hash / bits & o->bloom_mask];
    if ((word >> hash % bits & word >> (hash >> o->bloom_shift) % bits & 1) == 0) return 0;
    uint32_t i = o->buckets[hash % o->bucket_count];
    if (i == 0) return 0;
    for (;; i++) {
        ElfW(Sym) const *s = &o->symbols[i];
        if ((o->chains[i] ^ hash) <= 1 && s->st_shndx != SHN_UNDEF && s->st_value != 0
            && !(o->versions && (o->versions[i] & HIDDEN))
            && dh_same_text(o->names + s->st_name, name))
            return s;
        if (o->chains[i] & 1) return 0;
    }
}

bool dh_exports_find(char const *name, void **function) {
    uint32_t hash = 5381;
    for (unsigned char const *c = (unsigned char const *)name; *c; c++)
        hash = hash * 33 + *c;
    *function = 0;
    for (uint32_t o = 0; o < found.count; o++) {
        ElfW(Sym) const *s = symbol_of(&objects[o], name, hash);
        if (!s) continue;
        unsigned const binding = ELF64_ST_BIND(s->st_info), type = ELF64_ST_TYPE(s->st_info);
        void *at = (void *)(objects[o].base + s->st_value);
        if (binding != STB_GLOBAL && binding != STB_WEAK) return false;
        if (type == STT_GNU_IFUNC)
            *function = ((void *(*)(void))at)(); /* says which of several it is */
        else if (type == STT_FUNC)
            *function = at;
        return *function != 0;
    }
    return true;
}
