/* work.c: tables of device work: per GPU, per process and GPU, per NVTX range and GPU. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>

#include "tree/tree.h"

/* Rows of a long table: those in sight, and how many are folded away behind them. */
enum { TOP_ROWS = 20, MAX_ROWS = 200 };

/* Device work on one GPU, or on several together, as cells of a row. */
static void work_cells(json_t *row, const json_t *work)
{
	static const char *const busy[] = {"kernel", "h2d", "d2h"};
	const json_t *times = json_object_get(work, "busy_ns");

	if (tree_has(work, "gpus"))
		put_json(row, "gpu", view_text("%.0f others, sum", tree_real(work, "gpus")));
	else
		put_json(row, "gpu", view_text("%.0f", tree_real(work, "device")));
	view_put_text(row, "gpu_name", tree_text(work, "name"));
	put_json(row, "unusual", json_boolean(tree_has(work, "unusual")));
	put_json(row, "span", view_time(tree_real(work, "span_ns")));
	put_json(row, "idle", view_time(tree_real(work, "idle_ns")));
	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++)
		put_json(row, busy[i], view_time(tree_real(times, busy[i])));
	put_json(row, "overlap", view_time(tree_real(work, "overlap_ns")));
	put_json(row, "ratio", view_percent(tree_real(work, "overlap_ratio")));
	put_json(row, "exposed", view_time(tree_real(work, "exposed_copy_ns")));
	put_json(row, "duplex", view_time(tree_real(work, "duplex_ns")));
	put_json(row, "floor", view_time(tree_real(work, "floor_ns")));
}

static void work_add_row(json_t *rows, const json_t *head, const json_t *work)
{
	json_t *row = json_deep_copy(head);

	put_json(row, "gpu", json_null());
	if (work)
		work_cells(row, work);
	append_json(rows, row);
}

/* A row for each GPU that some work of the entry ran on, and for the others together; or one that says that there is
 * none. `head` has the cells before it. Takes the reference to `head`. */
static void add_rows(json_t *rows, json_t *head, const json_t *entry)
{
	const json_t *gpus = json_object_get(entry, "gpus");

	for (size_t i = 0; i < json_array_size(gpus); i++)
		work_add_row(rows, head, json_array_get(gpus, i));
	if (tree_has(entry, "others"))
		work_add_row(rows, head, json_object_get(entry, "others"));
	if (json_array_size(gpus) == 0)
		work_add_row(rows, head, NULL);
	json_decref(head);
}

static json_t *gpus_view(const json_t *recording)
{
	json_t *rows = json_array();

	if (json_array_size(json_object_get(recording, "gpus")) > 0)
		add_rows(rows, json_object(), recording);
	return rows;
}

