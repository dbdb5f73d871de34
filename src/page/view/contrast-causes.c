/* contrast-causes.c: why the kernels of a contrast of programs differ, and what was counted of each. */
#include "page/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/place.h"

enum { SPREAD_SIZE = 512, UNCOUNTED_SIZE = 640 };

/* ---- how alike the counted launches were ---- */

/* ", instructions 1.00 M to 1.02 M"; one number where both read alike. */
static void add_spread(char *text, size_t size, const char *what, const json_t *spread)
{
	char low[FORMAT_SIZE], high[FORMAT_SIZE];

	if (!tree_has(spread, "low") || !tree_has(spread, "high"))
		return;
	format_quantity(low, sizeof(low), tree_real(spread, "low"));
	format_quantity(high, sizeof(high), tree_real(spread, "high"));
	clip_append(text, size, ", %s %s%s%s", what, low, strcmp(low, high) == 0 ? "" : " to ",
		strcmp(low, high) == 0 ? "" : high);
}

static const char *plural_s(double n)
{
	return n == 1 ? "" : "s";
}

/* "single in 24 launches of 2 runs, instructions 1.00 M to 1.02 M, cycles 20.1 k to 20.4 k" */
static void add_counter_run(char *text, size_t size, const json_t *run)
{
	double launches = tree_real(run, "launches"), runs = tree_real(run, "runs");

	clip_append(text, size, "%s%.60s in %.0f launch%s of %.0f run%s", *text ? "; " : "", tree_text(run, "side"),
		launches, launches == 1 ? "" : "es", runs, plural_s(runs));
	add_spread(text, size, "instructions", json_object_get(run, "instructions"));
	add_spread(text, size, "cycles", json_object_get(run, "cycles"));
}

static bool is_of_pair(const json_t *family, const json_t *run)
{
	const char *side = tree_text(run, "side");

	return strcmp(side, tree_text(family, "single")) == 0 || strcmp(side, tree_text(family, "double")) == 0;
}

/* Null where nobody tells. */
static json_t *spreads_view(const json_t *family, const char *label)
{
	const json_t *runs = json_object_get(family, "counter_runs");
	char text[SPREAD_SIZE] = "";

	for (size_t i = 0; i < json_array_size(runs); i++) {
		const json_t *run = json_array_get(runs, i);

		if (strcmp(tree_text(run, "case"), label) == 0 && is_of_pair(family, run) &&
			tree_real(run, "launches") > 0)
			add_counter_run(text, sizeof(text), run);
	}
	return *text ? view_text("Counted: %s.", text) : json_null();
}

/* ---- a kernel that was counted or sampled ---- */

/* Local memory, where a side has some: spilled registers are there. */
static void add_local_memory(json_t *rows, const json_t *family, const json_t *matched)
{
	const json_t *kernels = json_object_get(matched, "kernels");
	double a = tree_real(tree_find(kernels, "side", tree_text(family, "single")), "local_bytes");
	double b = tree_real(tree_find(kernels, "side", tree_text(family, "double")), "local_bytes");
	json_t *row;

	if (!(a > 0) && !(b > 0))
		return;
	row = json_object();
	put_json(row, "name", json_string("local memory per thread"));
	put_json(row, "single", view_bytes(a));
	put_json(row, "double", view_bytes(b));
	put_json(row, "differs", json_boolean(a != b));
	append_json(rows, row);
}

/* What both sides take alike says nothing of their difference. A limiter may change alone. */
static bool row_differs(const json_t *row)
{
	return tree_true(row, "differs") || strcmp(tree_text(row, "single_note"), tree_text(row, "double_note")) != 0;
}

/* Rows of what each side takes of an SM where that differs. */
static json_t *differing_cost(const json_t *family, const json_t *matched, const json_t *contrast)
{
	json_t *rows = view_cost_rows(json_object_get(contrast, "cost"));

	add_local_memory(rows, family, matched);
	for (size_t i = json_array_size(rows); i-- > 0;)
		if (!row_differs(json_array_get(rows, i)))
			json_array_remove(rows, i);
	return rows;
}

static json_t *counted_kernel_view(const json_t *family, const json_t *matched, const json_t *contrast)
{
	const char *label = tree_text(contrast, "case"), *other = name_by_place(family, label);
	json_t *kernel = json_object();

	put_json(kernel, "name",
		view_text("%.200s%s%.200s", tree_name_of_case(label), other ? ", " : "", other ? other : ""));
	view_put_verdict(kernel, contrast);
	view_put_speedup(kernel, contrast);
	view_put_text(kernel, "because", tree_text(contrast, "because"));
	view_put_text(kernel, "launches", tree_text(json_object_get(contrast, "launches"), "text"));
	view_put_causes(kernel, contrast);
	view_put_list(kernel, "cost", differing_cost(family, matched, contrast));
	put_json(kernel, "spreads", spreads_view(family, label));
	put_json(kernel, "counters_text", view_counters_text(family, label));
	view_put_kernel_samples(kernel, family, label);
	return kernel;
}

static bool is_counted_contrast(const json_t *contrast)
{
	return json_array_size(json_object_get(contrast, "causes")) > 0;
}

