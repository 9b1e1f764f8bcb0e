#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy_all(int from, int to, uint64_t *size) {
    char buffer[1 << 16];
    for (*size = 0;;) {
        ssize_t got = read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : 0;
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, buffer + done, (size_t)(got - done));
            if (put < 0 && errno != EINTR) return errno;
            if (put > 0) done += put;
        }
        *size += (uint64_t)got;
    }
}

/* The descriptor of the copy replaces that of the pipe. */
static int copy_pipe(struct dh_source *source) {
    FILE *copy = tmpfile();
    if (!copy) return errno;
    int trouble = copy_all(source->file, fileno(copy), &source->size);
    if (!trouble && dup2(fileno(copy), source->file) < 0) trouble = errno;
    fclose(copy);
    return trouble;
}

int dh_source_open(struct dh_source *source, char const *path) {
    *source = (struct dh_source){.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (source->file < 0) return errno;
    struct stat status;
    int trouble = 0;
    if (fstat(source->file, &status) != 0)
        trouble = errno;
    else if (S_ISDIR(status.st_mode))
        trouble = EISDIR;
    else if (S_ISREG(status.st_mode))
        source->size = (uint64_t)status.st_size;
    else
        trouble = copy_pipe(source);
    if (trouble) close(source->file);
    return trouble;
}

void dh_source_close(struct dh_source *source) {
    if (!source->bytes) close(source->file);
}

int dh_source_read(struct dh_source const *source, uint64_t offset, void *to, size_t size,
                   size_t *got) {
    *got = 0;
    if (source->bytes) {
        if (offset >= source->size) return 0;
        *got = size < source->size - offset ? size : (size_t)(source->size - offset);
        memcpy(to, source->bytes + offset, *got);
        return 0;
    }
    while (*got < size) {
        ssize_t part = pread(source->file, (char *)to + *got, size - *got, (off_t)(offset + *got));
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return errno;
        if (part == 0) break;
        *got += (size_t)part;
    }
    return 0;
}
