/* Sorting and searching. The comparisons are the program's own code; what libc moves is not seen
 * otherwise. */
#include "rt/intercept/table.h"

#include <search.h>
#include <stdlib.h>

typedef int (*compare)(void const *, void const *);
typedef int (*compare_with)(void const *, void const *, void *);

INTERCEPT(void, qsort, (void *list, size_t count, size_t size, compare f)) {
    if (dh_checking()) dh_range_write(list, count * size, DH_HERE);
    REAL(qsort)(list, count, size, f);
}

INTERCEPT(void, qsort_r, (void *list, size_t count, size_t size, compare_with f, void *context)) {
    if (dh_checking()) dh_range_write(list, count * size, DH_HERE);
    REAL(qsort_r)(list, count, size, f, context);
}

/* The key is added where it is not found. */
INTERCEPT(void *, lsearch, (void const *key, void *list, size_t *count, size_t size, compare f)) {
    size_t before = *count;
    void *result = REAL(lsearch)(key, list, count, size, f);
    if (!dh_checking()) return result;
    dh_range_read(count, sizeof *count, DH_HERE);
    if (*count == before) return result;
    dh_range_read(key, size, DH_HERE);
    dh_range_write(result, size, DH_HERE);
    dh_range_write(count, sizeof *count, DH_HERE);
    return result;
}

ROW(void *, lfind, (void const *key, void const *list, size_t *count, size_t size, compare f),
    (key, list, count, size, f), READS(count), )

/* ---- trees: the root stands for all of it. A search may turn branches about. Who walks through
 * one, or ends it, names its first node: there the words behind the key stand for the tree. ---- */

struct node {
    void const *key;
    uintptr_t branches[2];
};
#define TREE(p) (&((struct node *)(p))->branches)
#define WRITES_TREE \
    if (root && *root) WRITES(TREE(*root))

ROW(void *, tsearch, (void const *key, void **root, compare f), (key, root, f),
    WRITES(root) WRITES_TREE, WRITES_TREE)
ROW(void *, tdelete, (void const *key, void **root, compare f), (key, root, f),
    WRITES(root) WRITES_TREE, WRITES_TREE)
ROW(void *, tfind, (void const *key, void *const *root, compare f), (key, root, f),
    READS(root) if (root && *root) READS(TREE(*root)), )
ROW_VOID(twalk, (void const *root, void (*f)(void const *, VISIT, int)), (root, f),
         if (root) READS(TREE(root)), )
ROW_VOID(twalk_r, (void const *root, void (*f)(void const *, VISIT, void *), void *context),
         (root, f, context), if (root) READS(TREE(root)), )
ROW_VOID(tdestroy, (void *root, void (*f)(void *)), (root, f), if (root) WRITES(TREE(root)), )

/* ---- tables: one for all, or one of the program's ---- */

static char table;

ROW(int, hcreate, (size_t count), (count), WRITES(&table), )
ROW_VOID(hdestroy, (void), (), WRITES(&table), )
INTERCEPT(ENTRY *, hsearch, (ENTRY entry, ACTION action)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS_STRING(entry.key)
        if (action == ENTER) WRITES(&table)
        READS(&table)
    }
    return REAL(hsearch)(entry, action);
}
ROW(int, hcreate_r, (size_t count, struct hsearch_data *t), (count, t), WRITES(t), )
ROW_VOID(hdestroy_r, (struct hsearch_data * t), (t), WRITES(t), )
INTERCEPT(int, hsearch_r, (ENTRY entry, ACTION action, ENTRY **to, struct hsearch_data *t)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS_STRING(entry.key)
        if (action == ENTER) WRITES(t)
        READS(t)
        WRITES(to)
    }
    return REAL(hsearch_r)(entry, action, to, t);
}

/* ---- lists: each element begins with a pointer to the next and one to the one before ---- */

struct element {
    struct element *next, *before;
};

static void links(struct element *e, struct element *before, struct dh_here here) {
    WRITES(e)
    if (!before) return;
    WRITES(&before->next)
    if (before->next) WRITES(&before->next->before)
}
ROW_VOID(insque, (void *e, void *before), (e, before), links(e, before, here);, )

static void unlinks(struct element *e, struct dh_here here) {
    READS(e)
    if (e->next) WRITES(&e->next->before)
    if (e->before) WRITES(&e->before->next)
}
ROW_VOID(remque, (void *e), (e), unlinks(e, here);, )
