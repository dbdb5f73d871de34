/* work.c: tables of device work: per GPU, per process and GPU, per NVTX range and GPU. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>

#include "tree/tree.h"

/* Rows of a long table: those in sight, and how many are folded away behind them. */
enum { TOP_ROWS = 20, MAX_ROWS = 200 };

/* Device work on one GPU as cells of a row. */
static void work_cells(struct view *view, json_t *row, const json_t *work)
{
	static const char *const busy[] = {"kernel", "h2d", "d2h"};
	const json_t *times = json_object_get(work, "busy_ns");

	view_put(view, row, "gpu", view_text(view, "%.0f", tree_real(work, "device")));
	view_put_text(view, row, "gpu_name", tree_text(work, "name"));
	view_put(view, row, "span", view_time(view, tree_real(work, "span_ns")));
	view_put(view, row, "idle", view_time(view, tree_real(work, "idle_ns")));
	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++)
		view_put(view, row, busy[i], view_time(view, tree_real(times, busy[i])));
	view_put(view, row, "overlap", view_time(view, tree_real(work, "overlap_ns")));
	view_put(view, row, "ratio", view_percent(view, tree_real(work, "overlap_ratio")));
	view_put(view, row, "exposed", view_time(view, tree_real(work, "exposed_copy_ns")));
	view_put(view, row, "duplex", view_time(view, tree_real(work, "duplex_ns")));
	view_put(view, row, "floor", view_time(view, tree_real(work, "floor_ns")));
}

/* A row for each GPU that some work ran on, or one that says that there is none; `head` has the cells before it. Takes
 * the reference to `head`. */
static void add_rows(struct view *view, json_t *rows, json_t *head, const json_t *gpus)
{
	size_t n = json_array_size(gpus);

	for (size_t i = 0; i < (n > 0 ? n : 1); i++) {
		json_t *row = tree_whole_copy(head);

		view->failed |= !row;
		view_put(view, row, "gpu", json_null());
		if (n > 0)
			work_cells(view, row, json_array_get(gpus, i));
		view_append(view, rows, row);
	}
	json_decref(head);
}

static json_t *gpus_view(struct view *view, const json_t *gpus)
{
	json_t *rows = view_array(view);

	if (json_array_size(gpus) > 0)
		add_rows(view, rows, view_object(view), gpus);
	return rows;
}

static double work_busy(const json_t *entry)
{
	const json_t *gpus = json_object_get(entry, "gpus");
	double busy = 0;

	for (size_t i = 0; i < json_array_size(gpus); i++)
		busy += tree_real(json_object_get(json_array_get(gpus, i), "busy_ns"), "all");
	return busy;
}

/* The TOP_ROWS-th largest busy time: what has less is folded away. */
static double top_limit(const json_t *list)
{
	double top[TOP_ROWS];
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		double busy = work_busy(json_array_get(list, i));
		size_t at = n < TOP_ROWS ? n++ : TOP_ROWS;

		if (at == TOP_ROWS && !(busy > top[--at]))
			continue;
		for (; at > 0 && busy > top[at - 1]; at--)
			top[at] = top[at - 1];
		top[at] = busy;
	}
	return n < TOP_ROWS ? -1 : top[TOP_ROWS - 1];
}

static void work_add_process(struct view *view, json_t *rows, const json_t *process)
{
	json_t *head = view_object(view);

	view_put_text(view, head, "name", tree_text(process, "name"));
	view_put(view, head, "pid", view_text(view, "%.0f", tree_real(process, "pid")));
	view_put_text(view, head, "command", tree_text(process, "command"));
	add_rows(view, rows, head, json_object_get(process, "gpus"));
}

static void work_add_range(struct view *view, json_t *rows, const json_t *range)
{
	json_t *head = view_object(view);

	view_put(view, head, "name", view_text(view, "%s", tree_text(range, "name")));
	view_put_text(view, head, "domain", tree_text(range, "domain"));
	view_put(view, head, "count", view_count(view, tree_real(range, "count")));
	add_rows(view, rows, head, json_object_get(range, "gpus"));
}

