/* folder.h: all tables of CSV, into a folder. */
#ifndef DBPROF_EXPORT_FOLDER_H
#define DBPROF_EXPORT_FOLDER_H

#include "export/options.h"
#include "store/store.h"

/* Writes options->output/TABLE.csv for each table, once all are made: each file is replaced whole, and others stay.
 * Nothing is left of a new folder after a failure. 0, or -1 with `err`. */
int export_folder(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err);

#endif
