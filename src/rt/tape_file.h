/* Where the tape goes: to a `deadheat pack FILE` that runs beside the program and compresses it,
 * or, where there is none, as it is into FILE. One block at a time. What cannot be written is said
 * once, and recording is over. */
#ifndef DEADHEAT_RT_TAPE_FILE_H
#define DEADHEAT_RT_TAPE_FILE_H

#include "rt/base.h"

/* Makes FILE, empty. False: it cannot be written, which has been said. */
bool dh_tape_open(char const *file);
/* For a child of fork: its number goes behind the name. The file is made when something is written:
 * most children only exec. */
void dh_tape_reopen(void);

/* A whole block. Inside a critical section or with signals blocked. */
void dh_tape_write(void const *block, size_t size);

/* Writes the end, and waits until all is in the file. */
void dh_tape_close(uint64_t last_number);

#endif
