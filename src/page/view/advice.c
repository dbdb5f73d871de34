/* advice.c: a program that was advised: its kernels in one table, then what is known of each. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { WHAT_SIZE = 32 };

/* A reason with less than this share of the samples is not shown. */
static const double least_reason_share = 0.005;

/* ---- the table ---- */

/* Of the four verdicts; the class is the palette's. */
static const struct {
	const char *verdict, *sign, *class, *word;
} verdict_looks[] = {
	{"pays", "▲", "faster", "pays"},
	{"does-not", "=", "same", "does not pay"},
	{"too-close", "?", "unclear", "too close"},
	{"unknown", "?", "unclear", "unknown"},
};

static void put_advice_verdict(json_t *object, const json_t *kernel)
{
	enum { VERDICTS = sizeof(verdict_looks) / sizeof(verdict_looks[0]) };
	json_t *verdict = json_object();
	size_t i = 0;

	while (i < VERDICTS - 1 && strcmp(verdict_looks[i].verdict, tree_text(kernel, "verdict")) != 0)
		i++;
	put_json(verdict, "word", view_text("%s", verdict_looks[i].word));
	put_json(verdict, "sign", view_text("%s", verdict_looks[i].sign));
	put_json(verdict, "class", view_text("%s", verdict_looks[i].class));
	put_json(verdict, "failed", json_null());
	put_json(object, "verdict", verdict);
}

static json_t *advised_gain_cell(const json_t *gain)
{
	double low = 1 + tree_real(gain, "low"), mid = 1 + tree_real(gain, "mid"), high = 1 + tree_real(gain, "high");

	return isfinite(mid) ? view_ratio_within(mid, low, high, 0) : json_null();
}

static json_t *gain_interval(const json_t *gain)
{
	double low = 1 + tree_real(gain, "low"), high = 1 + tree_real(gain, "high");

	return isfinite(low) && isfinite(high) ? view_interval(low, high, 0) : json_null();
}

static json_t *stages_cell(double stages)
{
	return stages >= 1 ? view_text("%.0f", stages) : json_null();
}

/* What a row of the table and the line of a fold say. */
static void put_kernel_row(json_t *row, const json_t *kernel)
{
	const json_t *gain = json_object_get(kernel, "best");
	bool pays = strcmp(tree_text(kernel, "verdict"), "pays") == 0;

	put_json(row, "name", view_text("%.200s", tree_text(kernel, "label")));
	put_json(row, "share", view_percent(tree_real(kernel, "share")));
	put_advice_verdict(row, kernel);
	put_json(row, "now_stages",
		stages_cell(tree_real(json_object_get(json_object_get(kernel, "now"), "stages"), "value")));
	put_json(row, "gain", advised_gain_cell(gain));
	put_json(row, "interval", gain_interval(gain));
	put_json(row, "take", stages_cell(pays ? tree_real(gain, "stages") : NAN));
	view_put_text(row, "because", tree_text(kernel, "because"));
	put_json(row, "lacking",
		json_is_null(json_object_get(row, "because")) ? view_text("%.200s", tree_text(kernel, "lacking"))
							      : json_null());
}

/* ---- gains ---- */

static void add_gain_row(json_t *rows, const char *what, const json_t *gain)
{
	json_t *row = json_object();

	put_json(row, "what",
		*what ? view_text("%s, %.0f stages", what, tree_real(gain, "stages"))
		      : view_text("%.0f stages", tree_real(gain, "stages")));
	put_json(row, "mid",
		isfinite(tree_real(gain, "mid")) ? advised_gain_cell(gain) : view_text("unknown, or no room"));
	put_json(row, "interval", gain_interval(gain));
	append_json(rows, row);
}

