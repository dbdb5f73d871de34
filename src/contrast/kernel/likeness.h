/* likeness.h: how much two names of kernels have in common. */
#ifndef DBPROF_CONTRAST_KERNEL_LIKENESS_H
#define DBPROF_CONTRAST_KERNEL_LIKENESS_H

#include <stddef.h>

enum { LIKENESS_NAME_MOST = 1024 };

/* Letters and digits of the different words that both names have, whatever their order and case. A word ends where
 * letters, digits and other bytes meet, and before a capital behind a small letter. The word "kernel" tells nothing and
 * does not count. It is the same with `a` and `b` exchanged. 0 if a name is longer than LIKENESS_NAME_MOST bytes. */
size_t names_likeness(const char *a, const char *b);

#endif
