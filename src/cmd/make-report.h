/* make-report.h: a report, as `dbprof report` and `dbprof run` make it. */
#ifndef DBPROF_CMD_MAKE_REPORT_H
#define DBPROF_CMD_MAKE_REPORT_H

#include <stdbool.h>

#include "cmd/fail-if.h"
#include "cmd/status.h"

/* The recording that `dbprof run` shows where no NVIDIA GPU exists; for datafile_find(). */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite"

/* How a report is wanted. */
struct report_wish {
	const char *outdir;
	bool shipped; /* the recording ships with dbprof */
	bool redact;
	bool markdown; /* no folder: the text goes to the file `outdir`, or to standard output if that is NULL */
	enum fail_if fail_if;
};

/* Makes a report of `files`, prints what it says in short, and where it is. With the status that `fail_if` asks for. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish);

#endif
