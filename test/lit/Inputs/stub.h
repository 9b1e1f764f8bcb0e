/* Just enough of a runtime to run what the plugin made: one thread, one epoch, and slow exits that
 * say what they were called for and fill in the cells. */
#ifndef STUB_H
#define STUB_H

/* The slow exits taken since the last call: "w4 r8u ". The string is overwritten by the next call.
 */
char const *stub_taken(void);
/* Forgets what is in the shadow of so many bytes. */
void stub_forget(void *p, unsigned long size);
/* All reads of these bytes are as if made by a set that holds the epoch. */
void stub_share(void *p, unsigned long size);

#endif
