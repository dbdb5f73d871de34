/* make-report.c: see make-report.h. */
#include "config.h"

#include "cmd/make-report.h"

#include <jansson.h>
#include <stdio.h>

#include "cmd/message.h"
#include "cmd/redact.h"
#include "cmd/signals.h"
#include "cmd/summary.h"
#include "report/report.h"

static void begin_writing(void *unused)
{
	(void)unused;
	cmd_catch_signals();
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish)
{
	struct report_options what = {
		.files = files,
		.nfiles = nfiles,
		.outdir = wish->outdir,
		.shipped = wish->shipped,
		.redact = wish->redact ? cmd_own_families() : NULL,
		.version = PACKAGE_VERSION,
		.begin = begin_writing,
		.interrupted = cmd_interrupted,
	};
	struct error err = {0};
	json_t *tree;

	cmd_let_signals_end();
	switch (report_write(&what, &tree, &err)) {
	case REPORT_BAD_INPUT:
		return cmd_fail(STATUS_USAGE, &err);
	case REPORT_FAILED:
		return cmd_fail(STATUS_FAILED, &err);
	case REPORT_DONE:
		break;
	}
	cmd_print_summary(tree);
	json_decref(tree);
	printf("%s/index.html\n", wish->outdir);
	return STATUS_DONE;
}
