/*
 * report.h: the report side. Recordings in; index.html, report.json and plots/ out. Needs no GPU.
 */
#ifndef DBPROF_REPORT_REPORT_H
#define DBPROF_REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "util/error.h"

enum report_status { REPORT_DONE = 0, REPORT_FAILED = 1, REPORT_BAD_INPUT = 2 };

/* Strings are borrowed for the length of the call. */
struct report_options {
	const char *const *files; /* recordings or Nsight Systems exports */
	int nfiles;
	const char *outdir; /* made if missing */
	bool shipped; /* the recording ships with dbprof and is not from this machine: said at the top of the page */
	const char *version;             /* of dbprof */
	void (*begin)(void *user);       /* all is read, and from now on there is something to remove; may be NULL */
	bool (*interrupted)(void *user); /* asked between steps; may be NULL */
	void *user;
};

/* Writes the report. Everything is made in a temporary folder inside `outdir` and moved into place at the end: on any
 * error an older report is left as it was, and the temporary folder is removed. Files that are not of an older report
 * stay: where one is in the way, nothing is written. */
enum report_status report_write(const struct report_options *options, struct error *err);

/* Whether the folder `dir`, which need not be there, can have a report: REPORT_BAD_INPUT with `err` if it holds an
 * index.html or report.json of its own, which are not of an earlier report. */
enum report_status report_check_folder(const char *dir, struct error *err);

#endif
