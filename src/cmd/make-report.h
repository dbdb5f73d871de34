/* make-report.h: a report, as `dbprof report` and `dbprof run` make it. */
#ifndef DBPROF_CMD_MAKE_REPORT_H
#define DBPROF_CMD_MAKE_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "cmd/fail-if.h"
#include "cmd/status.h"

/* The recordings that `dbprof run` shows where no NVIDIA GPU exists; for datafile_find(): that of the families, and a
 * training loop before and after its double buffering. */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite.zst"
#define SHIPPED_BEFORE "reports/recordings/loader-before.sqlite.zst"
#define SHIPPED_AFTER "reports/recordings/loader-after.sqlite.zst"

/* How a report is wanted. */
struct report_wish {
	const char *outdir;
	const char *beside; /* the page of another report, from `outdir`, or NULL */
	bool shipped;       /* the recording ships with dbprof */
	bool redact;
	bool markdown; /* no folder: the text goes to the file `outdir`, or to standard output if that is NULL */
	enum fail_if fail_if;
	json_t **untold; /* where nothing is to be printed: gets the tree, for cmd_tell_report(); else NULL */
};

/* Makes a report of `files`, prints what it says in short, and where it is. With the status that `fail_if` asks for. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish);

/* Prints what a report in `outdir` says in short, and where it is. */
void cmd_tell_report(const json_t *tree, const char *outdir);

#endif