static json_t *gain_rows(const json_t *kernel)
{
	const json_t *gains = json_object_get(kernel, "gain");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(gains); i++)
		add_gain_row(rows, "", json_array_get(gains, i));
	if (tree_has(kernel, "by_copies"))
		add_gain_row(rows, "by cp.async instead of registers", json_object_get(kernel, "by_copies"));
	if (tree_has(kernel, "by_registers"))
		add_gain_row(rows, "by loads ahead into registers", json_object_get(kernel, "by_registers"));
	return rows;
}

/* ---- why ---- */

/* "3.10 %", "12.4 µs", "2,048 bytes" */
static json_t *evidence_value(const json_t *evidence)
{
	const char *unit = tree_text(evidence, "unit");
	double value = tree_real(evidence, "value");

	if (strcmp(unit, "%") == 0)
		return view_percent(value / 100);
	if (strcmp(unit, "ns") == 0)
		return view_time(value);
	return isfinite(value) ? view_text("%.4g %.40s", value, unit) : view_text("n/a");
}

/* "stall_long_scoreboard" and "exposed-latency" as words. */
static json_t *metric_words(const char *metric)
{
	char text[128];

	clip_print(text, sizeof(text), "%s", metric);
	for (char *c = text; *c; c++)
		if (*c == '_' || *c == '-')
			*c = ' ';
	return view_text("%s", text);
}

static json_t *evidence_rows(const json_t *cause)
{
	const json_t *list = json_object_get(cause, "evidence");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *row = json_object();

		put_json(row, "metric", metric_words(tree_text(json_array_get(list, i), "metric")));
		put_json(row, "value", evidence_value(json_array_get(list, i)));
		put_json(row, "more", json_boolean(i + 1 < json_array_size(list)));
		append_json(rows, row);
	}
	return rows;
}

static json_t *cause_rows(const json_t *kernel)
{
	const json_t *causes = json_object_get(kernel, "causes");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);
		json_t *row = json_object();

		view_put_sentence(row, "text", tree_text(cause, "text"));
		view_put_list(row, "evidence", evidence_rows(cause));
		append_json(rows, row);
	}
	return rows;
}

/* ---- where warps wait ---- */

static json_t *reason_rows(const json_t *stalls)
{
	const json_t *reasons = json_object_get(stalls, "reasons");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(reasons); i++) {
		const json_t *reason = json_array_get(reasons, i);
		json_t *row;

		if (!(tree_real(reason, "share") >= least_reason_share))
			continue;
		row = json_object();
		put_json(row, "reason", view_reason_words(tree_text(reason, "reason")));
		put_json(row, "share", view_percent(tree_real(reason, "share")));
		append_json(rows, row);
	}
	return rows;
}

static void put_waits(json_t *out, const json_t *kernel)
{
	const json_t *stalls = json_object_get(json_object_get(kernel, "measured"), "stalls");
	char samples[FORMAT_SIZE];

	format_count(samples, sizeof(samples), tree_real(stalls, "samples"));
	put_json(out, "sampled_note",
		tree_real(stalls, "samples") > 0
			? view_text("%s samples in %.0f launches", samples, tree_real(stalls, "launches"))
			: json_null());
	view_put_list(out, "waits", tree_real(stalls, "samples") > 0 ? reason_rows(stalls) : json_array());
	view_put_sentence(out, "not_sampled", tree_text(kernel, "not_sampled"));
	view_put_sentence(out, "not_counted", tree_text(kernel, "not_counted"));
}

/* ---- code ---- */

