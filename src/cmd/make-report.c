/* make-report.c: see make-report.h. */
#include "config.h"

#include "cmd/make-report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/message.h"
#include "cmd/redact.h"
#include "cmd/signals.h"
#include "cmd/summary.h"
#include "cmd/values.h"
#include "report/markdown.h"
#include "report/report.h"
#include "tree/tree.h"
#include "util/file/file.h"
#include "util/file/outfile.h"

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

static void begin_writing(void *progress)
{
	reading_progress_end(progress);
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

	reading_progress_end(what->user);
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

	reading_progress_end(what->user);
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

/* Whether what is printed stands on less than a reader would think. That a part was read is told if nobody asked for
 * it. */
static bool is_lacking(const json_t *note)
{
	const char *id = tree_text(note, "id");

	return strcmp(id, "other-threads") == 0 || (strcmp(id, "part-of-recording") == 0 && tree_true(note, "chosen"));
}

/* Says what the numbers of each recording lack. */
static void tell_lacks(const json_t *tree)
{
	const json_t *recordings = json_object_get(tree, "recordings"), *recording, *note;
	size_t i, k;

	json_array_foreach(recordings, i, recording)
	{
		json_array_foreach(json_object_get(recording, "diagnostics"), k, note)
		{
			if (is_lacking(note))
				cmd_error("%s: %s", tree_text(recording, "file"), tree_text(note, "text"));
		}
	}
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish)
{
	struct reading_progress progress;
	const struct report_options what = {
		.files = files,
		.nfiles = nfiles,
		.outdir = wish->outdir,
		.beside = wish->beside,
		.shipped = wish->shipped,
		.with = wish->with,
		.part = wish->part,
		.hearer = &progress.hearer,
		.redact = wish->redact ? cmd_own_families() : NULL,
		.version = PACKAGE_VERSION,
		.begin = begin_writing,
		.user = &progress,
		.interrupted = cmd_interrupted,
	};
	struct error err = {0};
	json_t *tree = NULL;
	enum exit_status status;

	if (wish->redact)
		cmd_redact_messages(files, nfiles);
	cmd_let_signals_end();
	reading_progress_begin(&progress);
	status = wish->markdown ? show_markdown(&what, &tree, &err) : show_page(&what, wish->untold, &tree, &err);
	if (status == STATUS_DONE)
		tell_lacks(tree);
	if (status == STATUS_DONE)
		status = fail_if_status(tree, wish->fail_if);
	json_decref(tree);
	return status;
}

enum exit_status cmd_make_folder(const char *outdir, bool *made)
{
	struct error err = {0};
	enum report_status status;

	*made = mkdir(outdir, 0777) == 0;
	if (!*made && errno != EEXIST) {
		int error = errno;

		cmd_error("cannot make the folder %s: %s: %s", outdir, strerror(error), file_write_advice(error));
		return STATUS_FAILED;
	}
	status = report_check_folder(outdir, &err);
	if (status == REPORT_DONE)
		return STATUS_DONE;
	return cmd_fail(status == REPORT_BAD_INPUT ? STATUS_USAGE : STATUS_FAILED, &err);
}
