#include "detect/detector.h"

struct dh_detector const *const dh_detectors[DH_DETECTORS] = {
    &dh_definition, &dh_vectorclock, &dh_multijoin, &dh_djit, &dh_fasttrack, &dh_eraser,
};
