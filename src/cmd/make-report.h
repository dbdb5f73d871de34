/* make-report.h: a report, as `dbprof report` and `dbprof run` make it. */
#ifndef DBPROF_CMD_MAKE_REPORT_H
#define DBPROF_CMD_MAKE_REPORT_H

#include <stdbool.h>

#include "cmd/status.h"

/* The recording that `dbprof run` shows where no NVIDIA GPU exists; for datafile_find(). */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite"

/* How a report is wanted. */
struct report_wish {
	const char *outdir;
	bool shipped; /* the recording ships with dbprof */
	bool redact;
};

/* Makes a report of `files`, prints what it says in short, and where it is. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish);

#endif
