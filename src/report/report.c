/* report.c: a report from recordings: the tree, its sentences, figures, page, and all of it into place. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "model/model.h"
#include "page/template.h"
#include "page/view/view.h"
#include "report/exports.h"
#include "report/files.h"
#include "report/head.h"
#include "report/place.h"
#include "report/summary.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/file/outdir.h"
#include "words/words.h"

static bool report_interrupted(const struct report_options *options)
{
	return options->interrupted && options->interrupted(options->user);
}

/* ---- recordings, each opened once ---- */

static void close_recordings(struct store **stores, int n)
{
	for (int i = 0; i < n; i++)
		store_close(stores[i]);
	free(stores);
}

static struct store **open_recordings(const struct report_options *options, struct error *err)
{
	struct store **stores = xcalloc((size_t)options->nfiles, sizeof(struct store *));

	for (int i = 0; i < options->nfiles; i++) {
		stores[i] = store_open_redacted(options->files[i], options->redact, err);
		if (!stores[i]) {
			close_recordings(stores, i);
			return NULL;
		}
	}
	return stores;
}

/* The tree with its sentences, and with what tells this report from another. */
static json_t *read_recordings(const struct report_options *options, struct store *const *stores, struct error *err)
{
	const struct model_options what = {
		.files = options->files,
		.stores = stores,
		.nfiles = options->nfiles,
		.shipped = options->shipped,
		.part = options->part,
		.hearer = options->hearer,
		.version = options->version,
		.interrupted = options->interrupted,
		.user = options->user,
	};
	json_t *model = model_build(&what, err), *tree;

	if (!model)
		return NULL;
	words_annotate(model);
	if (options->beside)
		put_json(model, "beside", text_json(options->beside));
	tree = report_with_head(model);
	json_decref(model);
	return tree;
}

/* ---- into the hidden folder ---- */

static int write_page(
	const struct outdir *out, const json_t *tree, const json_t *drawn, const json_t *exports, struct error *err)
{
	const struct view_input input = {tree, drawn, exports};
	json_t *view = view_build(&input);
	char *page = template_render("index", view, err);
	int rc = page ? outdir_write(out, "index.html", page, strlen(page), err) : -1;

	free(page);
	json_decref(view);
	return rc;
}

/* The figures: name to SVG for the page, and each as a file. */
static json_t *draw(const struct report_options *options, const struct outdir *out, const json_t *tree,
	struct report_files *made, struct error *err)
{
	struct figures figures = figures_plan(tree);
	json_t *drawn = figures_draw(&figures, out, options->interrupted, options->user, err);

	for (size_t i = 0; i < figures.n; i++)
		report_files_add(made, "plots/%s.svg", figures.list[i].name);
	figures_free(&figures);
	return drawn;
}

/* Beside a contrast of programs, whose report a machine may want to read: see report/summary.h. */
static int write_summary(const struct outdir *out, const json_t *tree, struct report_files *made, struct error *err)
{
	char *text = report_summary(tree);
	int rc = text ? outdir_write(out, "summary.json", text, strlen(text), err) : 0;

	if (text)
		report_files_add(made, "summary.json");
	free(text);
	return rc;
}

/* Everything but report.json; the names go into `made`. */
static int report_fill(const struct report_options *options, struct store *const *stores, const struct outdir *out,
	const json_t *tree, struct report_files *made, struct error *err)
{
	json_t *exports = report_exports(options, stores, tree, out, made, err);
	json_t *drawn = exports ? draw(options, out, tree, made, err) : NULL;
	int rc = -1;

	if (drawn && report_interrupted(options))
		error_system(err, "interrupted");
	else if (drawn && write_summary(out, tree, made, err) == 0)
		rc = write_page(out, tree, drawn, exports, err);
	report_files_add(made, "report.json");
	report_files_add(made, "index.html");
	json_decref(drawn);
	json_decref(exports);
	return rc;
}

/* ---- all of it ---- */

enum report_status report_check_folder(const char *dir, struct error *err)
{
	static const char *const always[] = {"report.json", "index.html", NULL};
	struct report_files older = {0};
	enum report_status status = report_check_places(dir, always, &older, err);

	report_files_free(&older);
	return status;
}

static enum report_status make_report(
	const struct report_options *options, struct store *const *stores, json_t *tree, struct error *err)
{
	struct outdir *out = outdir_open(options->outdir, err);
	struct report_files made = {0};
	enum report_status status = REPORT_FAILED;

	if (out && report_fill(options, stores, out, tree, &made, err) == 0)
		status = report_place(out, options->outdir, tree, &made, err);
	report_files_free(&made);
	outdir_close(out);
	return status;
}

static enum report_status write_report(
	const struct report_options *options, struct store *const *stores, json_t **tree, struct error *err)
{
	enum report_status status;

	*tree = read_recordings(options, stores, err);
	if (!*tree)
		return error_is_of_system(err) ? REPORT_FAILED : REPORT_BAD_INPUT;
	if (options->begin)
		options->begin(options->user);
	if (report_interrupted(options)) {
		error_system(err, "interrupted");
		return REPORT_FAILED;
	}
	status = report_check_folder(options->outdir, err);
	return status == REPORT_DONE ? make_report(options, stores, *tree, err) : status;
}

enum report_status report_write(const struct report_options *options, json_t **tree, struct error *err)
{
	struct store **stores = open_recordings(options, err);
	json_t *built = NULL;
	enum report_status status;

	if (tree)
		*tree = NULL;
	if (!stores)
		return error_is_of_system(err) ? REPORT_FAILED : REPORT_BAD_INPUT;
	status = write_report(options, stores, &built, err);
	close_recordings(stores, options->nfiles);
	if (tree && status == REPORT_DONE)
		*tree = json_incref(built);
	json_decref(built);
	return status;
}

enum report_status report_read(const struct report_options *options, json_t **tree, struct error *err)
{
	struct store **stores = open_recordings(options, err);

	*tree = NULL;
	if (stores) {
		*tree = read_recordings(options, stores, err);
		close_recordings(stores, options->nfiles);
	}
	return *tree ? REPORT_DONE : error_is_of_system(err) ? REPORT_FAILED : REPORT_BAD_INPUT;
}
