/* The reader of the STD form. */
#include "try.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size);
int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size) {
    try_trace_after("T|begin|0\n", data, size);
    return 0;
}
