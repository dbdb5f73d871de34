/* export.c: see export.h. */
#include "export/export.h"
#include "model/recording.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/walk.h"
#include "model/model.h"
#include "report/outdir.h"
#include "words/words.h"

const char *const export_formats[] = {"perfetto", "json", "csv", NULL};

/* ---- from the rows ---- */

static enum report_status walk(struct export *ex)
{
	int rc;

	ex->store = store_open(ex->options->file, ex->err);
	if (!ex->store)
		return error_is_of_system(ex->err) ? REPORT_FAILED : REPORT_BAD_INPUT;
	ex->names = (struct model){.store = ex->store, .err = ex->err};
	rc = export_walk(ex);
	if (rc == 0 && ex->text.failed)
		rc = export_no_memory(ex);
	if (rc < 0 && !ex->err->text[0])
		export_no_memory(ex);
	if (ex->hooks->free)
		ex->hooks->free(ex);
	launches_free(ex->launches);
	store_close(ex->store);
	return rc == 0                                           ? REPORT_DONE
	       : ex->not_the_file || error_is_of_system(ex->err) ? REPORT_FAILED
								 : REPORT_BAD_INPUT;
}

/* ---- from the model ---- */

static json_t *build_model(struct export *ex)
{
	const char *const files[] = {ex->options->file};
	const struct model_options options = {
		.files = files,
		.nfiles = 1,
		.version = ex->options->version,
		.interrupted = ex->options->interrupted,
		.user = ex->options->user,
	};

	json_t *tree = model_build(&options, ex->err);

	if (tree)
		words_annotate(tree);
	return tree;
}

static enum report_status write_table(struct export *ex, const struct export_table *table)
{
	enum report_status status = REPORT_FAILED;
	json_t *model;

	if (table->hooks) {
		ex->hooks = table->hooks;
		return walk(ex);
	}
	model = build_model(ex);
	status = model ? REPORT_DONE : error_is_of_system(ex->err) ? REPORT_FAILED : REPORT_BAD_INPUT;
	if (model) {
		table->model(ex, json_array_get(json_object_get(model, "recordings"), 0));
		json_decref(model);
	}
	return status;
}

static enum report_status export_write_model(struct export *ex)
{
	json_t *model = build_model(ex);
	enum report_status status = model                         ? REPORT_DONE
				    : error_is_of_system(ex->err) ? REPORT_FAILED
								  : REPORT_BAD_INPUT;
	char *dump = model ? json_dumps(model, JSON_INDENT(1)) : NULL;

	json_decref(model);
	if (model && !dump) {
		export_no_memory(ex);
		return REPORT_FAILED;
	}
	text_string(&ex->text, dump ? dump : "");
	text_string(&ex->text, "\n");
	free(dump);
	return status;
}

/* ---- into a file ---- */

static enum report_status write_content(struct export *ex)
{
	const char *format = ex->options->format;
	const char *table = ex->options->table ? ex->options->table : export_tables[0];

	if (strcmp(format, "json") == 0)
		return export_write_model(ex);
	if (strcmp(format, "csv") == 0)
		return write_table(ex, export_table_find(table));
	ex->hooks = &export_trace_hooks;
	return walk(ex);
}

/* What is left in memory, then the name. Takes the file. */
static enum report_status export_finish(struct export *ex, enum report_status status)
{
	if (status == REPORT_DONE && ex->text.failed) {
		export_no_memory(ex);
		status = REPORT_FAILED;
	}
	if (status == REPORT_DONE && outfile_write(ex->out, ex->text.data, ex->text.used, ex->err) < 0)
		status = REPORT_FAILED;
	if (status != REPORT_DONE)
		outfile_abandon(ex->out);
	else if (outfile_commit(ex->out, ex->err) < 0)
		status = REPORT_FAILED;
	text_free(&ex->text);
	return status;
}

static enum report_status write_file(
	const struct export_options *options, struct export_result *result, struct error *err)
{
	struct export ex = {.options = options, .result = result, .err = err};

	ex.out = outfile_open(options->output, err);
	if (!ex.out)
		return REPORT_FAILED;
	return export_finish(&ex, write_content(&ex));
}

/* ---- all tables, into a folder ---- */

enum { TABLES_MOST = 16, NAME_SIZE = 64 };

static enum report_status fill_folder(const struct export_options *options, const struct outdir *dir,
	char names[][NAME_SIZE], int *n, struct export_result *result, struct error *err)
{
	enum report_status status = REPORT_DONE;
	char path[4096];

	for (*n = 0; export_tables[*n] && status == REPORT_DONE; ++*n) {
		struct export_options one = *options;
		struct export_result of_one = {0};

		snprintf(names[*n], NAME_SIZE, "%s.csv", export_tables[*n]);
		if (snprintf(path, sizeof(path), "%s/%s", outdir_path(dir), names[*n]) >= (int)sizeof(path)) {
			error_set(err, "%s: the name is too long", options->output);
			return REPORT_FAILED;
		}
		one.table = export_tables[*n];
		one.output = path;
		status = write_file(&one, &of_one, err);
		result->left_out += of_one.left_out;
	}
	return status;
}

static enum report_status write_folder(
	const struct export_options *options, struct export_result *result, struct error *err)
{
	char names[TABLES_MOST][NAME_SIZE];
	const char *list[TABLES_MOST + 1];
	struct outdir *dir = outdir_open(options->output, err);
	enum report_status status;
	int n;

	if (!dir)
		return REPORT_FAILED;
	status = fill_folder(options, dir, names, &n, result, err);
	if (status != REPORT_DONE) {
		outdir_abandon(dir);
		return status;
	}
	for (int i = 0; i < n; i++)
		list[i] = names[i];
	list[n] = NULL;
	if (outdir_lock(dir, err) < 0) {
		outdir_abandon(dir);
		return REPORT_FAILED;
	}
	/* These files were asked for; what else is in the folder stays. */
	return outdir_commit(dir, list, list, err) < 0 ? REPORT_FAILED : REPORT_DONE;
}

enum report_status export_write(const struct export_options *options, struct export_result *result, struct error *err)
{
	bool all = options->table && strcmp(options->table, "all") == 0;

	*result = (struct export_result){0};
	err->text[0] = '\0';
	return all ? write_folder(options, result, err) : write_file(options, result, err);
}
