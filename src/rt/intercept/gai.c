/* Names that libc looks up in threads of its own. As in aio.c: the result is libc's until somebody
 * has seen that it is there. */
#include "rt/intercept/notice.h"
#include "rt/intercept/table.h"

#include <netdb.h>

static void begins(struct gaicb *request, struct dh_here here) {
    if (dh_checking()) {
        READS(&request->ar_name)
        READS(&request->ar_service)
        READS(&request->ar_request)
        READS_STRING(request->ar_name)
        READS_STRING(request->ar_service)
        READS(request->ar_request)
        WRITES(&request->ar_result)
    }
    dh_release_join(request);
}

static void ended(struct gaicb *request, int error) {
    if (error != EAI_INPROGRESS) dh_acquire(request);
}

INTERCEPT(int, getaddrinfo_a, (int mode, struct gaicb *list[], int count, struct sigevent *event)) {
    struct dh_here here = DH_HERE;
    struct sigevent wanted = {.sigev_notify = SIGEV_NONE};
    if (event) wanted = *event;
    if (dh_checking()) {
        READS_BYTES(list, (size_t)count * sizeof *list)
        READS(event)
    }
    for (int i = 0; i < count; i++)
        if (list[i]) begins(list[i], here);
    struct dh_notice *notice = mode == GAI_NOWAIT ? dh_notice_new(&wanted, 0, DH_ONCE, here) : 0;
    int failed = REAL(getaddrinfo_a)(mode, list, count, event ? &wanted : 0);
    if (failed) dh_notice_over(notice);
    return failed;
}

INTERCEPT(int, gai_error, (struct gaicb * request)) {
    int error = REAL(gai_error)(request);
    ended(request, error);
    return error;
}

INTERCEPT(int, gai_suspend,
          (struct gaicb const *const list[], int count, struct timespec const *timeout)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS_BYTES(list, (size_t)count * sizeof *list)
        READS(timeout)
    }
    int failed = REAL(gai_suspend)(list, count, timeout);
    for (int i = 0; !failed && i < count; i++)
        if (list[i]) ended((struct gaicb *)list[i], REAL(gai_error)((struct gaicb *)list[i]));
    return failed;
}
