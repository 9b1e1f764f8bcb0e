/* What an errno means, for messages: strerror may allocate and translate. */
#ifndef DEADHEAT_RT_ERRORS_H
#define DEADHEAT_RT_ERRORS_H

char const *dh_error_text(int error);

#endif
