/* floor.c: how near a pipeline comes to the time that its bytes take at least. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>

#include "tree/tree.h"
#include "util/format.h"

/* "70.0 % (69.8 % to 70.3 %)" */
static json_t *floor_share_text(struct view *view, const json_t *share)
{
	char value[FORMAT_SIZE], low[FORMAT_SIZE], high[FORMAT_SIZE];

	format_percent(value, sizeof(value), tree_real(share, "value"));
	format_percent(low, sizeof(low), tree_real(share, "low"));
	format_percent(high, sizeof(high), tree_real(share, "high"));
	if (!isfinite(tree_real(share, "low")))
		return view_text(view, "%s", value);
	return view_text(view, "%s (%s to %s)", value, low, high);
}

/* What the floor is, in words. */
static json_t *floor_source_text(struct view *view, const json_t *floor)
{
	const json_t *source = json_object_get(floor, "floor");
	const char *shortest = tree_text(floor, "shortest"), *name = tree_text(source, "variant");
	size_t schedules = json_array_size(json_object_get(floor, "schedules"));
	char time[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), tree_real(source, "median_ns"));
	if (*tree_text(floor, "bound_by") == 'k')
		return view_text(
			view, "%s: the kernels alone (%s) take longer than any schedule of the copies", time, name);
	return view_text(view,
		"%s: %s, the shortest of %zu schedule%s that move%s the same bytes both ways without kernels", time,
		shortest, schedules, schedules == 1 ? "" : "s", schedules == 1 ? "s" : "");
}

static json_t *best_text(struct view *view, const json_t *floor)
{
	const json_t *share = json_object_get(floor, "nearest_share");
	const char *name = tree_text(floor, "nearest");
	char percent[FORMAT_SIZE];

	if (!isfinite(tree_real(share, "value")))
		return json_null();
	format_percent(percent, sizeof(percent), tree_real(share, "value"));
	return tree_real(share, "value") > 1
		       ? view_text(view, "%s takes less than the floor, which is %s of its time.", name, percent)
		       : view_text(view, "%s is nearest: the floor is %s of its time.", name, percent);
}

/* ---- what stands beside it ---- */

static void floor_add_fact(struct view *view, json_t *list, const char *name, json_t *value)
{
	json_t *fact = view_object(view);

	view_put(view, fact, "name", view_text(view, "%s", name));
	view_put(view, fact, "value", value);
	view_append(view, list, fact);
}

/* "8.00 KiB at 4.00 GB/s"; the rate alone where the bytes are not known. */
static json_t *rate_text(struct view *view, double bytes, double rate)
{
	char amount[FORMAT_SIZE], speed[FORMAT_SIZE];

	format_bytes(amount, sizeof(amount), bytes);
	format_rate(speed, sizeof(speed), rate, "B/s");
	return isfinite(bytes) ? view_text(view, "%s at %s", amount, speed) : view_text(view, "%s", speed);
}

static json_t *floor_facts(struct view *view, const json_t *floor)
{
	double in = tree_real(floor, "bytes_in"), out = tree_real(floor, "bytes_out");
	json_t *list = view_array(view);

	floor_add_fact(view, list, "The floor", floor_source_text(view, floor));
	if (tree_has(floor, "one_way_ns"))
		floor_add_fact(view, list, "From one-way bandwidths, the longer direction alone",
			view_time(view, tree_real(floor, "one_way_ns")));
	if (tree_has(floor, "in_bytes_s"))
		floor_add_fact(view, list, "Host to device alone", rate_text(view, in, tree_real(floor, "in_bytes_s")));
	if (tree_has(floor, "out_bytes_s"))
		floor_add_fact(
			view, list, "Device to host alone", rate_text(view, out, tree_real(floor, "out_bytes_s")));
	if (tree_has(floor, "two_way_bytes_s"))
		floor_add_fact(view, list, "Both together, in the shortest schedule",
			rate_text(view, in + out, tree_real(floor, "two_way_bytes_s")));
	if (tree_has(floor, "launch_ns"))
		floor_add_fact(view, list, "From one kernel's end to the next one's, back to back",
			view_time(view, tree_real(floor, "launch_ns")));
	return list;
}

/* ---- tables ---- */

