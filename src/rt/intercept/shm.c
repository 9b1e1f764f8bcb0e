/* System V shared memory: a segment that is attached is a mapping. */
#include "rt/intercept/mappings.h"
#include "rt/intercept/table.h"
#include "rt/options.h"

#include <errno.h>
#include <sys/shm.h>

ROW(int, shmctl, (int id, int command, struct shmid_ds *p), (id, command, p),
    if (command == IPC_SET) READS(p), if (result != -1 && command == IPC_STAT) WRITES(p))

INTERCEPT(void *, shmat, (int id, void const *wanted, int flags)) {
    void *p = REAL(shmat)(id, wanted, flags);
    struct shmid_ds segment;
    if (p == (void *)-1 || !dh_options.enabled) return p;
    int before = errno;
    if (REAL(shmctl)(id, IPC_STAT, &segment) == 0) {
        size_t size = dh_whole_pages(segment.shm_segsz);
        dh_mapping_set(p, size, true);
        if (dh_checking()) dh_memory_born(p, size, DH_HERE);
    }
    errno = before;
    return p;
}

INTERCEPT(int, shmdt, (void const *p)) {
    size_t size = dh_options.enabled ? dh_mapping_size(p) : 0;
    if (size != 0 && dh_checking()) dh_memory_dies(p, size, DH_HERE);
    int failed = REAL(shmdt)(p);
    if (!failed && size != 0) dh_mapping_set(p, size, false);
    return failed;
}
