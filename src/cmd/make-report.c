/* make-report.c: see make-report.h. */
#include "config.h"

#include "cmd/make-report.h"

#include <math.h>
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
#include "tree/tree.h"
#include "util/clip.h"
#include "util/file/file.h"
#include "util/file/outdir.h"
#include "util/file/outfile.h"
#include "util/format.h"
#include "words/contrast/pass-words.h"

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

static void tell_report(const json_t *tree, const char *outdir, bool told)
{
	cmd_print_summary(tree, told);
	printf("%s/index.html\n", outdir);
}

void cmd_tell_report(const json_t *tree, const char *outdir)
{
	tell_report(tree, outdir, false);
}

static enum exit_status show_page(
	const struct report_options *what, const struct report_wish *wish, json_t **tree, struct error *err)
{
	enum report_status status = report_write(what, tree, err);

	reading_progress_end(what->user);
	if (status != REPORT_DONE)
		return cmd_fail(status == REPORT_BAD_INPUT ? STATUS_USAGE : STATUS_FAILED, err);
	if (wish->untold)
		*wish->untold = json_incref(*tree);
	else
		tell_report(*tree, what->outdir, wish->failure_told);
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

/* ---- what the numbers lack ---- */

/* Of a recording so many lines; of what a recorder wrote so many bytes. */
enum { LACKS_MOST = 5, LACK_BYTES = 200 };

/* Whether what is printed stands on less than a reader would think, or on what is wrong. That a part was read is told
 * if nobody asked for it. What an estimate has to assume, and what a list leaves out, the page tells. */
static bool is_lacking(const json_t *note)
{
	static const char *const lacks[] = {"records-without-times", "samples-without-times", "graphs-as-a-whole",
		"gpus-left-out", "gpus-impossible", "rows-left-out", "other-threads"};
	const char *id = tree_text(note, "id");

	if (strcmp(id, "part-of-recording") == 0)
		return tree_true(note, "chosen");
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++) {
		if (strcmp(id, lacks[i]) == 0)
			return true;
	}
	return strcmp(tree_text(note, "severity"), "error") == 0;
}

static void tell_lack(const char *file, const json_t *note)
{
	char text[LACK_BYTES];

	clip_print(text, sizeof(text), "%s", tree_text(note, "text"));
	cmd_error("%s: %s", file, tree_has(note, "id") ? tree_text(note, "text") : text);
}

/* What the profiler lost of a traced program, in all its processes. */
static void tell_losses(const char *file, const json_t *processes)
{
	double dropped = 0, untimed = 0;
	const json_t *process;
	char count[FORMAT_SIZE];
	size_t i;

	json_array_foreach(processes, i, process)
	{
		dropped += fmax(tree_real(process, "dropped"), 0);
		untimed += fmax(tree_real(process, "untimed"), 0);
	}
	if (dropped > 0)
		cmd_error("%s: the profiler lost %s record%s, which all numbers here lack", file,
			format_count(count, sizeof(count), dropped), dropped == 1 ? "" : "s");
	if (untimed > 0)
		cmd_error("%s: %s record%s no usable times and %s left out", file,
			format_count(count, sizeof(count), untimed), untimed == 1 ? " has" : "s have",
			untimed == 1 ? "is" : "are");
}

static void tell_passes(const char *file, const json_t *recording)
{
	json_t *missed = pass_words_of_programs(recording);
	const json_t *text;
	size_t i;

	json_array_foreach(missed, i, text) cmd_error("%s: %s", file, json_string_value(text));
	json_decref(missed);
}

static void tell_lacks_of(const json_t *recording)
{
	const char *file = tree_text(recording, "file");
	const json_t *note;
	size_t i, n = 0;

	tell_passes(file, recording);
	json_array_foreach(json_object_get(recording, "diagnostics"), i, note)
	{
		if (is_lacking(note) && n++ < LACKS_MOST)
			tell_lack(file, note);
	}
	if (n > LACKS_MOST)
		cmd_error("%s: the report has %zu more of this kind", file, n - LACKS_MOST);
	tell_losses(file, json_object_get(json_object_get(recording, "program"), "processes"));
}

static void tell_lacks(const json_t *root)
{
	json_t *tree = tree_for_terminal(root);
	const json_t *recording;
	size_t i;

	json_array_foreach(json_object_get(tree, "recordings"), i, recording) tell_lacks_of(recording);
	json_decref(tree);
}

/* ---- reports ---- */

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
	status = wish->markdown ? show_markdown(&what, &tree, &err) : show_page(&what, wish, &tree, &err);
	if (status == STATUS_DONE)
		tell_lacks(tree);
	if (status == STATUS_DONE)
		status = fail_if_status(tree, wish->fail_if);
	json_decref(tree);
	return status;
}

enum exit_status cmd_make_folder(const char *outdir, size_t *made)
{
	struct error err = {0};
	enum report_status status;
	int error = outdir_make_folders(outdir, made);

	if (error != 0) {
		cmd_error("cannot make the folder %s: %s: %s", outdir, strerror(error), file_write_advice(error));
		return STATUS_FAILED;
	}
	status = report_check_folder(outdir, &err);
	if (status == REPORT_DONE)
		return STATUS_DONE;
	return cmd_fail(status == REPORT_BAD_INPUT ? STATUS_USAGE : STATUS_FAILED, &err);
}
