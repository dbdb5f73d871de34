/* file.h: an export into a file or to standard output. */
#ifndef DBPROF_EXPORT_FILE_H
#define DBPROF_EXPORT_FILE_H

#include "export/options.h"
#include "store/store.h"
#include "util/file/outfile.h"

/* Writes what options->format and options->table ask for, from `store` or from options->tree, to `out`, which stays the
 * caller's. Adds to *result. 0, or -1 with `err`. */
int export_fill(const struct export_options *options, struct store *store, struct outfile *out,
	struct export_result *result, struct error *err);

#endif
