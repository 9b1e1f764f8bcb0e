#include "trace/names.h"

#define NAME(name, text, operands) [DH_OP_##name] = #text,
char const *const dh_op_names[DH_OP_COUNT] = {DH_OPS(NAME)};

char const *const dh_order_names[DH_ORDERS] = {
    [__ATOMIC_RELAXED] = "relaxed", [__ATOMIC_CONSUME] = "consume", [__ATOMIC_ACQUIRE] = "acquire",
    [__ATOMIC_RELEASE] = "release", [__ATOMIC_ACQ_REL] = "acq_rel", [__ATOMIC_SEQ_CST] = "seq_cst",
};

char const *const dh_kind_names[DH_KINDS] = {
    [DH_READ] = "read",
    [DH_WRITE] = "write",
    [DH_ATOMIC_READ] = "atomic_read",
    [DH_ATOMIC_WRITE] = "atomic_write",
};
