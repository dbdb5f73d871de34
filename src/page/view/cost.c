/* cost.c: cost: what the second buffer takes on an SM, and what that costs in time. */
#include "page/view/view.h"

#include <math.h>

#include "tree/tree.h"
#include "util/format.h"

/* The sides of the table; control is NULL where there is none. */
struct sides {
	struct view *view;
	const json_t *single, *dbl, *control;
};

typedef char *format_function(char *buf, size_t size, double x);

static void cost_put_cell(struct view *view, json_t *row, const char *key, double value, format_function *format)
{
	char text[FORMAT_SIZE];

	view_put(view, row, key, view_text(view, "%s", format(text, sizeof(text), value)));
}

/* A row; one with no number at all is left out. */
static json_t *cost_add_row(const struct sides *in, json_t *rows, const char *name, const char *anchor, const char *key,
	format_function *format)
{
	double a = tree_real(in->single, key), b = tree_real(in->dbl, key), c = tree_real(in->control, key);
	struct view *view = in->view;
	json_t *row;

	if (!isfinite(a) && !isfinite(b) && !isfinite(c))
		return NULL;
	row = view_object(view);
	view_put(view, row, "name", view_text(view, "%s", name));
	view_put(view, row, "anchor", view_text(view, "def-%s", anchor));
	cost_put_cell(view, row, "single", a, format);
	cost_put_cell(view, row, "double", b, format);
	if (in->control)
		cost_put_cell(view, row, "control", c, format);
	else
		view_put(view, row, "control", json_null());
	view_append(view, rows, row);
	return row;
}

static void add_limiters(const struct sides *in, json_t *row)
{
	if (!row)
		return;
	view_put_text(in->view, row, "single_note", tree_text(in->single, "limiter"));
	view_put_text(in->view, row, "double_note", tree_text(in->dbl, "limiter"));
	view_put_text(in->view, row, "control_note", tree_text(in->control, "limiter"));
}

static json_t *cost_rows_view(const struct sides *in)
{
	json_t *rows = view_array(in->view), *row;

	cost_add_row(in, rows, "shared memory per block", "shared-memory", "shared_bytes", format_bytes);
	cost_add_row(in, rows, "registers per thread", "registers", "registers", format_count);
	cost_add_row(in, rows, "blocks per SM at once", "limiter-of-the-occupancy", "blocks", format_count);
	row = cost_add_row(
		in, rows, "theoretical occupancy (limiter)", "theoretical-occupancy", "theoretical", format_percent);
	add_limiters(in, row);
	cost_add_row(in, rows, "achieved occupancy", "achieved-occupancy", "achieved", format_percent);
	return rows;
}

static void put_ratio(struct view *view, json_t *object, const char *key, const json_t *ratio)
{
	char value[FORMAT_SIZE], interval[FORMAT_SIZE];

	format_ratio_within(
		value, sizeof(value), tree_real(ratio, "value"), tree_real(ratio, "low"), tree_real(ratio, "high"));
	format_ratios(interval, sizeof(interval), tree_real(ratio, "low"), tree_real(ratio, "high"));
	view_put(view, object, key, view_text(view, "%s (95 %% interval %s)", value, interval));
}

static json_t *control_view(struct view *view, const json_t *control)
{
	json_t *out = view_object(view);

	view_put(view, out, "variant", view_text(view, "%s", tree_text(control, "variant")));
	view_put_sentence(view, out, "text", tree_text(control, "text"));
	put_ratio(view, out, "footprint", json_object_get(control, "footprint"));
	put_ratio(view, out, "rest", json_object_get(control, "rest"));
	return out;
}

/* The second buffer of a copy pipeline is device memory: nothing that an SM would run out of. */
static bool cost_is_pipeline(const json_t *family)
{
	const json_t *trace = json_object_get(tree_headline_case(family, tree_role(family, "single")), "trace");

	return tree_real(json_object_get(json_object_get(trace, "work"), "busy_ns"), "copy") > 0;
}

void view_cost(struct view *view, json_t *page, const json_t *family)
{
	const json_t *cost = json_object_get(view_headline(family), "cost");
	const json_t *control = json_object_get(cost, "control");
	const struct sides sides = {.view = view,
		.single = json_object_get(cost, "single"),
		.dbl = json_object_get(cost, "double"),
		.control = json_object_get(control, "side")};

	view_put_list(view, page, "cost", cost_is_pipeline(family) ? view_array(view) : cost_rows_view(&sides));
	view_put(view, page, "matched", tree_has(cost, "control") ? control_view(view, control) : json_null());
	view_put(view, page, "buffering", json_boolean(tree_true(family, "buffering")));
}
