/* folder.h: all tables of CSV, into a folder. */
#ifndef DBPROF_EXPORT_FOLDER_H
#define DBPROF_EXPORT_FOLDER_H

#include "export/options.h"
#include "store/store.h"

/* Writes options->output/TABLE.csv for each table. A folder that is new is there with all its files or not at all; in
 * one that is there files are replaced once all are written, and others stay. 0, or -1 with `err`. */
int export_folder(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err);

#endif
