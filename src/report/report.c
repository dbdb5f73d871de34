/* report.c: a report from recordings: model, figures, view, page, and all of it into place at once. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "report/outdir.h"
#include "report/template.h"
#include "report/view.h"

static char *render_page(const json_t *model, const json_t *drawn, struct error *err)
{
	char *definitions = template_datafile("docs/numbers.md", err), *page = NULL;

	if (!definitions)
		return NULL;
	const struct view_input input = {model, drawn, definitions};
	json_t *view = view_build(&input, err);
	if (view)
		page = template_render("index", view, err);
	json_decref(view);
	free(definitions);
	return page;
}

static int write_page(const struct outdir *out, const json_t *model, const json_t *drawn, struct error *err)
{
	char *page = render_page(model, drawn, err);

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

static bool interrupted(const struct report_options *options)
{
	return options->interrupted && options->interrupted(options->user);
}

/* Everything, in the temporary folder. */
static int fill(const struct report_options *options, const struct outdir *out, const json_t *model, struct error *err)
{
	struct figures figures;
	json_t *drawn;
	int rc;

	if (figures_plan(model, &figures, err) < 0)
		return -1;
	drawn = figures_draw(&figures, out, options->interrupted, options->user, err);
	figures_free(&figures);
	if (!drawn)
		return -1;
	rc = interrupted(options) ? error_set(err, "interrupted") : write_page(out, model, drawn, err);
	json_decref(drawn);
	return rc < 0 ? rc : write_json(out, model, err);
}

static enum report_status write_model(const struct report_options *options, const json_t *model, struct error *err)
{
	static const char *const names[] = {"plots", "report.json", "index.html"};
	struct outdir *out = outdir_open(options->outdir, err);

	if (!out)
		return REPORT_FAILED;
	if (fill(options, out, model, err) < 0) {
		outdir_abandon(out);
		return REPORT_FAILED;
	}
	if (outdir_commit(out, names, sizeof(names) / sizeof(names[0]), err) < 0)
		return REPORT_FAILED;
	return REPORT_DONE;
}

enum report_status report_write(const struct report_options *options, struct error *err)
{
	enum report_status status = REPORT_FAILED;
	json_t *model = model_build(options, &status, err);

	if (!model)
		return status;
	if (interrupted(options)) {
		error_set(err, "interrupted");
		status = REPORT_FAILED;
	} else {
		status = write_model(options, model, err);
	}
	json_decref(model);
	return status;
}
