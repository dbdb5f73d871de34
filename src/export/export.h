/*
 * export.h: a recording in other programs' formats. A format is a struct of hooks: export-walk.c reads the recording
 * once and calls them, a row at a time, in an order that is the same for all formats.
 */
#ifndef DBPROF_EXPORT_EXPORT_H
#define DBPROF_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"

/* Strings are borrowed for the length of the call. */
struct export_options {
	const char *file;    /* a recording or an Nsight Systems export */
	const char *format;  /* a name of export_formats */
	const char *table;   /* of CSV, a name of export_tables, or "all"; NULL: the first */
	const char *output;  /* file, for "all" a folder; NULL: standard output */
	const char *version; /* of dbprof */
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

/* Exports. The output is there whole or not at all, where it is a file. */
enum report_status export_write(const struct export_options *options, struct export_result *result, struct error *err);

#endif
