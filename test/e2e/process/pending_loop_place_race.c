/* What a loop did that a signal has ended is reported with its place, and those of its callers.
 * EXPECT: #0 search .*pending_loop.h
 * EXPECT: #1 searcher .*pending_loop.h */
#include "pending_loop.h"

int main(void) {
    signal(SIGSEGV, jumps);
    search_and_end(by_exit, 0);
}
