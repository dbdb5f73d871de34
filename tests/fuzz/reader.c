/* reader.c: see reader.h. */
#include "reader.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "compare/compare.h"
#include "export/export.h"
#include "figure/figure.h"
#include "report/report.h"
#include "page/template.h"
#include "page/view/view.h"
#include "util/file/file.h"
#include "util/utf8.h"
#include "model/model.h"
#include "model/pair/pair.h"
#include "words/comparison.h"
#include "words/words.h"

/* The name that is markup in rows-mutate.c and in seeds. In a page it must be escaped, wherever it stands. */
static const char markup[] = "<fuzz>";

static void check_text(const char *text, const char *what)
{
	fuzz_check(text != NULL && utf8_valid(text), what);
	fuzz_check(text != NULL && strstr(text, markup) == NULL, what);
}

static void make_page(const json_t *model)
{
	const struct view_input input = {.model = model};
	struct error err = {0};
	json_t *view = view_build(&input);
	char *page = template_render("index", view, &err);

	if (page == NULL)
		fuzz_check_error(&err);
	fuzz_check(page != NULL, err.text);
	check_text(page, "a page with a name in it that is not escaped");
	free(page);
	json_decref(view);
}

/* The data goes to gnuplot in files; arguments and titles must not end a line. */
static void plan_figures(const json_t *model)
{
	struct figures figures = figures_plan(model);

	for (size_t i = 0; i < figures.n; i++) {
		const struct figure *f = &figures.list[i];

		fuzz_check(strpbrk(f->name, "\n/'\"`") == NULL, "a figure's name that is no name of a file");
		fuzz_check(strchr(f->title, '\n') == NULL, "a figure's title of two lines");
		for (int k = 0; k < f->nargs; k++)
			fuzz_check(f->arg[k].text == NULL || strpbrk(f->arg[k].text, "\n'`") == NULL,
				"a figure's argument that gnuplot takes apart");
	}
	figures_free(&figures);
}

static void build_model(const char *path)
{
	const struct model_options options = {.files = &path, .nfiles = 1, .version = "1.2.3"};
	struct error err = {0};
	json_t *model = model_build(&options, &err);
	char *text;

	if (model == NULL) {
		fuzz_check_error(&err);
		fuzz_check(!error_is_of_system(&err), "what is wrong with a file is told as a failure of dbprof");
		return;
	}
	words_annotate(model);
	text = json_dumps(model, JSON_INDENT(1));
	fuzz_check(text != NULL, "a model that is no JSON");
	free(text);
	plan_figures(model);
	make_page(model);
	json_decref(model);
}

/* A table has as many cells in each row, quotes or not. */
static void check_csv(const char *text)
{
	size_t cells = 1, first = 0;
	bool quoted = false;

	for (; *text != '\0'; text++) {
		if (*text == '"')
			quoted = !quoted;
		else if (!quoted && *text == ',')
			cells++;
		else if (!quoted && *text == '\n') {
			first = first == 0 ? cells : first;
			fuzz_check(cells == first, "a row of CSV with more cells or fewer than the first");
			cells = 1;
		}
	}
	fuzz_check(!quoted, "a quote of CSV that does not end");
}

static void check_export(const char *path, const char *format)
{
	struct error err = {0};
	size_t size;
	char *text = file_read(path, &size, &err);
	json_t *tree;

	fuzz_check(text != NULL, "an export that is not there");
	fuzz_check(utf8_valid(text), "an export that is not UTF-8");
	if (strcmp(format, "csv") == 0) {
		check_csv(text);
	} else {
		tree = json_loadb(text, size, JSON_ALLOW_NUL, NULL);
		fuzz_check(tree != NULL, "an export that is no JSON");
		json_decref(tree);
	}
	free(text);
}

/* The tree of the file, if the export needs it and it can be made. */
static json_t *tree_for(const char *path, const char *format, const char *table)
{
	const struct model_options options = {.files = &path, .nfiles = 1, .version = "1.2.3"};
	struct error err = {0};
	json_t *tree = export_needs_tree(format, table) ? model_build(&options, &err) : NULL;

	if (tree != NULL)
		words_annotate(tree);
	return tree;
}

static void export(const char *path, const char *format, const char *table)
{
	char output[FUZZ_PATH];
	json_t *tree = tree_for(path, format, table);
	const struct export_options options = {.file = path,
		.format = format,
		.table = table,
		.output = fuzz_path(output, "export"),
		.version = "1.2.3",
		.tree = tree};
	struct export_result result;
	struct error err = {0};
	struct store *store;

	if (tree == NULL && export_needs_tree(format, table))
		return;
	store = store_open(path, &err);
	if (store != NULL && export_write(&options, store, &result, &err) == 0) {
		check_export(output, format);
	} else {
		fuzz_check(!error_is_of_system(&err), err.text);
		fuzz_check_error(&err);
	}
	store_close(store);
	json_decref(tree);
}

static void compare(const char *path)
{
	const struct pair_options options = {.base = path, .fresh = path, .threshold = 0.01, .version = "1.2.3"};
	struct error err = {0};
	json_t *tree = model_pair_build(&options, &err);
	char *text, *page;

	if (tree == NULL) {
		fuzz_check_error(&err);
		fuzz_check(!error_is_of_system(&err), "what is wrong with a file is told as a failure of dbprof");
		return;
	}
	words_comparison(tree);
	text = compare_text(tree, true);
	page = compare_page(tree, NULL, &err);
	fuzz_check(text != NULL && page != NULL, err.text);
	fuzz_check(utf8_valid(text), "a comparison that is not UTF-8");
	check_text(page, "a page with a name in it that is not escaped");
	free(text);
	free(page);
	json_decref(tree);
}

void fuzz_read(const char *path, size_t turn)
{
	size_t tables = 0;

	while (export_tables[tables] != NULL)
		tables++;
	build_model(path);
	export(path, "perfetto", NULL);
	export(path, "csv", export_tables[turn % tables]);
	export(path, "csv", export_tables[turn / tables % tables]);
	compare(path);
}
