/* A thread in a region in which something is ignored, and a handler that runs over it. */
#ifndef DEADHEAT_TEST_IGNORE_HANDLER_H
#define DEADHEAT_TEST_IGNORE_HANDLER_H

#include "annotate/annotations.h"
#include "signal/installed.h"

int shared;
static atomic_int ready, region;

#endif
