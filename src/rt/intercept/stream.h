/* Streams of stdio. What goes through one goes through its descriptor, sooner or later, and is
 * ordered by it (fd.h). The stream itself is locked by libc in every call, so that only its end is
 * a write to it: fclose is not to be called while another thread uses the stream. */
#ifndef DEADHEAT_RT_INTERCEPT_STREAM_H
#define DEADHEAT_RT_INTERCEPT_STREAM_H

#include "rt/intercept/fd.h"
#include "rt/intercept/table.h"

#include <stdio.h>

#define USES(f) READS_BYTES((char const *)(f), 1)
/* Before: something is going to be written. */
#define PUTS(f) USES(f) dh_fd_release((f)->_fileno);
/* After: something has been read. */
#define GETS(f) dh_fd_acquire((f)->_fileno);

#endif
