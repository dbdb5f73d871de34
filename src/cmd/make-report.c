/* make-report.c: see make-report.h. */
#include "config.h"

#include "cmd/make-report.h"

#include <jansson.h>
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

/* What report_write() has built, until that hands it back itself. */
static json_t *read_back(const char *outdir)
{
	char path[4096];
	json_t *root;

	snprintf(path, sizeof(path), "%s/report.json", outdir);
	root = json_load_file(path, 0, NULL);
	if (!root)
		cmd_error("%s/index.html is written, but %s cannot be read: no summary of it here", outdir, path);
	return root;
}

static enum exit_status tell_report(const char *outdir)
{
	json_t *root = read_back(outdir);

	if (!root)
		return STATUS_FAILED;
	cmd_print_summary(root);
	json_decref(root);
	printf("%s/index.html\n", outdir);
	return STATUS_DONE;
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir, bool shipped)
{
	struct report_options what = {
		.files = files,
		.nfiles = nfiles,
		.outdir = outdir,
		.shipped = shipped,
		.version = PACKAGE_VERSION,
		.begin = begin_writing,
		.interrupted = cmd_interrupted,
	};
	struct error err = {0};

	cmd_let_signals_end();
	switch (report_write(&what, &err)) {
	case REPORT_BAD_INPUT:
		return cmd_fail(STATUS_USAGE, &err);
	case REPORT_FAILED:
		return cmd_fail(STATUS_FAILED, &err);
	case REPORT_DONE:
		break;
	}
	return tell_report(outdir);
}
