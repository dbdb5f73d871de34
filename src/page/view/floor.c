/* floor.c: how near a pipeline comes to the time that its bytes take at least. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>

#include "tree/tree.h"
#include "util/format.h"

/* "70.0 % (69.8 % to 70.3 %)" */
static json_t *floor_share_text(const json_t *share)
{
	char value[FORMAT_SIZE], low[FORMAT_SIZE], high[FORMAT_SIZE];

	format_percent(value, sizeof(value), tree_real(share, "value"));
	format_percent(low, sizeof(low), tree_real(share, "low"));
	format_percent(high, sizeof(high), tree_real(share, "high"));
	if (!isfinite(tree_real(share, "low")))
		return view_text("%s", value);
	return view_text("%s (%s to %s)", value, low, high);
}

/* What the floor is, in words. */
static json_t *floor_source_text(const json_t *floor)
{
	const json_t *source = json_object_get(floor, "floor");
	const char *shortest = tree_text(floor, "shortest"), *name = tree_text(source, "variant");
	size_t schedules = json_array_size(json_object_get(floor, "schedules"));
	char time[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), tree_real(source, "median_ns"));
	if (*tree_text(floor, "bound_by") == 'k')
		return view_text("%s: the kernels alone (%s) take longer than any schedule of the copies", time, name);
	return view_text("%s: %s, the shortest of %zu schedule%s that move%s the same bytes both ways without kernels",
		time, shortest, schedules, schedules == 1 ? "" : "s", schedules == 1 ? "s" : "");
}

static json_t *best_text(const json_t *floor)
{
	const json_t *share = json_object_get(floor, "nearest_share");
	const char *name = tree_text(floor, "nearest");
	char percent[FORMAT_SIZE];

	if (!isfinite(tree_real(share, "value")))
		return json_null();
	format_percent(percent, sizeof(percent), tree_real(share, "value"));
	return tree_real(share, "value") > 1
		       ? view_text("%s takes less than the floor, which is %s of its time.", name, percent)
		       : view_text("%s is nearest: the floor is %s of its time.", name, percent);
}

/* ---- what stands beside it ---- */

static void floor_add_fact(json_t *list, const char *name, json_t *value)
{
	json_t *fact = json_object();

	put_json(fact, "name", view_text("%s", name));
	put_json(fact, "value", value);
	append_json(list, fact);
}

/* "8.00 KiB at 4.00 GB/s"; the rate alone where the bytes are not known. */
static json_t *rate_text(double bytes, double rate)
{
	char amount[FORMAT_SIZE], speed[FORMAT_SIZE];

	format_bytes(amount, sizeof(amount), bytes);
	format_rate(speed, sizeof(speed), rate, "B/s");
	return isfinite(bytes) ? view_text("%s at %s", amount, speed) : view_text("%s", speed);
}

static json_t *floor_facts(const json_t *floor)
{
	double in = tree_real(floor, "bytes_in"), out = tree_real(floor, "bytes_out");
	json_t *list = json_array();

	floor_add_fact(list, "The floor", floor_source_text(floor));
	if (tree_has(floor, "one_way_ns"))
		floor_add_fact(list, "From one-way bandwidths, the longer direction alone",
			view_time(tree_real(floor, "one_way_ns")));
	if (tree_has(floor, "in_bytes_s"))
		floor_add_fact(list, "Host to device alone", rate_text(in, tree_real(floor, "in_bytes_s")));
	if (tree_has(floor, "out_bytes_s"))
		floor_add_fact(list, "Device to host alone", rate_text(out, tree_real(floor, "out_bytes_s")));
	if (tree_has(floor, "two_way_bytes_s"))
		floor_add_fact(list, "Both together, in the shortest schedule",
			rate_text(in + out, tree_real(floor, "two_way_bytes_s")));
	if (tree_has(floor, "launch_ns"))
		floor_add_fact(list, "From one kernel's end to the next one's, back to back",
			view_time(tree_real(floor, "launch_ns")));
	return list;
}

/* ---- tables ---- */

/* Where the rows of the parts go. */
struct floor_parts {
	const json_t *family;
	json_t *list;
};

/* What the variant says of itself, or else `what` its kind does. */
static void floor_add_part(const struct floor_parts *in, const json_t *part, const char *what, bool is_floor)
{
	const json_t *variant = tree_find(json_object_get(in->family, "variants"), "name", tree_text(part, "variant"));
	double low = tree_real(part, "low_ns"), middle = tree_real(part, "median_ns"),
	       high = tree_real(part, "high_ns");
	json_t *row;

	if (!json_is_object(part))
		return;
	row = json_object();
	put_json(row, "name", view_text("%s", tree_text(part, "variant")));
	put_json(row, "what", view_text("%s", *tree_text(variant, "summary") ? tree_text(variant, "summary") : what));
	put_json(row, "time", view_time(middle));
	put_json(row, "interval", isfinite(low) ? view_spread(low, middle, high) : json_null());
	put_json(row, "is_floor", json_boolean(is_floor));
	append_json(in->list, row);
}

static json_t *floor_parts(const json_t *family, const json_t *floor)
{
	const json_t *schedules = json_object_get(floor, "schedules");
	const json_t *source = tree_find(schedules, "variant", tree_text(json_object_get(floor, "floor"), "variant"));
	const struct floor_parts in = {family, json_array()};

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
static json_t *hidden_text(const json_t *rival)
{
	double share = tree_real(rival, "hidden_share");

	if (!isfinite(share))
		return json_null();
	return share < 0 ? view_text("– (slower)") : view_percent(share);
}

static json_t *floor_row_view(const json_t *family, const json_t *rival)
{
	const char *name = tree_text(rival, "variant");
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", name));
	view_put_text(row, "class", tree_text(tree_find(json_object_get(family, "variants"), "name", name), "role"));
	put_json(row, "time", view_time(tree_real(rival, "median_ns")));
	put_json(row, "share", floor_share_text(json_object_get(rival, "efficiency")));
	put_json(row, "exposed_in", view_time(tree_real(rival, "exposed_h2d_ns")));
	put_json(row, "exposed_out", view_time(tree_real(rival, "exposed_d2h_ns")));
	put_json(row, "duplex", view_time(tree_real(rival, "duplex_ns")));
	put_json(row, "hidden", hidden_text(rival));
	return row;
}

static json_t *floor_view(const json_t *family, const json_t *floor)
{
	const json_t *rivals = json_object_get(floor, "variants");
	json_t *out = json_object(), *rows = json_array();

	for (size_t i = 0; i < json_array_size(rivals); i++)
		append_json(rows, floor_row_view(family, json_array_get(rivals, i)));
	put_json(out, "case", view_text("%s", tree_text(floor, "case")));
	put_json(out, "best", best_text(floor));
	put_json(out, "facts", floor_facts(floor));
	put_json(out, "parts", floor_parts(family, floor));
	view_put_list(out, "rows", rows);
	return out;
}

void view_floor(json_t *page, const json_t *family)
{
	const json_t *floors = json_object_get(family, "floors");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(floors); i++)
		append_json(list, floor_view(family, json_array_get(floors, i)));
	view_put_list(page, "floors", list);
}
