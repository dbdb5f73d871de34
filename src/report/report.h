/*
 * report.h: the report side. Recordings in; index.html, report.json and plots/ out. Needs no GPU.
 *
 * Everything is made in a hidden folder inside the report's folder and then moved file by file, each whole: first
 * report.json, which lists the report's files, then what lies beside the page, and index.html last. The page holds its
 * figures itself, and it and report.json carry the report's id. So whoever kills dbprof at any moment finds an old page
 * or a new one, whole, and can tell whether report.json belongs to it; the next report in the folder clears away what
 * is left. Two dbprof that write to one folder wait for each other (flock): the report that is there in the end is that
 * of the last.
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

/* Writes the report, and hands back in *tree what report.json holds (docs/report-json.md): a new reference, or NULL
 * where it fails; `tree` may be NULL. Where anything fails before the first file is moved, an older report is as it
 * was; after that, an older index.html is. Files that are not of an older report stay: where one is in the way, nothing
 * is written. */
enum report_status report_write(const struct report_options *options, json_t **tree, struct error *err);

/* Whether the folder `dir`, which need not be there, can have a report: REPORT_BAD_INPUT with `err` if it holds an
 * index.html or report.json of its own, which are not of an earlier report. */
enum report_status report_check_folder(const char *dir, struct error *err);

#endif
