/* make-report.c: see make-report.h. */
#include "config.h"

#include "cmd/make-report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/message.h"
#include "cmd/redact.h"
#include "cmd/signals.h"
#include "cmd/summary.h"
#include "cmd/values.h"
#include "report/markdown.h"
#include "report/report.h"
#include "util/outfile.h"

/* Their numbers are those of the bits of enum report_with. */
const struct cmd_word with_words[] = {
	{"trace", "the timeline, trace.json, as `dbprof export --format=perfetto` makes it"},
	{"work", "kernels, copies and memsets, work.csv, as `dbprof export --format=csv` makes them"},
	{0},
};

enum exit_status take_with(const char *value, unsigned *with)
{
	return cmd_word_list("with", "file", value, with_words, with) ? STATUS_DONE : STATUS_USAGE;
}

static void begin_writing(void *unused)
{
	(void)unused;
	cmd_catch_signals();
}

void cmd_tell_report(const json_t *tree, const char *outdir)
{
	cmd_print_summary(tree);
	printf("%s/index.html\n", outdir);
}

static enum exit_status show_page(const struct report_options *what, json_t **untold, json_t **tree, struct error *err)
{
	enum report_status status = report_write(what, tree, err);

	if (status != REPORT_DONE)
		return cmd_fail(status == REPORT_BAD_INPUT ? STATUS_USAGE : STATUS_FAILED, err);
	if (untold)
		*untold = json_incref(*tree);
	else
		cmd_tell_report(*tree, what->outdir);
	return STATUS_DONE;
}

static enum exit_status show_markdown(const struct report_options *what, json_t **tree, struct error *err)
{
	enum report_status status = report_read(what, tree, err);
	char *text;
	int rc = 0;

	if (status != REPORT_DONE)
		return cmd_fail(status == REPORT_BAD_INPUT ? STATUS_USAGE : STATUS_FAILED, err);
	text = report_markdown(*tree);
	cmd_catch_signals(); /* the rest takes no time */
	if (what->outdir)
		rc = file_replace(what->outdir, text, strlen(text), err);
	else
		fputs(text, stdout);
	free(text);
	return rc < 0 ? cmd_fail(STATUS_FAILED, err) : STATUS_DONE;
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish)
{
	const struct report_options what = {
		.files = files,
		.nfiles = nfiles,
		.outdir = wish->outdir,
		.beside = wish->beside,
		.shipped = wish->shipped,
		.with = wish->with,
		.redact = wish->redact ? cmd_own_families() : NULL,
		.version = PACKAGE_VERSION,
		.begin = begin_writing,
		.interrupted = cmd_interrupted,
	};
	struct error err = {0};
	json_t *tree = NULL;
	enum exit_status status;

	cmd_let_signals_end();
	status = wish->markdown ? show_markdown(&what, &tree, &err) : show_page(&what, wish->untold, &tree, &err);
	if (status == STATUS_DONE)
		status = fail_if_status(tree, wish->fail_if);
	json_decref(tree);
	return status;
}