static json_t *one_listing(const json_t *kernel, const char *which)
{
	const json_t *listing = json_object_get(json_object_get(kernel, "code"), which);
	const json_t *stalls = json_object_get(json_object_get(kernel, "measured"), "stalls");
	bool is_machine = strcmp(which, "machine") == 0;
	struct code_bars bars = {tree_real(stalls, "samples") > 0 ? stalls : NULL,
				 is_machine ? NULL : tree_text(listing, "file"), 0},
			 none = {NULL, NULL, 0};
	double left_out = tree_real(listing, "left_out");
	json_t *object = json_object();

	bars.longest = view_longest_share(bars.stalls, bars.file);
	put_json(object, "title",
		is_machine ? json_string("Machine code") : view_text("Source: %.200s", tree_text(listing, "file")));
	put_json(object, "machine", json_boolean(is_machine));
	put_json(object, "shown", json_boolean(!is_machine));
	put_json(object, "left_out",
		left_out > 0
			? view_text("Rows that are not shown: %.0f, those far from any samples, then the last ones.",
				  left_out)
			: json_null());
	view_put_code_rows(object, json_object_get(listing, "rows"), &bars, &none);
	put_json(object, "code_rest", json_false());
	put_json(object, "code_unseen", json_false());
	return object;
}

static json_t *listings_of_kernel(const json_t *kernel, size_t number)
{
	static const char *const parts[] = {"source", "machine"};
	json_t *list = json_array();

	for (size_t i = 0; i < 2; i++) {
		const json_t *listing = json_object_get(json_object_get(kernel, "code"), parts[i]);
		json_t *object;

		if (json_array_size(json_object_get(listing, "rows")) == 0)
			continue;
		object = one_listing(kernel, parts[i]);
		put_json(object, "listing", view_text("advice-%zu-%s", number, parts[i]));
		append_json(list, object);
	}
	return list;
}

/* ---- evidence ---- */

/* What the code says, and how that is known. */
static json_t *statement_rows(const json_t *kernel)
{
	static const char *const names[][2] = {{"ahead", "tiles under way while a round computes"},
		{"buffers", "buffers in shared memory, for one operand"},
		{"prologue", "tiles asked for before the first round"}, {"copies", "instructions that bring tiles"},
		{"bytes", "bytes of one copy"}, {"barriers", "barriers of a round"},
		{"mbarriers", "mbarriers that a round waits for"}, {"unrolled", "rounds in a turn of the loop"}};
	const json_t *list = json_object_get(json_object_get(kernel, "now"), "evidence");
	json_t *rows = json_array();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const json_t *fact = tree_find(list, "what", names[i][0]);
		json_t *row;

		if (!tree_has(fact, "value"))
			continue;
		row = json_object();
		put_json(row, "what", view_text("%s", names[i][1]));
		put_json(row, "value", view_count(tree_real(fact, "value")));
		put_json(row, "how", view_text("%s", tree_text(fact, "how")));
		append_json(rows, row);
	}
	return rows;
}

static json_t *resource_words(const json_t *kernel)
{
	const json_t *resources = json_object_get(json_object_get(kernel, "measured"), "resources");
	const json_t *occupancy = json_object_get(resources, "occupancy");
	char shared[FORMAT_SIZE], text[512] = "";

	if (!json_is_object(resources))
		return json_null();
	format_bytes(shared, sizeof(shared), tree_real(resources, "shared_bytes"));
	clip_print(text, sizeof(text), "A block has %.0f threads, %.0f registers in each, and %s of shared memory.",
		tree_real(resources, "threads"), tree_real(resources, "registers"), shared);
	if (tree_has(occupancy, "blocks"))
		clip_append(text, sizeof(text), " %.0f fit on an SM, by its %s.", tree_real(occupancy, "blocks"),
			tree_text(occupancy, "limiter"));
	return view_text("%s", text);
}

/* ---- a kernel ---- */

/* A mean over steps need not be whole. */
static json_t *launches_of_step(double launches)
{
	return launches == floor(launches) ? view_count(launches) : view_text("%.*f", launches < 10 ? 3 : 1, launches);
}

