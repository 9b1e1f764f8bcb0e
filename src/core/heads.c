#include "core/heads.h"

static uint32_t sweep(struct dh_snapshot *list, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].bytes == 0) continue;
        if (i != kept) {
            struct dh_snapshot gone = list[kept];
            list[kept] = list[i];
            list[i] = gone;
        }
        kept++;
    }
    return kept;
}

uint32_t dh_heads_overwrite(struct dh_snapshot *list, uint32_t count, unsigned bytes,
                            uint32_t continuing) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].thread != continuing) list[i].bytes &= (uint8_t)~bytes;
    return sweep(list, count);
}

uint32_t dh_heads_publish(struct dh_snapshot *list, uint32_t count, struct dh_snapshot head) {
    for (uint32_t i = 0; i < count; i++) {
        struct dh_snapshot *old = &list[i];
        if (old->thread != head.thread && old->at.slot != head.at.slot) continue;
        if (dh_snapshot_knows(old, head.at))
            head.bytes &= (uint8_t)~old->bytes;
        else
            old->bytes &= (uint8_t)~head.bytes;
    }
    list[count] = head;
    return sweep(list, count + 1);
}
