/* The words that the text form and the messages use. */
#ifndef DEADHEAT_TRACE_NAMES_H
#define DEADHEAT_TRACE_NAMES_H

#include "trace/event.h"

enum { DH_ORDERS = __ATOMIC_SEQ_CST + 1 };

extern char const *const dh_op_names[DH_OP_COUNT];
extern char const *const dh_order_names[DH_ORDERS]; /* by the numbers of the C ABI */
extern char const *const dh_kind_names[DH_KINDS];

#endif