/* A long table in two: {"rows", "note", "title"} of the busiest under `key`, of the others under "more_KEY"; both in
 * the order of the list, null if there are none. `what` are its entries. */
static void put_folded(struct view *view, json_t *out, const char *key, const json_t *list, const char *what,
	void (*add)(struct view *view, json_t *rows, const json_t *entry))
{
	json_t *top = view_object(view), *more = view_object(view), *shown = view_array(view),
	       *others = view_array(view);
	size_t n = json_array_size(list), nshown = 0, nothers = 0;
	double limit = top_limit(list);
	char more_key[64];

	for (size_t i = 0; i < n; i++) {
		const json_t *entry = json_array_get(list, i);

		if (work_busy(entry) >= limit && nshown < TOP_ROWS)
			add(view, shown, entry), nshown++;
		else if (nothers < MAX_ROWS)
			add(view, others, entry), nothers++;
	}
	snprintf(more_key, sizeof(more_key), "more_%s", key);
	view_put(view, top, "rows", shown);
	view_put(view, top, "note",
		nothers > 0 ? view_text(view, "The %zu of %zu %s with most device work.%s", nshown, n, what,
				      nshown + nothers < n ? " All are in report.json." : "")
			    : json_null());
	view_put(view, more, "rows", others);
	view_put(view, more, "title", view_text(view, "%zu more %s", nothers, what));
	view_put(view, out, key, nshown > 0 ? json_incref(top) : json_null());
	view_put(view, out, more_key, nothers > 0 ? json_incref(more) : json_null());
	json_decref(top);
	json_decref(more);
}

static void add_kernel(struct view *view, json_t *rows, const json_t *kernel)
{
	json_t *row = view_object(view);

	view_put(view, row, "name", view_text(view, "%s", tree_text(kernel, "name")));
	view_put(view, row, "count", view_count(view, tree_real(kernel, "count")));
	view_put(view, row, "total", view_time(view, tree_real(kernel, "total_ns")));
	view_put(view, row, "median", view_time(view, tree_real(kernel, "median_ns")));
	view_append(view, rows, row);
}

/* Puts `kernels`, those with the longest time, and `more_kernels`. */
static void put_kernels(struct view *view, json_t *out, const json_t *kernels)
{
	json_t *shown = view_array(view), *others = view_array(view), *more = view_object(view);
	size_t n = json_array_size(kernels);

	for (size_t i = 0; i < n && i < TOP_ROWS + MAX_ROWS; i++)
		add_kernel(view, i < TOP_ROWS ? shown : others, json_array_get(kernels, i));
	view_put_list(view, out, "kernels", shown);
	view_put(view, more, "title",
		view_text(view, "%zu more kernels%s", json_array_size(others),
			n > TOP_ROWS + MAX_ROWS ? "; all are in report.json" : ""));
	view_put(view, more, "kernels", others);
	view_put(view, out, "more_kernels", n > TOP_ROWS ? json_incref(more) : json_null());
	json_decref(more);
}

static void work_put_copies(struct view *view, json_t *out, const json_t *copies)
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
	view_put_list(view, out, "copies", rows);
}

void view_work_tables(struct view *view, json_t *out)
{
	const json_t *recording = view->recording, *program = json_object_get(recording, "program");
	const json_t *processes = json_object_get(program, "processes");

	view_put_list(view, out, "gpus", gpus_view(view, json_object_get(recording, "gpus")));
	/* Of a single process the table of GPUs says the same. */
	put_folded(view, out, "processes", json_array_size(processes) > 1 ? processes : NULL, "processes",
		work_add_process);
	put_folded(view, out, "ranges", json_object_get(recording, "ranges"), "ranges", work_add_range);
	put_kernels(view, out, json_object_get(program, "kernels"));
	work_put_copies(view, out, json_object_get(program, "copies"));
	view_put(view, out, "has_numbers",
		json_boolean(json_is_true(json_object_get(out, "has_gpus")) || tree_has(out, "ranges") ||
			     tree_has(out, "processes")));
}
