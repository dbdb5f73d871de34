/* cost.c: cost: what the second buffer takes on an SM, and what that costs in time. */
#include "page/view/view.h"

#include <math.h>

#include "tree/tree.h"
#include "util/format.h"

/* The sides of the table; control is NULL where there is none. */
struct sides {
	const json_t *single, *dbl, *control;
};

typedef char *format_function(char *buf, size_t size, double x);

static void cost_put_cell(json_t *row, const char *key, double value, format_function *format)
{
	char text[FORMAT_SIZE];

	put_json(row, key, view_text("%s", format(text, sizeof(text), value)));
}

/* A row; one with no number at all is left out. */
static json_t *cost_add_row(const struct sides *in, json_t *rows, const char *name, const char *anchor, const char *key,
	format_function *format)
{
	double a = tree_real(in->single, key), b = tree_real(in->dbl, key), c = tree_real(in->control, key);
	json_t *row;

	if (!isfinite(a) && !isfinite(b) && !isfinite(c))
		return NULL;
	row = json_object();
	put_json(row, "name", view_text("%s", name));
	put_json(row, "anchor", view_text("def-%s", anchor));
	cost_put_cell(row, "single", a, format);
	cost_put_cell(row, "double", b, format);
	if (in->control)
		cost_put_cell(row, "control", c, format);
	else
		put_json(row, "control", json_null());
	put_json(row, "differs",
		json_boolean(!json_equal(json_object_get(row, "single"), json_object_get(row, "double"))));
	append_json(rows, row);
	return row;
}

static void add_limiters(const struct sides *in, json_t *row)
{
	if (!row)
		return;
	view_put_text(row, "single_note", tree_text(in->single, "limiter"));
	view_put_text(row, "double_note", tree_text(in->dbl, "limiter"));
}

static json_t *cost_rows_view(const struct sides *in)
{
	json_t *rows = json_array(), *row;

	cost_add_row(in, rows, "shared memory per block", "shared-memory", "shared_bytes", format_bytes);
	cost_add_row(in, rows, "registers per thread", "registers", "registers", format_count);
	cost_add_row(in, rows, "blocks per SM at once", "limiter-of-the-occupancy", "blocks", format_count);
	row = cost_add_row(
		in, rows, "theoretical occupancy (limiter)", "theoretical-occupancy", "theoretical", format_percent);
	add_limiters(in, row);
	cost_add_row(in, rows, "achieved occupancy", "achieved-occupancy", "achieved", format_percent);
	return rows;
}

static void put_ratio(json_t *object, const char *key, const json_t *ratio)
{
	char value[FORMAT_SIZE], interval[FORMAT_SIZE];

	format_ratio_within(
		value, sizeof(value), tree_real(ratio, "value"), tree_real(ratio, "low"), tree_real(ratio, "high"));
	format_ratios(interval, sizeof(interval), tree_real(ratio, "low"), tree_real(ratio, "high"));
	put_json(object, key, view_text("%s (95 %% interval %s)", value, interval));
}

static json_t *control_view(const json_t *control)
{
	json_t *out = json_object();

	put_json(out, "variant", view_text("%s", tree_text(control, "variant")));
	view_put_sentence(out, "text", tree_text(control, "text"));
	put_ratio(out, "footprint", json_object_get(control, "footprint"));
	put_ratio(out, "rest", json_object_get(control, "rest"));
	return out;
}

/* The second buffer of a copy pipeline is device memory: nothing that an SM would run out of. */
static bool cost_is_pipeline(const json_t *family)
{
	const json_t *trace = json_object_get(tree_headline_case(family, tree_role(family, "single")), "trace");

	return tree_real(json_object_get(json_object_get(trace, "work"), "busy_ns"), "copy") > 0;
}

json_t *view_cost_rows(const json_t *cost)
{
	const struct sides sides = {.single = json_object_get(cost, "single"),
		.dbl = json_object_get(cost, "double"),
		.control = json_object_get(json_object_get(cost, "control"), "side")};

	return cost_rows_view(&sides);
}

void view_cost(json_t *page, const json_t *family)
{
	const json_t *cost = json_object_get(view_headline(family), "cost");
	const json_t *control = json_object_get(cost, "control");

	view_put_list(page, "cost", cost_is_pipeline(family) ? json_array() : view_cost_rows(cost));
	put_json(page, "matched", tree_has(cost, "control") ? control_view(control) : json_null());
	put_json(page, "buffering", json_boolean(tree_true(family, "buffering")));
}
