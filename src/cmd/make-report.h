/* make-report.h: a report, as `dbprof report` and `dbprof run` make it. */
#ifndef DBPROF_CMD_MAKE_REPORT_H
#define DBPROF_CMD_MAKE_REPORT_H

#include <stdbool.h>

#include "cmd/status.h"

/* The recording that `dbprof run` shows where no NVIDIA GPU exists; for datafile_find(). */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite"

/* Makes a report of `files` in `outdir`, prints what it says in short, and where it is. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir, bool shipped);

#endif
