#include "rt/modules.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* ---- reading ---- */

/* Copying through the kernel turns a fault into an error. Where a sandbox forbids that call, plain
 * copying of what /proc has just shown as mapped is the best there is. */
bool dh_memory_read(void *to, uintptr_t from, size_t size) {
    struct iovec local = {to, size}, remote = {(void *)from, size};
    long pid = dh_syscall(SYS_getpid);
    long n = dh_syscall(SYS_process_vm_readv, pid, &local, 1l, &remote, 1l, 0l);
    if (n == -EPERM || n == -ENOSYS) {
        dh_copy(to, (void const *)from, size);
        return true;
    }
    return n == (long)size;
}

static bool file_read(int fd, void *to, uint64_t offset, size_t size) {
    for (char *at = to; size > 0;) {
        long n = dh_syscall(SYS_pread64, (long)fd, at, size, offset);
        if (n == -EINTR) continue;
        if (n <= 0) return false;
        at += n, offset += (uint64_t)n, size -= (size_t)n;
    }
    return true;
}

static int file_open(char const *path) {
    return (int)dh_syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDONLY | O_CLOEXEC), 0l);
}

static void file_close(int fd) { dh_syscall(SYS_close, (long)fd); }

/* ---- /proc/self/maps ---- */

/* The whole file, with a zero behind it; null if it cannot be read. */
static char *read_maps(struct dh_arena *arena) {
    int fd = file_open("/proc/self/maps");
    if (fd < 0) return 0;
    size_t room = 128 << 10, used = 0;
    char *text = dh_arena_alloc(arena, room);
    for (;;) {
        if (room - used < 4097) { /* the kernel fills at most a page at a time */
            char *larger = dh_arena_alloc(arena, room * 2);
            text = dh_copy(larger, text, used);
            room *= 2;
        }
        long n = dh_syscall(SYS_read, (long)fd, text + used, room - used - 1);
        if (n == -EINTR) continue;
        if (n <= 0) break;
        used += (size_t)n;
    }
    file_close(fd);
    text[used] = 0;
    return text;
}

static uint64_t scan_number(char **at, unsigned base) {
    uint64_t value = 0;
    for (;; ++*at) {
        unsigned c = (unsigned char)**at, digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if (base == 16 && c >= 'a' && c <= 'f')
            digit = c - 'a' + 10;
        else
            return value;
        value = value * base + digit;
    }
}

static void skip(char **at, char c) {
    while (**at == c)
        ++*at;
}

/* 7f0c...-7f0c... r-xp 00026000 fe:00 332383    /usr/lib/libc.so.6; ends the line in place */
static void scan_mapping(char **at, struct dh_mapping *m) {
    m->low = scan_number(at, 16);
    skip(at, '-');
    m->high = scan_number(at, 16);
    skip(at, ' ');
    char const *permissions = *at;
    while (**at && **at != ' ' && **at != '\n')
        ++*at;
    m->readable = permissions[0] == 'r';
    m->executable = permissions[0] && permissions[1] && permissions[2] == 'x';
    skip(at, ' ');
    m->offset = scan_number(at, 16);
    skip(at, ' ');
    m->device = scan_number(at, 16) << 32;
    skip(at, ':');
    m->device |= scan_number(at, 16);
    skip(at, ' ');
    m->inode = scan_number(at, 10);
    skip(at, ' ');
    char *path = *at;
    while (**at && **at != '\n')
        ++*at;
    char *end = *at;
    if (*end) *(*at)++ = 0;
    static char const deleted[] = " (deleted)";
    size_t length = sizeof deleted - 1;
    m->deleted = (size_t)(end - path) > length && dh_same_text(end - length, deleted);
    if (m->deleted) end[-(long)length] = 0;
    m->path = path;
}

