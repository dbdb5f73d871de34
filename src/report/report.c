/* report.c: a report from recordings: model, figures, view, page, and all of it into place at once. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "model/model.h"
#include "report/outdir.h"
#include "report/exports.h"
#include "report/files.h"
#include "page/template.h"
#include "page/view/view.h"
#include "util/file.h"
#include "words/words.h"

static char *render_page(const json_t *model, const json_t *drawn, const json_t *exports, struct error *err)
{
	const struct view_input input = {model, drawn, exports};
	json_t *view = view_build(&input);
	char *page = template_render("index", view, err);

	json_decref(view);
	return page;
}

static int write_page(
	const struct outdir *out, const json_t *model, const json_t *drawn, const json_t *exports, struct error *err)
{
	char *page = render_page(model, drawn, exports, err);

	if (!page)
		return -1;
	int rc = outdir_write(out, "index.html", page, strlen(page), err);
	free(page);
	return rc;
}

static int write_json(const struct outdir *out, const json_t *model, struct error *err)
{
	char *text = json_dumps(model, JSON_INDENT(1));

	if (!text)
		return error_set(err, "not enough memory for report.json");
	int rc = outdir_write(out, "report.json", text, strlen(text), err);
	free(text);
	return rc;
}

static bool report_interrupted(const struct report_options *options)
{
	return options->interrupted && options->interrupted(options->user);
}

/* Everything, in the temporary folder. */
static int report_fill(const struct report_options *options, const struct outdir *out, const json_t *model,
	const json_t *exports, struct error *err)
{
	struct figures figures = figures_plan(model);
	json_t *drawn;
	int rc;

	drawn = figures_draw(&figures, out, options->interrupted, options->user, err);
	figures_free(&figures);
	if (!drawn)
		return -1;
	rc = report_interrupted(options) ? error_set(err, "interrupted") : write_page(out, model, drawn, exports, err);
	json_decref(drawn);
	return rc < 0 ? rc : write_json(out, model, err);
}

/* Whether nothing but an older report, of which *older has the names, is where these files belong. */
static enum report_status report_check_places(
	const char *dir, const char *const *names, struct report_files *older, struct error *err)
{
	if (report_files_there(dir, older, err) < 0)
		return REPORT_FAILED;
	return outdir_check(dir, names, report_files_list(older), err) < 0 ? REPORT_BAD_INPUT : REPORT_DONE;
}

enum report_status report_check_folder(const char *dir, struct error *err)
{
	static const char *const always[] = {"report.json", "index.html", NULL};
	struct report_files older = {0};
	enum report_status status = report_check_places(dir, always, &older, err);

	report_files_free(&older);
	return status;
}

/* Frees `out`. */
static enum report_status move_into_place(
	struct outdir *out, const char *dir, const struct report_files *made, struct error *err)
{
	struct report_files older = {0};
	const char *const *names = report_files_list(made);
	enum report_status status = REPORT_FAILED;

	if (outdir_lock(out, err) == 0)
		status = report_check_places(dir, names, &older, err);
	if (status != REPORT_DONE)
		outdir_abandon(out);
	else if (outdir_commit(out, names, report_files_list(&older), err) < 0)
		status = REPORT_FAILED;
	report_files_free(&older);
	return status;
}

/* What is in the temporary folder takes its place, the page last: it links the rest. Frees `out`. */
static enum report_status commit(struct outdir *out, const char *dir, const json_t *exports, struct error *err)
{
	struct report_files made = {0};
	enum report_status status = REPORT_FAILED;

	if (report_files_made(out, exports, &made, err) == 0)
		status = move_into_place(out, dir, &made, err);
	else
		outdir_abandon(out);
	report_files_free(&made);
	return status;
}

/* Each file is read by its name for the page and for each export: all of that has to be of one recording. */
static int check_unchanged(const struct report_options *options, const struct file_identity *found, struct error *err)
{
	for (int i = 0; i < options->nfiles; i++)
		if (!file_is_still(options->files[i], &found[i]))
			return error_set(err, "%s was replaced while its report was made: run dbprof report again",
				options->files[i]);
	return 0;
}

static enum report_status report_write_model(
	const struct report_options *options, const struct file_identity *found, const json_t *model, struct error *err)
{
	struct outdir *out = outdir_open(options->outdir, err);
	json_t *exports = out ? report_exports(options, out, err) : NULL;
	enum report_status status = REPORT_FAILED;

	if (exports && check_unchanged(options, found, err) == 0 && report_fill(options, out, model, exports, err) == 0)
		status = commit(out, options->outdir, exports, err);
	else
		outdir_abandon(out);
	json_decref(exports);
	return status;
}

static enum report_status write_report(
	const struct report_options *options, const struct file_identity *found, struct error *err)
{
	enum report_status status = REPORT_FAILED;
	const struct model_options what = {
		.files = options->files,
		.nfiles = options->nfiles,
		.shipped = options->shipped,
		.version = options->version,
		.interrupted = options->interrupted,
		.user = options->user,
	};
	json_t *model = model_build(&what, err);

	if (!model)
		return error_is_of_system(err) ? REPORT_FAILED : REPORT_BAD_INPUT;
	words_annotate(model);
	if (options->begin)
		options->begin(options->user);
	if (report_interrupted(options)) {
		error_set(err, "interrupted");
		status = REPORT_FAILED;
	} else {
		status = report_check_folder(options->outdir, err);
	}
	if (status == REPORT_DONE)
		status = report_write_model(options, found, model, err);
	json_decref(model);
	return status;
}

enum report_status report_write(const struct report_options *options, struct error *err)
{
	struct file_identity *found = calloc((size_t)options->nfiles, sizeof(*found));
	enum report_status status;

	if (!found) {
		error_set(err, "not enough memory for the report");
		return REPORT_FAILED;
	}
	for (int i = 0; i < options->nfiles; i++)
		found[i] = file_identify(options->files[i]);
	status = write_report(options, found, err);
	free(found);
	return status;
}
