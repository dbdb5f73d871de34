/* make-report.h: a report, as `dbprof report` and `dbprof run` make it. */
#ifndef DBPROF_CMD_MAKE_REPORT_H
#define DBPROF_CMD_MAKE_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "cmd/status.h"

/* The recordings that `dbprof run` shows where no NVIDIA GPU exists; for datafile_find(): that of the families, and a
 * training loop before and after its double buffering. */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite.zst"
#define SHIPPED_BEFORE "reports/recordings/loader-before.sqlite.zst"
#define SHIPPED_AFTER "reports/recordings/loader-after.sqlite.zst"

/* Makes a report of `files` in `outdir`, prints what it says in short, and where it is. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir);

/* The same of recordings that ship, without a word: what there is to print is in *tree, for cmd_tell_report().
 * `beside`: the page of another report, from outdir, or NULL. */
enum exit_status cmd_make_shipped_report(
	const char *const *files, int nfiles, const char *outdir, const char *beside, json_t **tree);

/* Prints what a report says in short, and where it is. Takes the reference to `tree`. */
void cmd_tell_report(json_t *tree, const char *outdir);

#endif
