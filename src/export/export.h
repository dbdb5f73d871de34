/*
 * export.h: a recording in other programs' formats. A format is a struct of hooks: walk.c reads the recording once and
 * calls them, a row at a time, in an order that is the same for all formats. Some tables, and the format json, show the
 * tree of a report, which the caller hands in. The formats sqlite and sqlite.zst are the recording itself.
 */
#ifndef DBPROF_EXPORT_EXPORT_H
#define DBPROF_EXPORT_EXPORT_H

#include <stdbool.h>

#include "export/options.h"
#include "store/store.h"
#include "util/error.h"

/* Whether a format and table (NULL: the first) need options->tree. */
bool export_needs_tree(const char *format, const char *table);

/* Exports the recording that is open as `store`, whose name is options->file. The output is there whole or not at all,
 * where it is a file; of several, each is. Returns 0, or -1 with `err`: error_is_of_system() tells whether the output
 * or an interruption is to blame, else the recording is. */
int export_write(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err);

#endif