static void read_mappings(struct dh_modules *modules, struct dh_arena *arena) {
    char *text = read_maps(arena);
    if (!text) return;
    size_t lines = 1;
    for (char const *c = text; *c; c++)
        lines += *c == '\n';
    modules->mappings = dh_arena_alloc(arena, lines * sizeof *modules->mappings);
    while (*text)
        scan_mapping(&text, &modules->mappings[modules->mapping_count++]);
}

/* ---- ELF ---- */

enum { SEGMENTS_MAX = 64, SECTIONS_MAX = 4096, NAMES_MAX = 16 << 20 };

static bool header_valid(Elf64_Ehdr const *header) {
    return dh_compare(header->e_ident, ELFMAG, SELFMAG) == 0
           && header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_phentsize == sizeof(Elf64_Phdr)
           && header->e_phnum > 0 && header->e_phnum <= SEGMENTS_MAX;
}

/* The program headers, from where the start of the file is mapped, or from the file. Their number,
 * 0 if this is not ELF. */
static size_t read_segments(Elf64_Phdr *segments, struct dh_mapping const *start,
                            char const *file) {
    Elf64_Ehdr header;
    if (start && start->readable) {
        if (dh_memory_read(&header, start->low, sizeof header) && header_valid(&header)
            && header.e_phoff + header.e_phnum * sizeof *segments <= start->high - start->low
            && dh_memory_read(segments, start->low + header.e_phoff,
                              header.e_phnum * sizeof *segments))
            return header.e_phnum;
    }
    int fd = file ? file_open(file) : -1;
    if (fd < 0) return 0;
    bool good = file_read(fd, &header, 0, sizeof header) && header_valid(&header)
                && file_read(fd, segments, header.e_phoff, header.e_phnum * sizeof *segments);
    file_close(fd);
    return good ? header.e_phnum : 0;
}

/* Where the module is, given that `code` is a part of it that can be executed. */
static bool place(struct dh_module *module, struct dh_mapping const *code,
                  Elf64_Phdr const *segments, size_t count) {
    uint64_t const page = 4095;
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        Elf64_Phdr const *s = &segments[i];
        found = s->p_type == PT_LOAD && s->p_flags & PF_X && (s->p_offset & ~page) <= code->offset
                && code->offset < s->p_offset + s->p_filesz;
        if (found) module->bias = code->low - (s->p_vaddr - s->p_offset + code->offset);
    }
    module->low = UINTPTR_MAX;
    module->high = 0;
    for (size_t i = 0; i < count && found; i++) {
        if (segments[i].p_type != PT_LOAD) continue;
        uintptr_t low = module->bias + (segments[i].p_vaddr & ~page);
        uintptr_t high = module->bias + segments[i].p_vaddr + segments[i].p_memsz;
        if (low < module->low) module->low = low;
        if (high > module->high) module->high = high;
    }
    return found && module->low <= code->low && code->low < module->high;
}

static bool contains(char const *text, size_t size, char const *what) {
    size_t length = dh_length(what);
    for (size_t i = 0; i + length <= size; i++)
        if (text[i] == what[0] && dh_compare(text + i, what, length) == 0) return true;
    return false;
}

/* Looks for the section that the compiler plugin makes, and for the import that every library built
 * with deadheat has. A file without section headers is taken as foreign. */
static void read_sections(struct dh_module *module, int fd, struct dh_arena *arena) {
    Elf64_Ehdr header;
    if (!file_read(fd, &header, 0, sizeof header) || !header_valid(&header)) return;
    size_t count = header.e_shnum;
    if (header.e_shentsize != sizeof(Elf64_Shdr) || count > SECTIONS_MAX
        || header.e_shstrndx >= count)
        return;
    Elf64_Shdr *sections = dh_arena_alloc(arena, count * sizeof *sections);
    if (!file_read(fd, sections, header.e_shoff, count * sizeof *sections)) return;
    Elf64_Shdr const *names = &sections[header.e_shstrndx];
    if (names->sh_size == 0 || names->sh_size > NAMES_MAX) return;
    char *name = dh_arena_alloc(arena, names->sh_size + 1);
    if (!file_read(fd, name, names->sh_offset, names->sh_size)) return;
    for (size_t i = 0; i < count; i++) {
        Elf64_Shdr const *s = &sections[i];
        if (s->sh_name >= names->sh_size) continue;
        if (dh_same_text(name + s->sh_name, "deadheat_fields") && s->sh_type == SHT_PROGBITS) {
            module->fields = s->sh_offset;
            module->fields_size = s->sh_size;
            module->instrumented = true;
        }
        if (dh_same_text(name + s->sh_name, ".dynstr") && s->sh_size <= NAMES_MAX
            && !module->instrumented) {
            char *strings = dh_arena_alloc(arena, s->sh_size);
            module->instrumented = file_read(fd, strings, s->sh_offset, s->sh_size)
                                   && contains(strings, s->sh_size, "__dh_init_v");
        }
    }
}

