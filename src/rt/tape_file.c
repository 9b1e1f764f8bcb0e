#include "rt/tape_file.h"
#include "rt/errors.h"
#include "rt/options.h"
#include "rt/spawn.h"
#include "rt/tape.h"
#include "rt/words.h"
#include "trace/encode.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static struct {
    struct dh_mutex lock;
    enum { UNDECIDED, PACKED, RAW, FAILED } way;
    char *path;  /* absolute */
    size_t base; /* its length without a process's number */
    uint64_t blocks;
    struct dh_child packer;
} file;

/* ---- what goes wrong ---- */

/* Threads that are recording now find `way`, and do no harm. */
static void give_up(char const *what, int error) {
    if (file.way == FAILED) return;
    if (file.way == PACKED) dh_spawn_end(&file.packer);
    file.way = FAILED;
    dh_recording = false;
    dh_message("record=%s %s (%s): nothing more is recorded", file.path, what,
               dh_error_text(error));
}

/* ---- the two ways ---- */

/* The file is opened for each block: a descriptor that stays open is one that the program can
 * close. */
static int append(void const *bytes, size_t size, long flags) {
    long fd = dh_syscall(SYS_openat, (long)AT_FDCWD, file.path,
                         (long)(O_WRONLY | O_CREAT | O_CLOEXEC) | flags, 0666l);
    if (fd < 0) return (int)-fd;
    int error = 0;
    for (size_t done = 0; done < size && !error;) {
        long n = dh_syscall(SYS_write, fd, (char const *)bytes + done, size - done);
        if (n < 0 && n != -EINTR) error = (int)-n;
        if (n > 0) done += (size_t)n;
    }
    dh_syscall(SYS_close, fd);
    return error;
}

static int send_all(void const *bytes, size_t size) {
    if (!dh_spawn_intact(&file.packer)) return EBADF;
    for (size_t done = 0; done < size;) {
        long n = dh_syscall(SYS_sendto, (long)file.packer.socket, (char const *)bytes + done,
                            size - done, (long)MSG_NOSIGNAL, 0l, 0l);
        if (n < 0 && n != -EINTR) return (int)-n;
        if (n > 0) done += (size_t)n;
    }
    return 0;
}

/* The command is beside the runtime's libraries where it was built or installed. */
static void choose_paths(struct dh_words *words, struct dh_arena *arena, char const *path) {
    char const *wanted = dh_options.packer;
    if (*wanted) {
        dh_words_add(words, arena, wanted);
    } else {
        dh_words_add(words, arena, DH_COMMAND_INSTALLED);
        dh_words_add(words, arena, DH_COMMAND_BUILT);
        dh_words_add_from_path(words, arena, path, "deadheat");
    }
    dh_words_add(words, arena, 0);
}

static int start_packer(void) {
    struct dh_arena arena = {0};
    struct dh_words environment = {0}, paths = {0};
    char const *path = dh_words_environment(&environment, &arena);
    choose_paths(&paths, &arena, path);
    char const *const arguments[] = {"deadheat", "pack", file.path, 0};
    int error = dh_spawn(&file.packer, paths.list, arguments, environment.list);
    dh_arena_free(&arena);
    return error;
}

static void put_with(void const *bytes, size_t size, long flags) {
    if (file.way == FAILED) return;
    int error = file.way == PACKED ? send_all(bytes, size) : append(bytes, size, flags);
    if (error) give_up(file.way == PACKED ? "cannot be packed" : "cannot be written", error);
}

static void put(void const *bytes, size_t size) { put_with(bytes, size, O_APPEND); }

/* The file begins here, whatever it was. */
static void put_header(void) {
    struct dh_file_header header = dh_file_header();
    put_with(&header, sizeof header, O_TRUNC);
}

static void decide(void) {
    bool raw = dh_same_text(dh_options.packer, "none");
    int error = raw ? 0 : start_packer();
    if (error)
        dh_message("record=%s: no deadheat command found to pack it (%s); set "
                   "DEADHEAT_OPTIONS=packer=FILE; the trace will be large",
                   file.path, dh_error_text(error));
    file.way = raw || error ? RAW : PACKED;
    put_header();
}

void dh_tape_write(void const *block, size_t size) {
    dh_mutex_lock(&file.lock);
    if (file.way == UNDECIDED) decide();
    put(block, size);
    file.blocks++;
    dh_mutex_unlock(&file.lock);
}

/* ---- beginning and end ---- */

bool dh_tape_open(char const *path) {
    enum { DIRECTORY = 4096, NUMBER = 24 };
    size_t room = DIRECTORY + dh_length(path) + NUMBER;
    file.path = dh_alloc(room);
    size_t used = 0;
    if (*path != '/') {
        long length = dh_syscall(SYS_getcwd, file.path, (long)DIRECTORY); /* with the zero */
        if (length > 1 && file.path[0] == '/') {
            used = (size_t)length;
            file.path[used - 1] = '/';
        }
    }
    dh_copy(file.path + used, path, dh_length(path) + 1);
    file.base = dh_length(file.path);
    int error = append(0, 0, O_TRUNC); /* better said now than at the end */
    if (error) give_up("cannot be written", error);
    return !error;
}

void dh_tape_reopen(void) {
    if (file.way == PACKED) dh_spawn_forget(&file.packer);
    file.lock.state = 0;
    file.way = UNDECIDED;
    file.blocks = 0;
    dh_format(file.path + file.base, 24, ".%ld", dh_syscall(SYS_getpid));
}

/* The packer says one byte when it has written everything, and goes. */
static void wait_for_packer(void) {
    char done = 0;
    dh_syscall(SYS_shutdown, (long)file.packer.socket, (long)SHUT_WR);
    long n;
    do
        n = dh_syscall(SYS_recvfrom, (long)file.packer.socket, &done, 1l, 0l, 0l, 0l);
    while (n == -EINTR);
    if (n != 1)
        give_up("could not be written whole", n < 0 ? (int)-n : EIO);
    else
        dh_spawn_end(&file.packer);
}

/* Without a single block there is nothing to pack. */
void dh_tape_close(uint64_t last_number) {
    if (!file.path || file.way == FAILED) return;
    if (file.way == UNDECIDED) {
        file.way = RAW;
        put_header();
    }
    struct dh_block_header end = dh_end_block(file.blocks, last_number);
    put(&end, sizeof end);
    if (file.way == PACKED) wait_for_packer();
    file.way = FAILED; /* nothing comes after the end */
}