/* A kernel or graph that was counted or sampled. */
struct counted_one {
	const json_t *contrast, *matched; /* matched: NULL of a graph */
	double size;                      /* of its difference, ns; -1 if it is not known */
	size_t at;
};

static int by_size_of_difference(const void *left, const void *right)
{
	const struct counted_one *a = left, *b = right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* False for a contrast of all kernels or of the program, and where nothing is known of the kernel but its time. */
static bool is_counted_one(const json_t *family, const json_t *contrast, struct counted_one *out)
{
	const char *label = tree_text(contrast, "case");
	double size = fabs(tree_real(contrast, "single_ns") - tree_real(contrast, "double_ns"));

	*out = (struct counted_one){.contrast = contrast,
		.matched = tree_find(json_object_get(family, "matched"), "case", label),
		.size = isfinite(size) ? size : -1};
	return (out->matched || tree_case_is_graph(family, label)) &&
	       (is_counted_contrast(contrast) || view_is_sampled(family, label));
}

/* The largest difference first, for free(). */
static struct counted_one *counted_ones(const json_t *family, size_t *n)
{
	const json_t *contrasts = json_object_get(family, "contrasts");
	struct counted_one *all = xcalloc(json_array_size(contrasts) + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < json_array_size(contrasts); i++)
		if (is_counted_one(family, json_array_get(contrasts, i), &all[*n]))
			all[(*n)++].at = i;
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_size_of_difference);
	return all;
}

static void put_counted(json_t *page, const json_t *family)
{
	size_t n;
	struct counted_one *all = counted_ones(family, &n);
	json_t *list = json_array();
	bool any_counted = false, any_sampled = false;

	for (size_t i = 0; i < n; i++) {
		json_t *kernel = counted_kernel_view(family, all[i].matched, all[i].contrast);

		put_json(kernel, "open", json_boolean(i == 0));
		append_json(list, kernel);
		any_counted |= is_counted_contrast(all[i].contrast);
		any_sampled |= view_is_sampled(family, tree_text(all[i].contrast, "case"));
	}
	free(all);
	view_put_list(page, "counted", list);
	put_json(page, "any_counted", json_boolean(any_counted));
	put_json(page, "any_sampled", json_boolean(any_sampled));
}

/* ---- kernels that were not ---- */

/* A reason that both sides have is told once, with no side. */
static const json_t *same_reason(const json_t *runs, size_t i)
{
	const json_t *run = json_array_get(runs, i);

	for (size_t k = 0; k < json_array_size(runs); k++) {
		const json_t *other = json_array_get(runs, k);

		if (k != i && strcmp(tree_text(other, "case"), tree_text(run, "case")) == 0 &&
			strcmp(tree_text(other, "reason"), tree_text(run, "reason")) == 0)
			return k < i ? other : NULL;
	}
	return run;
}

static void put_uncounted(json_t *page, const json_t *family)
{
	const json_t *runs = json_object_get(family, "counter_runs");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(runs); i++) {
		const json_t *run = json_array_get(runs, i), *twin = same_reason(runs, i);
		char text[UNCOUNTED_SIZE];

		/* Its twin before it has told it. */
		if (!tree_has(run, "reason") || (twin && twin != run))
			continue;
		clip_print(text, sizeof(text), "%.120s", tree_name_of_case(tree_text(run, "case")));
		if (twin)
			clip_append(text, sizeof(text), " in %.60s", tree_text(run, "side"));
		clip_append(text, sizeof(text), ": %.400s.", tree_text(run, "reason"));
		append_json(list, view_text("%s", text));
	}
	view_put_list(page, "uncounted", list);
}

/* ---- the program's step ---- */

json_t *view_step(struct view *view, const json_t *family)
{
	const json_t *program = tree_program_contrast(family);
	const char *name = tree_text(family, "name");
	json_t *step;

	if (!tree_has(program, "time"))
		return json_null();
	step = json_object();
	view_put_figure(view, step, "time_figure", name, "time");
	view_put_figure(view, step, "waterfall", name, "step-waterfall");
	put_json(step, "splits", json_boolean(view_splits_time(family)));
	view_put_sentence(step, "cause", tree_text(program, "cause"));
	view_put_causes(step, program);
	return step;
}

void view_put_contrast_causes(struct view *view, json_t *page, const json_t *family)
{
	const char *name = tree_text(family, "name");

	view_put_figure(view, page, "waterfall", name, "waterfall");
	view_put_causes(page, tree_headline_contrast(family));
	view_put_refusal(view, page, "counters_refused", name, "counters");
	put_counted(page, family);
	put_uncounted(page, family);
	view_put_refusal(view, page, "samples_refused", name, "stalls");
	view_put_unsampled(page, family);
	put_json(page, "step", view_step(view, family));
	put_json(page, "why",
		json_boolean(tree_has(page, "waterfall") || tree_true(page, "has_counted") ||
			     tree_true(page, "has_uncounted") || tree_has(page, "counters_refused") ||
			     tree_true(page, "has_unsampled") || tree_has(page, "samples_refused")));
}
