/* report.c: a report from recordings: model, figures, view, page, and all of it into place at once. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "report/outdir.h"
#include "report/report-exports.h"
#include "report/template.h"
#include "report/tree.h"
#include "report/view.h"

static char *render_page(const json_t *model, const json_t *drawn, const json_t *exports, struct error *err)
{
	char *definitions = template_datafile("docs/numbers.md", err), *page = NULL;

	if (!definitions)
		return NULL;
	const struct view_input input = {model, drawn, definitions, exports};
	json_t *view = view_build(&input, err);
	if (view)
		page = template_render("index", view, err);
	json_decref(view);
	free(definitions);
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

static bool interrupted(const struct report_options *options)
{
	return options->interrupted && options->interrupted(options->user);
}

/* Everything, in the temporary folder. */
static int fill(const struct report_options *options, const struct outdir *out, const json_t *model,
	const json_t *exports, struct error *err)
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
	rc = interrupted(options) ? error_set(err, "interrupted") : write_page(out, model, drawn, exports, err);
	json_decref(drawn);
	return rc < 0 ? rc : write_json(out, model, err);
}

/* What is in the folder takes its place, the page last: it links the rest. Frees `out`. */
static int commit(struct outdir *out, const json_t *exports, struct error *err)
{
	size_t n = 0, most = 3 + 2 * json_array_size(exports), i;
	const char **names = calloc(most, sizeof(*names));
	json_t *export;

	if (!names) {
		outdir_abandon(out);
		return error_set(err, "not enough memory for the report");
	}
	names[n++] = "plots";
	names[n++] = "report.json";
	json_array_foreach(exports, i, export)
	{
		const json_t *trace = json_object_get(export, "trace");

		if (!trace)
			continue;
		names[n++] = json_string_value(trace);
		names[n++] = tree_text(export, "table");
	}
	names[n++] = "index.html";
	int rc = outdir_commit(out, names, (int)n, err);
	free(names);
	return rc;
}

static enum report_status write_model(const struct report_options *options, const json_t *model, struct error *err)
{
	struct outdir *out = outdir_open(options->outdir, err);
	json_t *exports = out ? report_exports(options, out, err) : NULL;

	if (!exports || fill(options, out, model, exports, err) < 0) {
		json_decref(exports);
		outdir_abandon(out);
		return REPORT_FAILED;
	}
	int rc = commit(out, exports, err);
	if (rc == 0)
		report_exports_drop_old(options->outdir, exports);
	json_decref(exports);
	return rc < 0 ? REPORT_FAILED : REPORT_DONE;
}

enum report_status report_write(const struct report_options *options, struct error *err)
{
	enum report_status status = REPORT_FAILED;
	json_t *model = model_build(options, &status, err);

	if (!model)
		return status;
	if (options->begin)
		options->begin(options->user);
	if (interrupted(options)) {
		error_set(err, "interrupted");
		status = REPORT_FAILED;
	} else {
		status = write_model(options, model, err);
	}
	json_decref(model);
	return status;
}
