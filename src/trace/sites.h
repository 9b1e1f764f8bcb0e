/* What the sites of a trace stand for. */
#ifndef DEADHEAT_TRACE_SITES_H
#define DEADHEAT_TRACE_SITES_H

#include "trace/table.h"

/* All zero: none is known. */
struct dh_site_texts {
    struct dh_table text; /* (site, 0): the address of a text that is ours */
};

/* Null, or why not: a text has no control characters and at most DH_SITE_TEXT bytes, a site has a
 * number other than 0 and is explained once. */
char const *dh_site_texts_add(struct dh_site_texts *texts, uint64_t site, char const *text,
                              size_t length);
char const *dh_site_texts_get(struct dh_site_texts const *texts, uint32_t site);
void dh_site_texts_free(struct dh_site_texts *texts);

#endif
