/*
 * export.h: a recording in other programs' formats. A format is a struct of hooks: walk.c reads the recording once and
 * calls them, a row at a time, in an order that is the same for all formats. Some tables, and the format json, show the
 * tree of a report, which the caller hands in.
 *
 * Beside util, store and the tree, the files of this room include two parts of analyze: sums over intervals that come
 * and go (running.h), and which NVTX range lies in which.
 */
#ifndef DBPROF_EXPORT_EXPORT_H
#define DBPROF_EXPORT_EXPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/store.h"
#include "util/error.h"

/* Strings and the tree are borrowed for the length of the call. */
struct export_options {
	const char *file;    /* a recording or an Nsight Systems export */
	const char *format;  /* a name of export_formats */
	const char *table;   /* of CSV, a name of export_tables, or "all"; NULL: the first */
	const char *output;  /* file, for "all" a folder; NULL: standard output */
	const char *version; /* of dbprof */
	const json_t *tree;  /* of a report of this recording alone (docs/report-json.md), where it is needed */
	size_t most_rows;    /* more of them end the export; 0: there is no limit */
	size_t most_bytes;   /* the same for its size, where most_rows is not 0: few rows can have long names */
	bool (*interrupted)(void *user); /* asked now and then; may be NULL */
	void *user;
};

/* The names to choose from, each list ended by NULL. */
extern const char *const export_formats[], *const export_tables[];

struct export_result {
	size_t left_out; /* records that have no usable times and are therefore missing in the output */
	size_t together; /* events that have no track of their own, as there are too many */
	bool too_many;   /* it failed for want of nothing but a larger most_rows or most_bytes */
};

/* Whether a format and table (NULL: the first) need options->tree. */
bool export_needs_tree(const char *format, const char *table);

/* Exports options->file. The output is there whole or not at all, where it is a file; of several, each is. Returns 0,
 * or -1 with `err`: error_is_of_system() tells whether the output or an interruption is to blame, else the recording
 * is. */
int export_write(const struct export_options *options, struct export_result *result, struct error *err);

/* The same of a recording that is open already, which options->file is the name of. */
int export_write_store(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err);

#endif
