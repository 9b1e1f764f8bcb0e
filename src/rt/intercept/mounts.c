/* What is mounted, as a file lists it. What getmntent returns is overwritten by the next call, of
 * whichever thread. */
#include "rt/intercept/stream.h"

#include <mntent.h>

static void entry_written(struct mntent *m, struct dh_here here) {
    if (!m) return;
    WRITES(m)
    WRITES_STRING(m->mnt_fsname)
    WRITES_STRING(m->mnt_dir)
    WRITES_STRING(m->mnt_type)
    WRITES_STRING(m->mnt_opts)
}

ROW(FILE *, setmntent, (char const *path, char const *mode), (path, mode),
    READS_STRING(path) READS_STRING(mode), )
ROW(int, endmntent, (FILE * f), (f), if (f){WRITES_BYTES((char *)f, 1) PUTS(f)}, )
ROW(struct mntent *, getmntent, (FILE * f), (f), USES(f), GETS(f) entry_written(result, here);)
ROW(struct mntent *, getmntent_r, (FILE * f, struct mntent *to, char *p, int room),
    (f, to, p, room), USES(f), GETS(f) entry_written(result, here);)
ROW(int, addmntent, (FILE * f, struct mntent const *m), (f, m),
    READS(m) READS_STRING(m->mnt_fsname) READS_STRING(m->mnt_dir) READS_STRING(m->mnt_type)
        READS_STRING(m->mnt_opts) PUTS(f), )
ROW(char *, hasmntopt, (struct mntent const *m, char const *option), (m, option),
    READS(&m->mnt_opts) READS_STRING(m->mnt_opts) READS_STRING(option), )