static bool is_runtime_library(char const *path) {
    char const *base = path;
    for (; *path; path++)
        if (*path == '/') base = path + 1;
    static char const name[] = "libdeadheat";
    return dh_length(base) >= sizeof name - 1 && dh_compare(base, name, sizeof name - 1) == 0;
}

static void examine(struct dh_module *module, struct dh_arena *arena) {
    int fd = module->file ? file_open(module->file) : -1;
    if (fd >= 0) {
        read_sections(module, fd, arena);
        file_close(fd);
    }
    uintptr_t here = (uintptr_t)&dh_modules_read;
    if (here - module->low < module->high - module->low)
        module->instrumented = !is_runtime_library(module->path);
}

/* ---- the list ---- */

/* The file to open. One that was deleted can still be had if it is the executable. */
static char const *readable_file(struct dh_mapping const *m, struct dh_arena *arena) {
    if (m->inode == 0) return 0;
    if (!m->deleted) return m->path;
    char target[256], name[40];
    long n = dh_syscall(SYS_readlink, "/proc/self/exe", target, sizeof target - 1);
    if (n <= 0) return 0;
    target[n] = 0;
    size_t length = dh_length(m->path);
    if ((size_t)n < length || dh_compare(target, m->path, length) != 0) return 0;
    size_t used =
        dh_format(name, sizeof name, "/proc/%lu/exe", (unsigned long)dh_syscall(SYS_getpid));
    return dh_arena_text(arena, name, used);
}

/* The mapping of the start of the same file, the nearest below. */
static struct dh_mapping const *file_start(struct dh_modules const *modules, size_t i) {
    struct dh_mapping const *m = modules->mappings;
    for (size_t j = i + 1; j-- > 0;)
        if (m[j].inode == m[i].inode && m[j].device == m[i].device && m[j].offset == 0
            && dh_same_text(m[j].path, m[i].path))
            return &m[j];
    return 0;
}

void dh_modules_read(struct dh_modules *modules, struct dh_arena *arena) {
    *modules = (struct dh_modules){0};
    read_mappings(modules, arena);
    size_t codes = 0;
    for (size_t i = 0; i < modules->mapping_count; i++)
        codes += modules->mappings[i].executable;
    modules->list = dh_arena_alloc(arena, codes * sizeof *modules->list);
    Elf64_Phdr *segments = dh_arena_alloc(arena, SEGMENTS_MAX * sizeof *segments);
    /* Files may also be mapped to be read; only a mapping that can be executed speaks for a module.
     */
    for (size_t i = 0; i < modules->mapping_count; i++) {
        struct dh_mapping const *m = &modules->mappings[i];
        bool vdso = dh_same_text(m->path, "[vdso]");
        if (!m->executable || (m->inode == 0 && !vdso) || dh_module_of(modules, m->low)) continue;
        struct dh_module *module = &modules->list[modules->count];
        module->path = m->path;
        module->file = readable_file(m, arena);
        size_t count = read_segments(segments, file_start(modules, i), module->file);
        if (!place(module, m, segments, count)) {
            *module = (struct dh_module){0};
            continue;
        }
        examine(module, arena);
        modules->count++;
    }
}

