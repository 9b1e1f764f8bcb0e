#include "rt/words.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

void dh_words_add(struct dh_words *words, struct dh_arena *arena, char const *word) {
    if (words->count + 1 >= words->room) {
        size_t room = words->room ? 2 * words->room : 64;
        char const **list = dh_arena_alloc(arena, room * sizeof *list);
        if (words->count) dh_copy(list, words->list, words->count * sizeof *list);
        words->list = list;
        words->room = room;
    }
    words->list[words->count++] = word;
}

bool dh_starts_with(char const *text, char const *start) {
    while (*start && *text == *start)
        text++, start++;
    return *start == 0;
}

/* As the process was started. The C library's `environ` may be changing under our hands. */
static char *read_environment(struct dh_arena *arena, size_t *size) {
    *size = 0;
    long fd = dh_syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/environ",
                         (long)(O_RDONLY | O_CLOEXEC), 0l);
    if (fd < 0) return 0;
    size_t room = 64 << 10;
    char *text = dh_arena_alloc(arena, room);
    for (;;) {
        long n = dh_syscall(SYS_read, fd, text + *size, room - *size - 1);
        if (n == -EINTR) continue;
        if (n <= 0) break;
        *size += (size_t)n;
        if (room - *size > 1) continue;
        char *larger = dh_arena_alloc(arena, 2 * room);
        text = dh_copy(larger, text, *size);
        room *= 2;
    }
    dh_syscall(SYS_close, fd);
    text[*size] = 0;
    return text;
}

char const *dh_words_environment(struct dh_words *words, struct dh_arena *arena) {
    /* LD_PRELOAD and our options are for the program, and debuginfod would go to the network. */
    static char const *const not_for_helper[] = {
        "LD_PRELOAD=", "LD_AUDIT=", "DEADHEAT_OPTIONS=", "DEBUGINFOD_URLS="};
    char const *path = "/usr/local/bin:/usr/bin:/bin";
    size_t size;
    char *text = read_environment(arena, &size);
    for (size_t at = 0; at < size; at += dh_length(text + at) + 1) {
        char const *word = text + at;
        bool keep = *word != 0;
        for (size_t i = 0; i < sizeof not_for_helper / sizeof *not_for_helper; i++)
            keep &= !dh_starts_with(word, not_for_helper[i]);
        if (keep) dh_words_add(words, arena, word);
        if (dh_starts_with(word, "PATH=")) path = word + 5;
    }
    dh_words_add(words, arena, 0);
    return path;
}

void dh_words_add_from_path(struct dh_words *words, struct dh_arena *arena, char const *path,
                            char const *name) {
    while (*path) {
        size_t length = 0;
        while (path[length] && path[length] != ':')
            length++;
        if (length > 0) {
            size_t room = length + dh_length(name) + 2;
            char *word = dh_arena_alloc(arena, room);
            dh_format(word, room, "%.*s/%s", (int)length, path, name);
            dh_words_add(words, arena, word);
        }
        path += length + (path[length] == ':');
    }
}
