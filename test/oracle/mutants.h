/* Detectors that are wrong on purpose: an oracle that does not notice them is worth nothing. */
#ifndef DEADHEAT_TEST_MUTANTS_H
#define DEADHEAT_TEST_MUTANTS_H

#include "detect/detector.h"

extern struct dh_detector const mutants[];
extern unsigned const mutant_count;

#endif
