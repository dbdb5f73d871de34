/* make-report.c: see make-report.h. */
#include "config.h"

#include "cmd/make-report.h"

#include <stdio.h>

#include "cmd/message.h"
#include "cmd/signals.h"
#include "cmd/summary.h"
#include "report/report.h"

static void begin_writing(void *unused)
{
	(void)unused;
	cmd_catch_signals();
}

static enum exit_status write_to(struct report_options *what, json_t **tree)
{
	struct error err = {0};

	what->version = PACKAGE_VERSION;
	what->begin = begin_writing;
	what->interrupted = cmd_interrupted;
	cmd_let_signals_end();
	switch (report_write(what, tree, &err)) {
	case REPORT_BAD_INPUT:
		return cmd_fail(STATUS_USAGE, &err);
	case REPORT_FAILED:
		return cmd_fail(STATUS_FAILED, &err);
	case REPORT_DONE:
		break;
	}
	return STATUS_DONE;
}

enum exit_status cmd_make_shipped_report(
	const char *const *files, int nfiles, const char *outdir, const char *beside, json_t **tree)
{
	struct report_options what = {
		.files = files, .nfiles = nfiles, .outdir = outdir, .beside = beside, .shipped = true};

	return write_to(&what, tree);
}

void cmd_tell_report(json_t *tree, const char *outdir)
{
	cmd_print_summary(tree);
	json_decref(tree);
	printf("%s/index.html\n", outdir);
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir)
{
	struct report_options what = {.files = files, .nfiles = nfiles, .outdir = outdir};
	json_t *tree;
	enum exit_status status = write_to(&what, &tree);

	if (status == STATUS_DONE)
		cmd_tell_report(tree, outdir);
	return status;
}