static json_t *advised_kernel_view(struct view *view, const json_t *kernel, size_t number)
{
	json_t *out = json_object();
	char what[WHAT_SIZE], anchor[WHAT_SIZE];

	snprintf(what, sizeof(what), "gains-%zu", number);
	snprintf(anchor, sizeof(anchor), "kernel-%zu", number);
	put_kernel_row(out, kernel);
	put_json(out, "id", view_id(view, anchor));
	put_json(out, "open", json_boolean(number == 1));
	put_json(out, "full_name", view_text("%.600s", tree_text(kernel, "name")));
	put_json(out, "launches", launches_of_step(tree_real(kernel, "launches")));
	put_json(out, "launch", view_time(tree_real(kernel, "launch_ns")));
	view_put_sentence(out, "verdict_text", tree_text(kernel, "verdict_text"));
	view_put_sentence(out, "now_text", tree_text(kernel, "now_text"));
	view_put_sentence(out, "action", tree_text(json_object_get(kernel, "action"), "text"));
	view_put_text(out, "check", tree_text(kernel, "check"));
	view_put_figure(view, out, "figure", NULL, what);
	view_put_list(out, "gains", gain_rows(kernel));
	view_put_list(out, "causes", cause_rows(kernel));
	put_waits(out, kernel);
	view_put_list(out, "listings", listings_of_kernel(kernel, number));
	view_put_list(out, "statements", statement_rows(kernel));
	put_json(out, "resources", resource_words(kernel));
	return out;
}

/* ---- the program ---- */

/* "plain, traced twice, ..." with their times. */
static json_t *run_rows(const json_t *advised)
{
	static const char *const kinds[][2] = {{"plain", "as it is"}, {"traced", "traced"},
		{"code", "traced, keeping machine code"}, {"sampled", "sampled"}, {"counted", "counted"}};
	const json_t *runs = json_object_get(advised, "runs");
	json_t *rows = json_array();

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		size_t n = 0;
		double ns = 0;
		json_t *row;

		for (size_t i = 0; i < json_array_size(runs); i++)
			if (strcmp(tree_text(json_array_get(runs, i), "kind"), kinds[k][0]) == 0)
				n++, ns += tree_real(json_array_get(runs, i), "ns");
		if (n == 0)
			continue;
		row = json_object();
		put_json(row, "kind", view_text("%s", kinds[k][1]));
		put_json(row, "n", view_text("%zu", n));
		put_json(row, "time", view_time(ns));
		append_json(rows, row);
	}
	return rows;
}

/* What was not done, and why. */
static json_t *missing_rows(const json_t *advised)
{
	static const char *const names[][2] = {{"machine", "The machine's constants"}, {"code", "Machine code"},
		{"stalls", "PC samples"}, {"counters", "Counters"}, {"trace", "Kernels"}};
	const json_t *missing = json_object_get(advised, "missing");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(missing); i++) {
		const json_t *pass = json_array_get(missing, i);
		const char *name = tree_text(pass, "pass");

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			name = strcmp(names[k][0], name) == 0 ? names[k][1] : name;
		append_json(rows, view_text("%s (%s): %s", name, tree_text(pass, "status"), tree_text(pass, "reason")));
	}
	return rows;
}

void view_advice(struct view *view, json_t *page)
{
	const json_t *advised = json_object_get(view->recording, "advised");
	const json_t *advice = json_object_get(view->recording, "advice");
	json_t *out, *kernels = json_array();

	put_json(page, "advice", json_null());
	if (json_is_object(advised)) {
		out = json_object();
		for (size_t i = 0; i < json_array_size(advice); i++)
			append_json(kernels, advised_kernel_view(view, json_array_get(advice, i), i + 1));
		view_put_list(out, "kernels", json_incref(kernels));
		put_json(out, "looked_at", view_percent(tree_real(advised, "looked_at")));
		view_put_text(out, "command", tree_text(advised, "command"));
		view_put_text(out, "pattern", tree_text(advised, "pattern"));
		view_put_text(out, "range", tree_text(advised, "range"));
		view_put_list(out, "runs", run_rows(advised));
		view_put_list(out, "lacking", missing_rows(advised));
		put_json(page, "advice", out);
	}
	json_decref(kernels);
}
