/* pm.c: occupancy and traffic over time: the figure, and its curves' means and peaks as a table. */
#include "page/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/pm-data.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

static const char *const roles[] = {"single", "double"};

enum {
	ROLES = sizeof(roles) / sizeof(roles[0]),
	PM_WHERE_SIZE = 200,
};

static json_t *value_view(const struct pm_graph *graph, double value)
{
	char text[FORMAT_SIZE];

	if (!isfinite(value))
		return json_null();
	if (strcmp(graph->unit, "%") == 0)
		return view_percent(value / 100);
	return view_text("%s", format_rate(text, sizeof(text), 1e9 * value, "B/s"));
}

/* Mean over the run and peak of one curve in one run; true if it has any. */
static bool add_cells(json_t *cells, const json_t *family, const json_t *sets, const struct pm_graph *graph,
	const struct pm_curve *curve)
{
	struct value_sample *samples;
	double mean = NAN, peak = NAN;
	size_t n = pm_samples(json_object_get(family, "metrics"), sets, curve, &samples);

	if (n > 0) {
		samples_mean(samples, n, 0, pm_duration(sets), &mean, 1);
		peak = samples_peak(samples, n, 0, pm_duration(sets));
	}
	free(samples);
	append_json(cells, value_view(graph, mean));
	append_json(cells, value_view(graph, peak));
	return n > 0;
}

static void pm_add_curve(json_t *rows, const json_t *family, const struct pm_graph *graph, const struct pm_curve *curve)
{
	json_t *row = json_object(), *cells = json_array();
	bool any = false;

	for (int r = 0; r < ROLES; r++)
		any |= add_cells(cells, family, pm_sets(family, roles[r]), graph, curve);
	put_json(row, "name", view_text("%s: %s", graph->words, curve->words));
	put_json(row, "cells", cells);
	if (any)
		append_json(rows, row);
	else
		json_decref(row);
}

/* "steps 4, 18 and 33 of 84 us to 85 us" */
static void steps_of_sets(const json_t *sets, const char *low, const char *high, char *text, size_t size)
{
	size_t n = json_array_size(sets);

	clip_print(text, size, "%s", n == 1 ? "step" : "steps");
	for (size_t i = 0; i < n; i++)
		clip_append(text, size, "%s%.0f",
			i == 0      ? " "
			: i + 1 < n ? ", "
				    : " and ",
			tree_real(json_array_get(sets, i), "step"));
	clip_append(text, size, " of %s", low);
	if (strcmp(low, high) != 0)
		clip_append(text, size, " to %s", high);
}

static void runs_of_sets(const json_t *sets, const char *low, const char *high, char *text, size_t size)
{
	size_t n = json_array_size(sets);

	if (strcmp(low, high) == 0)
		clip_print(text, size, "%zu %s of %s", n, n == 1 ? "run" : "runs", high);
	else
		clip_print(text, size, "%zu runs of %s to %s", n, low, high);
}

/* How many runs a side's curves come from, and how long those took: they are not one run. */
static json_t *pm_run_view(const json_t *family, const char *role)
{
	const json_t *sets = pm_sets(family, role);
	double shortest = INFINITY, interval = NAN;
	char low[FORMAT_SIZE], high[FORMAT_SIZE], step[FORMAT_SIZE], where[PM_WHERE_SIZE];
	json_t *run = json_object();
	bool lost = false;

	for (size_t i = 0; i < json_array_size(sets); i++) {
		shortest = fmin(shortest, tree_real(json_array_get(sets, i), "duration_ns"));
		interval = fmin(interval, tree_real(json_array_get(sets, i), "interval_ns"));
		lost |= tree_real(json_array_get(sets, i), "overflow") > 0 ||
			tree_true(json_array_get(sets, i), "overflow");
	}
	format_time_ns(low, sizeof(low), shortest);
	format_time_ns(high, sizeof(high), pm_duration(sets));
	format_time_ns(step, sizeof(step), interval);
	put_json(run, "role", view_text("%s", role));
	put_json(run, "name", view_text("%s", tree_text(family, role)));
	(pm_are_steps(sets) ? steps_of_sets : runs_of_sets)(sets, low, high, where, sizeof(where));
	put_json(run, "sentence", view_text("sampled every %s in %s.", step, where));
	put_json(run, "lost", json_boolean(lost));
	return run;
}

/* Programs have names of their own. */
static json_t *heads_of_rows(const json_t *family)
{
	bool programs = view_is_of_programs(family);
	json_t *head = json_array();

	append_json(head, json_string(pm_are_steps(pm_sets(family, "single")) || pm_are_steps(pm_sets(family, "double"))
					      ? "of the step"
					      : "from first to last device work"));
	for (int r = 0; r < ROLES; r++) {
		append_json(head, view_text("%s, mean", programs ? tree_text(family, roles[r]) : roles[r]));
		append_json(head, json_string("highest"));
	}
	return head;
}

static json_t *rows_text(const json_t *family, const json_t *rows)
{
	json_t *table = json_array(), *text;

	append_json(table, heads_of_rows(family));
	for (size_t r = 0; r < json_array_size(rows); r++) {
		const json_t *row = json_array_get(rows, r);
		json_t *line = json_array();

		append_json(line, json_incref(json_object_get(row, "name")));
		json_array_extend(line, json_object_get(row, "cells"));
		append_json(table, line);
	}
	text = view_columns(table);
	json_decref(table);
	return text;
}

static json_t *pm_view(struct view *view, const json_t *family)
{
	json_t *pm = json_object(), *rows = json_array(), *runs = json_array();

	for (int g = 0; g < PM_GRAPHS; g++) {
		for (int c = 0; c < PM_CURVES; c++)
			pm_add_curve(rows, family, pm_graph(g), &pm_graph(g)->curve[c]);
	}
	for (int r = 0; r < ROLES; r++) {
		if (pm_sets(family, roles[r]))
			append_json(runs, pm_run_view(family, roles[r]));
	}
	view_put_figure(view, pm, "figure", tree_text(family, "name"), "pm");
	put_json(pm, "text", rows_text(family, rows));
	view_put_list(pm, "rows", rows);
	put_json(pm, "runs", runs);
	put_json(pm, "steps",
		json_boolean(pm_are_steps(pm_sets(family, "single")) || pm_are_steps(pm_sets(family, "double"))));
	put_json(pm, "several",
		json_boolean(json_array_size(pm_sets(family, "single")) > 1 ||
			     json_array_size(pm_sets(family, "double")) > 1));
	return pm;
}

void view_pm(struct view *view, json_t *page, const json_t *family)
{
	bool there = pm_sets(family, "single") || pm_sets(family, "double");

	put_json(page, "pm", there ? pm_view(view, family) : json_null());
	view_put_refusal(view, page, "no_pm", there ? "" : tree_text(family, "name"), "pm");
}
