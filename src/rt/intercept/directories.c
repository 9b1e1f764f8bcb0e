/* Directories. One that is open is libc's to lock; but what readdir returns is overwritten by the
 * next call for that directory, and closedir is not to be called while another thread uses it. */
#include "rt/intercept/table.h"

#include <dirent.h>
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