static double work_busy(const json_t *entry)
{
	const json_t *gpus = json_object_get(entry, "gpus");
	double busy = 0, others = tree_real(json_object_get(json_object_get(entry, "others"), "busy_ns"), "all");

	for (size_t i = 0; i < json_array_size(gpus); i++)
		busy += tree_real(json_object_get(json_array_get(gpus, i), "busy_ns"), "all");
	return others > 0 ? busy + others : busy;
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

static void work_add_process(json_t *rows, const json_t *process)
{
	json_t *head = json_object();

	view_put_text(head, "name", tree_text(process, "name"));
	put_json(head, "pid", view_text("%.0f", tree_real(process, "pid")));
	view_put_text(head, "command", tree_text(process, "command"));
	add_rows(rows, head, process);
}

static void work_add_range(json_t *rows, const json_t *range)
{
	json_t *head = json_object();

	put_json(head, "name", view_text("%s", tree_text(range, "name")));
	view_put_text(head, "domain", tree_text(range, "domain"));
	put_json(head, "count", view_count(tree_real(range, "count")));
	add_rows(rows, head, range);
}

/* Where those are that a table of `shown` of `n` leaves out, when the list itself leaves out `rest`; "" if none is. */
static const char *where_others(size_t shown, size_t n, double rest)
{
	if (rest > 0)
		return " report.json has those with most and sums up the rest; dbprof export --format=csv writes all "
		       "work.";
	return shown < n ? " All are in report.json." : "";
}

/* A long table in two: {"rows", "note", "title"} of the busiest under `key`, of the others under "more_KEY"; both in
 * the order of the list, null if there are none. `what` are its entries, `rest` how many the list leaves out. */
static void put_folded(json_t *out, const char *key, const json_t *list, double rest, const char *what,
	void (*add)(json_t *rows, const json_t *entry))
{
	json_t *top = json_object(), *more = json_object(), *shown = json_array(), *others = json_array();
	size_t n = json_array_size(list), nshown = 0, nothers = 0;
	double limit = top_limit(list);
	char more_key[64];

	for (size_t i = 0; i < n; i++) {
		const json_t *entry = json_array_get(list, i);

		if (work_busy(entry) >= limit && nshown < TOP_ROWS)
			add(shown, entry), nshown++;
		else if (nothers < MAX_ROWS)
			add(others, entry), nothers++;
	}
	snprintf(more_key, sizeof(more_key), "more_%s", key);
	put_json(top, "rows", shown);
	put_json(top, "note",
		nothers > 0 || rest > 0
			? view_text("The %zu of %.0f %s with most device work.%s", nshown, (double)n + fmax(0, rest),
				  what, where_others(nshown + nothers, n, rest))
			: json_null());
	put_json(more, "rows", others);
	put_json(more, "title", view_text("%zu more %s", nothers, what));
	put_json(out, key, nshown > 0 ? json_incref(top) : json_null());
	put_json(out, more_key, nothers > 0 ? json_incref(more) : json_null());
	json_decref(top);
	json_decref(more);
}

static void add_kernel(json_t *rows, const json_t *kernel)
{
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", tree_text(kernel, "name")));
	put_json(row, "count", view_count(tree_real(kernel, "count")));
	put_json(row, "total", view_time(tree_real(kernel, "total_ns")));
	put_json(row, "median", view_time(tree_real(kernel, "median_ns")));
	append_json(rows, row);
}

/* A row for all that report.json sums up. */
static void add_kernel_rest(json_t *rows, const json_t *rest)
{
	json_t *row = json_object();

	put_json(row, "name", view_text("%.0f others, sum", tree_real(rest, "names")));
	put_json(row, "count", view_count(tree_real(rest, "count")));
	put_json(row, "total", view_time(tree_real(rest, "total_ns")));
	put_json(row, "median", view_time(NAN));
	append_json(rows, row);
}

/* Puts `kernels`, those with the longest time, and `more_kernels`. */
static void put_kernels(json_t *out, const json_t *program)
{
	const json_t *kernels = json_object_get(program, "kernels"),
		     *rest = json_object_get(program, "kernels_left_out");
	json_t *shown = json_array(), *others = json_array(), *more = json_object();
	size_t n = json_array_size(kernels);

	for (size_t i = 0; i < n && i < TOP_ROWS + MAX_ROWS; i++)
		add_kernel(i < TOP_ROWS ? shown : others, json_array_get(kernels, i));
	view_put_list(out, "kernels", shown);
	if (json_is_object(rest))
		add_kernel_rest(n <= TOP_ROWS ? shown : others, rest);
	put_json(more, "title",
		view_text("%zu more kernels%s", json_array_size(others),
			!json_is_object(rest) && n > TOP_ROWS + MAX_ROWS ? "; all are in report.json" : ""));
	put_json(more, "kernels", others);
	put_json(out, "more_kernels", n > TOP_ROWS ? json_incref(more) : json_null());
	json_decref(more);
}

static void work_put_copies(json_t *out, const json_t *copies)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(copies) && i < MAX_ROWS; i++) {
		const json_t *copy = json_array_get(copies, i);
		json_t *row = json_object();
		double bytes = tree_real(copy, "bytes"), ns = tree_real(copy, "total_ns");

		put_json(row, "kind", view_text("%s", tree_text(copy, "kind")));
		put_json(row, "memory", view_text("%s", tree_text(copy, "memory")));
		put_json(row, "count", view_count(tree_real(copy, "count")));
		put_json(row, "bytes", view_bytes(bytes));
		put_json(row, "total", view_time(ns));
		put_json(row, "rate", view_throughput(ns > 0 ? 1e9 * bytes / ns : NAN, "B/s"));
		append_json(rows, row);
	}
	view_put_list(out, "copies", rows);
}

void view_work_tables(struct view *view, json_t *out)
{
	const json_t *recording = view->recording, *program = json_object_get(recording, "program");
	const json_t *processes = json_object_get(program, "processes");

	view_put_list(out, "gpus", gpus_view(recording));
	/* Of a single process the table of GPUs says the same. */
	put_folded(out, "processes", json_array_size(processes) > 1 ? processes : NULL,
		tree_real(json_object_get(program, "processes_left_out"), "count"), "processes", work_add_process);
	put_folded(out, "ranges", json_object_get(recording, "ranges"),
		tree_real(json_object_get(recording, "ranges_left_out"), "names"), "ranges", work_add_range);
	put_kernels(out, program);
	work_put_copies(out, json_object_get(program, "copies"));
	put_json(out, "has_numbers",
		json_boolean(json_is_true(json_object_get(out, "has_gpus")) || tree_has(out, "ranges") ||
			     tree_has(out, "processes")));
}
