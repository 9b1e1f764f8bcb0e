/* A thread is in a loop when the process ends, or the loop by a signal: what it did there is looked at.
 * ENV: DEADHEAT_OPTIONS=symbolize=0 */
#include "pending_loop.h"

int main(void) {
    try_faults(0);
    try_ends(crawl_and_end, 0);
    try_end(&ends[0], crawl_written_and_end, 0);
    try_end(&ends[0], crawl_cancelled_and_end, 0);
    return 66;
}
