/* options.h: what is to be exported and how, and what became of it. */
#ifndef DBPROF_EXPORT_OPTIONS_H
#define DBPROF_EXPORT_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Tables of CSV. */
enum export_table_id {
	EXPORT_WORK,
	EXPORT_CALLS,
	EXPORT_RANGES,
	EXPORT_SYNCS,
	EXPORT_COUNTERS,
	EXPORT_DIAGNOSTICS,
	EXPORT_GPUS,
	EXPORT_FAMILIES,
	EXPORT_POINTS,
	EXPORT_SAMPLES,
	EXPORT_TABLES
};

/* Their names by their ids, ended by NULL. */
extern const char *const export_tables[];

/* Strings and the tree are borrowed for the length of the call. */
struct export_options {
	const char *file;    /* a recording or an Nsight Systems export */
	const char *format;  /* "perfetto", "pftrace", "json", "csv", "sqlite", or compressed "sqlite.zst" */
	const char *table;   /* of CSV, a name of export_tables, or "all"; NULL: the first */
	const char *output;  /* file, for "all" a folder; NULL: standard output */
	const char *version; /* of dbprof */
	const json_t *tree;  /* of a report of this recording alone (docs/report-json.md), where it is needed */
	bool (*interrupted)(void *user); /* asked now and then; may be NULL */
	void *user;
};

struct export_result {
	size_t left_out; /* records that have no usable times and are therefore missing in the output */
	size_t together; /* events that have no track of their own, as there are too many */
};

#endif
