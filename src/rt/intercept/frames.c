/* Where a thread is: its context, and who called it. */
#include "rt/intercept/fd.h"
#include "rt/intercept/table.h"

#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>

/* It returns as often as the context is resumed, so nothing of ours may be on the stack by then.
 * Who resumes it is not looked at: fibers hand over contexts as they please. */
INTERCEPT(int, getcontext, (ucontext_t * to)) {
    struct dh_here here = DH_HERE;
    enum { KERNEL_SET = 8 };
    if (dh_checking()) {
        WRITES(&to->uc_mcontext)
        WRITES_BYTES(&to->uc_sigmask, KERNEL_SET)
    }
    __attribute__((musttail)) return REAL(getcontext)(to);
}

/* The first of the real one's frames is ours. */
INTERCEPT(int, backtrace, (void **to, int room)) {
    struct dh_here here = DH_HERE;
    if (room <= 0) return REAL(backtrace)(to, room);
    void *frames[(size_t)room + 1];
    int count = REAL(backtrace)(frames, room + 1) - 1;
    if (count <= 0) return 0;
    if (dh_checking()) WRITES_BYTES(to, (size_t)count * sizeof *to)
    for (int i = 0; i < count; i++)
        to[i] = frames[i + 1];
    return count;
}
ROW(char **, backtrace_symbols, (void *const *list, int count), (list, count),
    if (count > 0) READS_BYTES(list, (size_t)count * sizeof *list), )
ROW_VOID(backtrace_symbols_fd, (void *const *list, int count, int fd), (list, count, fd),
         if (count > 0) READS_BYTES(list, (size_t)count * sizeof *list) dh_fd_release(fd);
         , )
