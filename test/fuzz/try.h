/* What all fuzz targets do with a trace. */
#ifndef FUZZ_TRY_H
#define FUZZ_TRY_H

#include <stddef.h>

/* Reads it. What was read to the end is written in both forms, and must be read again as the same
 * events; anything else ends the process. */
void try_trace(void const *bytes, size_t size);

/* The same with a text in front, so that the input need not find out how its form begins. */
void try_trace_after(char const *first, void const *bytes, size_t size);

#endif
