/* helper.h: further connections to the file of a store, one for each thread that reads it. */
#ifndef DBPROF_STORE_SCAN_HELPER_H
#define DBPROF_STORE_SCAN_HELPER_H

#include "store/store-private.h"

/* From now on the store may have helpers 0 to n - 1. Not to be called while threads run. */
void helpers_allow(struct store *store, size_t n);

/* A store that reads the same file through a connection of its own, under the limits and from the allowance of `store`.
 * It stays for later calls. NULL if it cannot be opened. Different threads may ask for different helpers. */
struct store *store_helper(struct store *store, size_t i);

#endif
