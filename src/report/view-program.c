/* view-program.c: a recording without families: GPUs, ranges, the timeline of the whole, kernels and copies. */
#include "report/view.h"

#include <math.h>

#include "report/tree.h"

enum { MAX_ROWS = 200 };

/* Device work on one GPU as cells of a row. */
static void work_cells(struct view *view, json_t *row, const json_t *work)
{
	static const struct {
		const char *key, *member;
	} busy[] = {{"kernel", "kernel"}, {"h2d", "h2d"}, {"d2h", "d2h"}};

	view_put(view, row, "gpu", view_text(view, "%.0f", tree_real(work, "device")));
	view_put(view, row, "gpu_name", view_text(view, "%s", tree_text(work, "name")));
	view_put(view, row, "span", view_time(view, tree_real(work, "span_ns")));
	view_put(view, row, "idle", view_time(view, tree_real(work, "idle_ns")));
	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++)
		view_put(view, row, busy[i].key,
			view_time(view, tree_real(json_object_get(work, "busy_ns"), busy[i].member)));
	view_put(view, row, "overlap", view_time(view, tree_real(work, "overlap_ns")));
	view_put(view, row, "ratio", view_percent(view, tree_real(work, "overlap_ratio")));
	view_put(view, row, "exposed", view_time(view, tree_real(work, "exposed_copy_ns")));
	view_put(view, row, "duplex", view_time(view, tree_real(work, "duplex_ns")));
}

static json_t *gpus_view(struct view *view, const json_t *gpus)
{
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(gpus); i++) {
		json_t *row = view_object(view);

		work_cells(view, row, json_array_get(gpus, i));
		view_append(view, rows, row);
	}
	return rows;
}

/* One row for each GPU that a range's work ran on. */
static json_t *ranges_view(struct view *view, const json_t *ranges)
{
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(ranges) && i < MAX_ROWS; i++) {
		const json_t *range = json_array_get(ranges, i), *gpus = json_object_get(range, "gpus");
		size_t n = json_array_size(gpus);

		for (size_t k = 0; k < (n > 0 ? n : 1); k++) {
			json_t *row = view_object(view);

			view_put(view, row, "name", view_text(view, "%s", tree_text(range, "name")));
			view_put(view, row, "gpu", json_null());
			view_put_text(view, row, "domain", tree_text(range, "domain"));
			view_put(view, row, "count", view_count(view, tree_real(range, "count")));
			if (n > 0)
				work_cells(view, row, json_array_get(gpus, k));
			view_append(view, rows, row);
		}
	}
	return rows;
}

static json_t *kernels_view(struct view *view, const json_t *kernels)
{
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(kernels) && i < MAX_ROWS; i++) {
		const json_t *kernel = json_array_get(kernels, i);
		json_t *row = view_object(view);

		view_put(view, row, "name", view_text(view, "%s", tree_text(kernel, "name")));
		view_put(view, row, "count", view_count(view, tree_real(kernel, "count")));
		view_put(view, row, "total", view_time(view, tree_real(kernel, "total_ns")));
		view_put(view, row, "median", view_time(view, tree_real(kernel, "median_ns")));
		view_append(view, rows, row);
	}
	return rows;
}

static json_t *copies_view(struct view *view, const json_t *copies)
{
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(copies) && i < MAX_ROWS; i++) {
		const json_t *copy = json_array_get(copies, i);
		json_t *row = view_object(view);
		double bytes = tree_real(copy, "bytes"), ns = tree_real(copy, "total_ns");

		view_put(view, row, "kind", view_text(view, "%s", tree_text(copy, "kind")));
		view_put(view, row, "memory", view_text(view, "%s", tree_text(copy, "memory")));
		view_put(view, row, "count", view_count(view, tree_real(copy, "count")));
		view_put(view, row, "bytes", view_bytes(view, bytes));
		view_put(view, row, "total", view_time(view, ns));
		view_put(view, row, "rate", view_throughput(view, ns > 0 ? 1e9 * bytes / ns : NAN, "B/s"));
		view_append(view, rows, row);
	}
	return rows;
}

/* Says how many rows of a long list are not shown. */
static void put_more(struct view *view, json_t *out, const char *key, const json_t *list)
{
	size_t n = json_array_size(list);

	if (n > MAX_ROWS)
		view_put(view, out, key, view_text(view, "%zu more are in report.json.", n - MAX_ROWS));
}

static void lanes_note(struct view *view, json_t *out, const json_t *lanes)
{
	size_t n = json_array_size(lanes);

	view_put(view, out, "more_lanes",
		n > TIMELINE_MAX_LANES ? view_text(view, "The first %d of %zu lanes are drawn; all are in report.json.",
						 TIMELINE_MAX_LANES, n)
				       : json_null());
}

void view_program(struct view *view, json_t *page)
{
	const json_t *recording = view->recording, *program = json_object_get(recording, "program");
	json_t *out;

	if (!json_is_object(program))
		return;
	out = view_object(view);
	view_put_list(view, out, "gpus", gpus_view(view, json_object_get(recording, "gpus")));
	view_put_list(view, out, "ranges", ranges_view(view, json_object_get(recording, "ranges")));
	view_put_list(view, out, "kernels", kernels_view(view, json_object_get(program, "kernels")));
	view_put_list(view, out, "copies", copies_view(view, json_object_get(program, "copies")));
	put_more(view, out, "more_ranges", json_object_get(recording, "ranges"));
	put_more(view, out, "more_kernels", json_object_get(program, "kernels"));
	lanes_note(view, out, json_object_get(json_object_get(program, "timeline"), "lanes"));
	view_put_figure(view, out, "figure", "program", "timeline");
	if (tree_has(out, "figure"))
		view_put(view, out, "data", view_timeline(view, timeline_program, program));
	view_put(view, page, "program", out);
}
