/* roles.h: who waits for whom in kernels whose warps have roles, in words. */
#ifndef DBPROF_WORDS_ROLES_H
#define DBPROF_WORDS_ROLES_H

#include <jansson.h>

/* Adds to each of F."roles" its "text" about the fastest variant that is metered, and to each of its variants the
 * "reason" why its hidden share is not told; null where it is. */
void roles_words(json_t *family);

#endif
