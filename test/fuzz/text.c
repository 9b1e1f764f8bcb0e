/* The reader of the text form. */
#include "try.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size);
int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size) {
    try_trace_after("deadheat trace 1\n", data, size);
    return 0;
}