/* Where the rows of the parts go. */
struct floor_parts {
	struct view *view;
	const json_t *family;
	json_t *list;
};

/* What the variant says of itself, or else `what` its kind does. */
static void floor_add_part(const struct floor_parts *in, const json_t *part, const char *what, bool is_floor)
{
	struct view *view = in->view;
	const json_t *variant = tree_find(json_object_get(in->family, "variants"), "name", tree_text(part, "variant"));
	double low = tree_real(part, "low_ns"), middle = tree_real(part, "median_ns"),
	       high = tree_real(part, "high_ns");
	json_t *row;

	if (!json_is_object(part))
		return;
	row = view_object(view);
	view_put(view, row, "name", view_text(view, "%s", tree_text(part, "variant")));
	view_put(view, row, "what",
		view_text(view, "%s", *tree_text(variant, "summary") ? tree_text(variant, "summary") : what));
	view_put(view, row, "time", view_time(view, middle));
	view_put(view, row, "interval", isfinite(low) ? view_spread(view, low, middle, high) : json_null());
	view_put(view, row, "is_floor", json_boolean(is_floor));
	view_append(view, in->list, row);
}

static json_t *floor_parts(struct view *view, const json_t *family, const json_t *floor)
{
	const json_t *schedules = json_object_get(floor, "schedules");
	const json_t *source = tree_find(schedules, "variant", tree_text(json_object_get(floor, "floor"), "variant"));
	const struct floor_parts in = {view, family, view_array(view)};

	for (size_t i = 0; i < json_array_size(schedules); i++) {
		const json_t *schedule = json_array_get(schedules, i);

		floor_add_part(&in, schedule, "copies both ways, no kernels", schedule == source);
	}
	floor_add_part(&in, json_object_get(floor, "loads"), "copies in", false);
	floor_add_part(&in, json_object_get(floor, "stores"), "copies out", false);
	floor_add_part(&in, json_object_get(floor, "kernels"), "kernels, no copies", !source);
	return in.list;
}

/* A variant that takes longer from end to end than single has hidden nothing, whatever the quotient. */
static json_t *hidden_text(struct view *view, const json_t *rival)
{
	double share = tree_real(rival, "hidden_share");

	if (!isfinite(share))
		return json_null();
	return share < 0 ? view_text(view, "– (slower)") : view_percent(view, share);
}

static json_t *floor_row_view(struct view *view, const json_t *family, const json_t *rival)
{
	const char *name = tree_text(rival, "variant");
	json_t *row = view_object(view);

	view_put(view, row, "name", view_text(view, "%s", name));
	view_put_text(
		view, row, "class", tree_text(tree_find(json_object_get(family, "variants"), "name", name), "role"));
	view_put(view, row, "time", view_time(view, tree_real(rival, "median_ns")));
	view_put(view, row, "share", floor_share_text(view, json_object_get(rival, "efficiency")));
	view_put(view, row, "exposed_in", view_time(view, tree_real(rival, "exposed_h2d_ns")));
	view_put(view, row, "exposed_out", view_time(view, tree_real(rival, "exposed_d2h_ns")));
	view_put(view, row, "duplex", view_time(view, tree_real(rival, "duplex_ns")));
	view_put(view, row, "hidden", hidden_text(view, rival));
	return row;
}

static json_t *floor_view(struct view *view, const json_t *family, const json_t *floor)
{
	const json_t *rivals = json_object_get(floor, "variants");
	json_t *out = view_object(view), *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(rivals); i++)
		view_append(view, rows, floor_row_view(view, family, json_array_get(rivals, i)));
	view_put(view, out, "case", view_text(view, "%s", tree_text(floor, "case")));
	view_put(view, out, "best", best_text(view, floor));
	view_put(view, out, "facts", floor_facts(view, floor));
	view_put(view, out, "parts", floor_parts(view, family, floor));
	view_put_list(view, out, "rows", rows);
	return out;
}

void view_floor(struct view *view, json_t *page, const json_t *family)
{
	const json_t *floors = json_object_get(family, "floors");
	json_t *list = view_array(view);

	for (size_t i = 0; i < json_array_size(floors); i++)
		view_append(view, list, floor_view(view, family, json_array_get(floors, i)));
	view_put_list(view, page, "floors", list);
}
