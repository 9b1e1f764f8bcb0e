/* Bytes on which the program has said that races are wanted (deadheat_benign_race). */
#ifndef DEADHEAT_RT_BENIGN_H
#define DEADHEAT_RT_BENIGN_H

#include "rt/base.h"

void dh_benign_add(uintptr_t address, size_t size);
/* All of these bytes are marked. */
bool dh_benign(uintptr_t address, size_t size);
/* The memory has gone, and the marks with it. */
void dh_benign_gone(uintptr_t address, size_t size);

#endif
