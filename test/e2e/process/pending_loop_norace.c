/* A thread is in a loop when the process ends, or the loop by a signal: it did not get any further. */
#include "pending_loop.h"

int main(void) {
    try_faults(1);
    try_ends(crawl_and_end, 1);
    try_end(&ends[0], crawl_written_and_end, 1);
    try_end(&ends[0], crawl_cancelled_and_end, 1);
    return 0;
}