struct dh_module const *dh_module_of(struct dh_modules const *modules, uintptr_t address) {
    for (size_t i = 0; i < modules->count; i++) {
        struct dh_module const *module = &modules->list[i];
        if (address >= module->low && address < module->high) return module;
    }
    return 0;
}

struct dh_mapping const *dh_mapping_of(struct dh_modules const *modules, uintptr_t address) {
    size_t low = 0, high = modules->mapping_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (modules->mappings[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool inside = low < modules->mapping_count && modules->mappings[low].low <= address;
    return inside ? &modules->mappings[low] : 0;
}

/* ---- call instructions ---- */

/* The length of the FF /2 (call through a register or memory) that starts with these bytes, without
 * a prefix; 0 if it is none. `code` has 7 bytes. */
static unsigned indirect_call_length(unsigned char const *code) {
    if (code[0] != 0xff || (code[1] >> 3 & 7) != 2) return 0;
    unsigned mode = code[1] >> 6, rm = code[1] & 7;
    if (mode == 3) return 2;
    unsigned sib = rm == 4;
    if (mode == 1) return 3 + sib;
    if (mode == 2) return 6 + sib;
    if (rm == 5 || (sib && (code[2] & 7) == 5)) return 6 + sib;
    return 2 + sib;
}

bool dh_follows_call(struct dh_modules const *modules, uintptr_t address) {
    enum { LONGEST = 7 };
    unsigned char before[LONGEST] = {0}, code[LONGEST];
    struct dh_mapping const *m = dh_mapping_of(modules, address - 1);
    if (!m || !m->readable || !m->executable) return false;
    size_t size = address - m->low < LONGEST ? address - m->low : LONGEST;
    if (!dh_memory_read(before + LONGEST - size, address - size, size)) return false;
    if (before[LONGEST - 5] == 0xe8) return true;
    for (unsigned length = 2; length <= LONGEST; length++) {
        dh_fill(code, 0, sizeof code);
        dh_copy(code, before + LONGEST - length, length);
        if (indirect_call_length(code) == length) return true;
    }
    return false;
}

/* ---- the section deadheat_fields ---- */

/* The record's file as the plugin saw it may be relative to a directory that debug information
 * added. */
static bool same_file(char const *full, char const *recorded, size_t length) {
    while (length > 2 && recorded[0] == '.' && recorded[1] == '/')
        recorded += 2, length -= 2;
    size_t whole = dh_length(full);
    if (length == 0 || length > whole || dh_compare(full + whole - length, recorded, length) != 0)
        return false;
    return length == whole || full[whole - length - 1] == '/';
}

/* "file\tline\tcolumn\tname": the name if the place is this one. */
static char const *match_record(char *record, char const *file, uint32_t line, uint32_t column) {
    char *at = record;
    while (*at && *at != '\t')
        at++;
    size_t length = (size_t)(at - record);
    if (*at++ != '\t' || scan_number(&at, 10) != line) return 0;
    if (*at++ != '\t' || scan_number(&at, 10) != column) return 0;
    if (*at++ != '\t' || *at == 0) return 0;
    return same_file(file, record, length) ? at : 0;
}

char const *dh_module_field(struct dh_module const *module, struct dh_arena *arena,
                            char const *file, uint32_t line, uint32_t column) {
    uint64_t size = module->fields_size;
    if (!file || line == 0 || !module->file || size == 0 || size > 256 << 20) return 0;
    int fd = file_open(module->file);
    if (fd < 0) return 0;
    char *records = dh_arena_alloc(arena, size + 1);
    bool good = file_read(fd, records, module->fields, size);
    file_close(fd);
    char const *found = 0;
    for (uint64_t at = 0; good && at < size; at += dh_length(records + at) + 1) {
        char const *name = match_record(records + at, file, line, column);
        if (!name) continue;
        if (found && !dh_same_text(found, name))
            return 0; /* a macro: several accesses at one place */
        found = name;
    }
    return found;
}
