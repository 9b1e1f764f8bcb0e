#include "trace/sites.h"

#include "trace/format.h"
#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

char const *dh_site_texts_add(struct dh_site_texts *texts, uint64_t site, char const *text,
                              size_t length) {
    if (site == 0 || site > UINT32_MAX) return "a site with a number that there is not";
    if (length > DH_SITE_TEXT) return "a site with too long a text";
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return "a site with control characters";
    uint64_t *at = dh_table_at(&texts->text, site, 0);
    if (*at) return "a site that is explained twice";
    char *copy = malloc(length + 1);
    if (!copy) dh_fail("out of memory");
    memcpy(copy, text, length);
    copy[length] = 0;
    *at = (uintptr_t)copy;
    return NULL;
}

char const *dh_site_texts_get(struct dh_site_texts const *texts, uint32_t site) {
    uint64_t const *at = dh_table_find(&texts->text, site, 0);
    return at ? (char const *)(uintptr_t)*at : NULL;
}

void dh_site_texts_free(struct dh_site_texts *texts) {
    for (size_t i = 0; i < texts->text.room; i++)
        free((void *)(uintptr_t)texts->text.entry[i].value);
    dh_table_free(&texts->text);
}
