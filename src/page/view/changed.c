/* changed.c: the small table "what changed" from single to double. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>

#include "tree/tree.h"
#include "util/format.h"

/* How a row's numbers are written. */
typedef char *format_function(char *buf, size_t size, double x);

struct changed {
	json_t *rows;
	const json_t *single, *dbl; /* what each gave in the headline case */
	const json_t *contrast;
	const char *unit; /* of the throughput */
};

/* A row; the ratio is double over single. A row with no number at all is left out. */
static json_t *changed_add_row(
	const struct changed *in, const char *name, const char *anchor, format_function *format, double a, double b)
{
	char single[FORMAT_SIZE], dbl[FORMAT_SIZE], ratio[FORMAT_SIZE];

	if (!isfinite(a) && !isfinite(b))
		return NULL;
	json_t *row = json_object();
	put_json(row, "name", view_text("%s", name));
	put_json(row, "anchor", view_text("def-%s", anchor));
	put_json(row, "single", view_text("%s", format(single, sizeof(single), a)));
	put_json(row, "double", view_text("%s", format(dbl, sizeof(dbl), b)));
	put_json(row, "ratio", view_text("%s", format_ratio(ratio, sizeof(ratio), a != 0 ? b / a : NAN)));
	append_json(in->rows, row);
	return row;
}

static void interval_note(json_t *row, const char *key, const json_t *time)
{
	double low = tree_real(time, "low_ns"), high = tree_real(time, "high_ns");

	if (row && isfinite(low) && isfinite(high))
		put_json(row, key, view_spread(low, tree_real(time, "median_ns"), high));
}

static void time_rows(const struct changed *in)
{
	const json_t *a = json_object_get(in->single, "time"), *b = json_object_get(in->dbl, "time");
	json_t *row = changed_add_row(in, "time, median (95 % interval)", "median", format_time_ns,
		tree_real(a, "median_ns"), tree_real(b, "median_ns"));
	double x = tree_real(in->single, "throughput"), y = tree_real(in->dbl, "throughput");

	interval_note(row, "single_note", a);
	interval_note(row, "double_note", b);
	row = changed_add_row(in, "throughput", "throughput", format_count, x, y);
	if (row) {
		put_json(row, "single", view_throughput(x, in->unit));
		put_json(row, "double", view_throughput(y, in->unit));
	}
}

/* The same kernel with time stamps in it. */
static void stamped_row(const struct changed *in)
{
	changed_add_row(in, "with time stamps in the kernel", "perturbation", format_time_ns,
		tree_real(json_object_get(in->single, "phases"), "stamped_ns"),
		tree_real(json_object_get(in->dbl, "phases"), "stamped_ns"));
}

static void trace_rows(const struct changed *in)
{
	static const struct {
		const char *name, *anchor, *key;
		format_function *format;
	} rows[] = {{"span of one traced iteration", "span", "span_ns", format_time_ns},
		{"idle in it", "idle", "idle_ns", format_time_ns}};
	static const struct {
		const char *name, *anchor, *key;
		format_function *format;
	} copies[] = {{"overlap: copies beside a kernel", "overlap", "overlap_ns", format_time_ns},
		{"overlap over copy time", "overlap-ratio", "overlap_ratio", format_percent},
		{"exposed copy", "exposed-copy", "exposed_copy_ns", format_time_ns},
		{"exposed copy, host to device", "exposed-copy-per-direction", "exposed_h2d_ns", format_time_ns},
		{"exposed copy, device to host", "exposed-copy-per-direction", "exposed_d2h_ns", format_time_ns},
		{"duplex: both directions at once", "duplex", "duplex_ns", format_time_ns},
		{"concurrency share", "concurrency-share", "concurrency", format_percent}};
	const json_t *a = json_object_get(json_object_get(in->single, "trace"), "work");
	const json_t *b = json_object_get(json_object_get(in->dbl, "trace"), "work");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		changed_add_row(in, rows[i].name, rows[i].anchor, rows[i].format, tree_real(a, rows[i].key),
			tree_real(b, rows[i].key));
	if (!(tree_real(json_object_get(a, "busy_ns"), "copy") > 0 ||
		    tree_real(json_object_get(b, "busy_ns"), "copy") > 0))
		return;
	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		changed_add_row(in, copies[i].name, copies[i].anchor, copies[i].format, tree_real(a, copies[i].key),
			tree_real(b, copies[i].key));
}

/* Numbers of the pair rather than of one side. */
static void pair_facts(json_t *page, const json_t *contrast)
{
	double hidden = tree_real(contrast, "hidden_share"), stretch = tree_real(contrast, "stretch");
	char percent[FORMAT_SIZE], ratio[FORMAT_SIZE];

	if (!isfinite(hidden))
		return;
	format_percent(percent, sizeof(percent), hidden);
	format_ratio(ratio, sizeof(ratio), stretch);
	put_json(page, "hidden", view_text("%s", percent));
	if (isfinite(stretch))
		put_json(page, "stretch", view_text("%s", ratio));
}

/* "4.00 µs (−0.25 % to +0.25 %)" */
static json_t *with_note(const json_t *row, const char *key, const char *note)
{
	if (tree_has(row, note))
		return view_text("%s (%s)", tree_text(row, key), tree_text(row, note));
	return view_text("%s", tree_text(row, key));
}

static json_t *changed_text(const json_t *rows)
{
	static const struct view_column columns[] = {
		{"of one launch", "name"}, {"single", "single"}, {"double", "double"}, {"double / single", "ratio"}};
	json_t *list = json_array(), *text;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		json_t *line = json_object();

		put_json(line, "name", view_text("%s", tree_text(row, "name")));
		put_json(line, "single", with_note(row, "single", "single_note"));
		put_json(line, "double", with_note(row, "double", "double_note"));
		put_json(line, "ratio", view_text("%s", tree_text(row, "ratio")));
		append_json(list, line);
	}
	text = view_columns_of(list, columns, sizeof(columns) / sizeof(columns[0]));
	json_decref(list);
	return text;
}

void view_changed(json_t *page, const json_t *family)
{
	const struct changed in = {.rows = json_array(),
		.single = tree_headline_case(family, tree_role(family, "single")),
		.dbl = tree_headline_case(family, tree_role(family, "double")),
		.contrast = view_headline(family),
		.unit = tree_text(family, "throughput_unit")};

	time_rows(&in);
	stamped_row(&in);
	trace_rows(&in);
	put_json(page, "changed_text", changed_text(in.rows));
	view_put_list(page, "changed", in.rows);
	pair_facts(page, in.contrast);
}
