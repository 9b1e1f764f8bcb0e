/* Directories. One that is open is libc's to lock; but what readdir returns is overwritten by the
 * next call for that directory, and closedir is not to be called while another thread uses it. */
#include "rt/intercept/table.h"

#include <dirent.h>
#include <fts.h>
#include <ftw.h>

#define USES(d) READS_BYTES((char const *)(d), 1)

ROW(DIR *, opendir, (char const *path), (path), READS_STRING(path), )
ROW(int, closedir, (DIR * d), (d), WRITES_BYTES((char *)d, 1), )
ROW_VOID(rewinddir, (DIR * d), (d), USES(d), )
ROW_VOID(seekdir, (DIR * d, long at), (d, at), USES(d), )
ROW(long, telldir, (DIR * d), (d), USES(d), )
ROW(int, dirfd, (DIR * d), (d), USES(d), )

#define ENTRY(entry) WRITES_BYTES(entry, (entry)->d_reclen)
ROW(struct dirent *, readdir, (DIR * d), (d), USES(d), ENTRY(result))
ROW(struct dirent64 *, readdir64, (DIR * d), (d), USES(d), ENTRY(result))
#define INTO(name, type)                                                                       \
    ROW(int, name, (DIR * d, struct type * to, struct type * *found), (d, to, found), USES(d), \
        WRITES(found) if (result == 0 && *found) ENTRY(to))
INTO(readdir_r, dirent)
INTO(readdir64_r, dirent64)
ROW(ssize_t, getdents64, (int fd, void *to, size_t room), (fd, to, room), ,
    if (result > 0) WRITES_BYTES(to, (size_t)result))

#define SCAN(name, type)                                                          \
    ROW(int, name,                                                                \
        (char const *path, struct type ***to, int (*wanted)(struct type const *), \
         int (*compare)(struct type const **, struct type const **)),             \
        (path, to, wanted, compare), READS_STRING(path), if (result >= 0) WRITES(to))
SCAN(scandir, dirent)
SCAN(scandir64, dirent64)
#define SCAN_AT(name, type)                                                               \
    ROW(int, name,                                                                        \
        (int at, char const *path, struct type ***to, int (*wanted)(struct type const *), \
         int (*compare)(struct type const **, struct type const **)),                     \
        (at, path, to, wanted, compare), READS_STRING(path), if (result >= 0) WRITES(to))
SCAN_AT(scandirat, dirent)
SCAN_AT(scandirat64, dirent64)

typedef int (*visit)(char const *path, struct stat const *status, int kind);
typedef int (*visit_more)(char const *path, struct stat const *status, int kind, struct FTW *at);
#define WALK(name, f)                                                            \
    ROW(int, name, (char const *path, f called, int room), (path, called, room), \
        READS_STRING(path), )
WALK(ftw, visit)
WALK(ftw64, visit)
#define WALK_MORE(name)                                                        \
    ROW(int, name, (char const *path, visit_more called, int room, int flags), \
        (path, called, room, flags), READS_STRING(path), )
WALK_MORE(nftw)
WALK_MORE(nftw64)

/* ---- trees of files. libc locks none of this: each step moves the place, and fills in an entry.
 * What an entry says of its number and its pointer is the program's. ---- */

static void list_read(char *const *list, struct dh_here here) {
    size_t count = 0;
    for (; list[count]; count++)
        READS_STRING(list[count])
    READS_BYTES(list, (count + 1) * sizeof *list)
}

#define TREES(open, read, children, set, close)                                               \
    ROW(FTS *, open,                                                                          \
        (char *const *paths, int options, int (*compare)(FTSENT const **, FTSENT const **)),  \
        (paths, options, compare), list_read(paths, here);                                    \
        , )                                                                                   \
    ROW(FTSENT *, read, (FTS * f), (f), WRITES(&f->fts_cur),                                  \
        if (result) WRITES(&result->fts_info))                                                \
    ROW(FTSENT *, children, (FTS * f, int options), (f, options), WRITES(&f->fts_child), )    \
    ROW(int, set, (FTS * f, FTSENT * e, int option), (f, e, option), WRITES(&e->fts_instr), ) \
    ROW(int, close, (FTS * f), (f), WRITES(&f->fts_cur), )
TREES(fts_open, fts_read, fts_children, fts_set, fts_close)
TREES(fts64_open, fts64_read, fts64_children, fts64_set, fts64_close)
