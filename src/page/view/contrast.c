/* contrast.c: a family that was made of somebody's programs: verdicts, sides, kernels, evidence. */
#include "page/view/view.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "util/strbuf.h"
#include "words/contrast/contrast.h"
#include "words/contrast/place.h"
#include "words/contrast/side-words.h"

bool view_is_of_programs(const json_t *family)
{
	return strcmp(tree_text(family, "origin"), "programs") == 0;
}

/* ---- verdicts ---- */

/* Commands stand in backquotes, which a page has no use for: quotation marks. */
json_t *view_quoted(const char *text)
{
	struct strbuf out = {0};
	bool open = false;
	json_t *json;

	for (const char *c = text; *c; c++) {
		if (*c == '`')
			strbuf_puts(&out, (open = !open) ? "“" : "”");
		else
			strbuf_putc(&out, *c);
	}
	json = out.text ? view_unbroken(out.text) : json_null();
	strbuf_free(&out);
	return json;
}

/* {"what", "verdict", "text", "interval"}; the interval is null where the text has it. */
static void add_told_verdict(json_t *told, const char *what, const json_t *verdict)
{
	const json_t *ratio = json_object_get(verdict, "ratio");
	double low = tree_real(ratio, "low"), high = tree_real(ratio, "high");
	const char *text = tree_text(verdict, "text");
	json_t *out;

	if (!json_is_object(verdict))
		return;
	out = json_object();
	put_json(out, "what", json_string(what));
	view_put_verdict(out, verdict);
	put_json(out, "text", view_quoted(text));
	put_json(out, "interval",
		isfinite(low) && !strstr(text, " interval ") ? view_interval(low, high, 0) : json_null());
	append_json(told, out);
}

/* What decides comes first. */
static json_t *told_verdicts_view(const json_t *family, const json_t *verdicts)
{
	bool leads = tree_step_leads(family, verdicts);
	json_t *told = json_array();

	if (leads)
		add_told_verdict(told, "Program", json_object_get(verdicts, "program"));
	add_told_verdict(told, "Kernels", json_object_get(verdicts, "kernel"));
	if (!leads)
		add_told_verdict(told, "Program", json_object_get(verdicts, "program"));
	return told;
}

static void put_pairs(json_t *page, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	json_t *pairs = json_array();

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *verdicts = json_object_get(json_array_get(sides, i), "verdicts");
		json_t *pair;

		if (!tree_has(verdicts, "kernel") && !tree_has(verdicts, "program"))
			continue;
		pair = json_object();
		put_json(pair, "told", told_verdicts_view(family, verdicts));
		append_json(pairs, pair);
	}
	view_put_list(page, "pairs", pairs);
}

/* ---- sides ---- */

static json_t *ending_view(const json_t *side)
{
	if (*side_ended_words(side))
		return view_text("%s", side_ended_words(side));
	if (tree_has(side, "signal"))
		return view_text("signal %.0f", tree_real(side, "signal"));
	return tree_has(side, "exit") ? view_text("status %.0f", tree_real(side, "exit")) : view_text("not known");
}

static json_t *side_output_view(const json_t *side)
{
	const char *check = tree_text(side, "output_check");
	char bytes[FORMAT_SIZE];

	format_bytes(bytes, sizeof(bytes), tree_real(side, "output_bytes"));
	return view_text("%s%s%s", bytes, *check ? ", " : "", check);
}

static json_t *side_runs_view(const json_t *side)
{
	const json_t *runs = json_object_get(side, "runs");
	double timed = tree_real(runs, "host") + tree_real(runs, "plain");

	return view_text("%.0f timed, %.0f traced", timed, tree_real(runs, "traced"));
}

static json_t *throttle_view(const json_t *side)
{
	const json_t *reasons = json_object_get(side, "throttle");
	char text[256] = "";

	for (size_t i = 0; i < json_array_size(reasons); i++)
		clip_append(text, sizeof(text), "%s%s",
			i ? ", " : "throttled: ", json_string_value(json_array_get(reasons, i)));
	return *text ? view_text("%s", text) : json_null();
}

static json_t *gpus_of_side_view(const json_t *side)
{
	const json_t *gpus = json_object_get(side, "gpus");
	char text[256] = "";

	for (size_t i = 0; i < json_array_size(gpus); i++)
		clip_append(text, sizeof(text), "%sGPU %.0f, %.60s", i ? "; " : "",
			tree_real(json_array_get(gpus, i), "device"), tree_text(json_array_get(gpus, i), "name"));
	return *text ? view_text("%s", text) : json_null();
}

static json_t *side_view(const json_t *family, const json_t *side)
{
	json_t *row = json_object();
	const char *name = tree_text(side, "name");

	put_json(row, "class", view_side_class(family, name));
	put_json(row, "name", view_text("%s", name));
	put_json(row, "command", view_text("%s", *tree_text(side, "command") ? tree_text(side, "command") : name));
	view_put_text(row, "environment", tree_text(side, "environment"));
	put_json(row, "kernels", view_time(tree_real(side, "kernels_ns")));
	put_json(row, "program", view_time(tree_real(side, "program_ns")));
	put_json(row, "runs", side_runs_view(side));
	put_json(row, "ended", ending_view(side));
	put_json(row, "output", side_output_view(side));
	put_json(row, "throttle", throttle_view(side));
	put_json(row, "gpu", tree_has(family, "gpus_text") ? gpus_of_side_view(side) : json_null());
	put_json(row, "clock",
		tree_has(side, "sm_mhz") ? view_text("%.0f\u00a0MHz", tree_real(side, "sm_mhz")) : view_text("n/a"));
	put_json(row, "power",
		tree_has(side, "power_w") ? view_text("%.0f\u00a0W", tree_real(side, "power_w")) : view_text("n/a"));
	return row;
}

static void put_sides(json_t *page, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	const json_t *program = json_object_get(json_object_get(family, "verdicts"), "program");
	bool wall = strcmp(tree_text(program, "basis"), "wall") == 0;
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(sides); i++)
		append_json(list, side_view(family, json_array_get(sides, i)));
	put_json(page, "program_head", json_string(wall ? "whole process" : "program, a step"));
	view_put_list(page, "sides", list);
}

/* ---- kernels ---- */

static json_t *extent_view(const json_t *list)
{
	char text[96] = "";

	if (!json_is_array(list))
		return json_string("several");
	for (size_t i = 0; i < json_array_size(list); i++)
		clip_append(text, sizeof(text), "%s%.0f", i ? " × " : "", json_number_value(json_array_get(list, i)));
	return view_text("%s", text);
}

static bool has_clusters(const json_t *kernel)
{
	const json_t *list = json_object_get(kernel, "cluster");
	bool any = false;

	for (size_t i = 0; i < json_array_size(list); i++)
		any |= json_integer_value(json_array_get(list, i)) > 1;
	return any;
}

/* What is unusual about the launch; null if nothing is. */
static json_t *launched_view(const json_t *kernel)
{
	const bool clusters = has_clusters(kernel), cooperative = tree_true(kernel, "cooperative");
	json_t *cluster = extent_view(json_object_get(kernel, "cluster")), *text = json_null();

	if (clusters || cooperative)
		text = view_text("%s%s%s%s", clusters ? "clusters of " : "", clusters ? json_string_value(cluster) : "",
			clusters && cooperative ? ", " : "", cooperative ? "cooperative" : "");
	json_decref(cluster);
	return text;
}

static json_t *shared_view(const json_t *kernel)
{
	return view_bytes(tree_real(kernel, "static_shared_bytes") + tree_real(kernel, "dynamic_shared_bytes"));
}

static json_t *how_view(const json_t *kernel)
{
	const char *how = tree_text(kernel, "how");

	if (strcmp(how, "grid") == 0)
		return json_string("name, grid");
	if (strcmp(how, "sum") == 0)
		return json_string("name, all grids");
	return json_string(strcmp(how, "name") == 0 ? "name" : strcmp(how, "place") == 0 ? "place" : "");
}

static json_t *kernel_view(const json_t *family, const json_t *kernel)
{
	const char *side = tree_text(kernel, "side");
	const char *name = tree_text(kernel, tree_has(kernel, "short_name") ? "short_name" : "name");
	json_t *row = json_object();

	put_json(row, "class", view_side_class(family, side));
	put_json(row, "side", view_text("%s", side));
	put_json(row, "name", view_text("%.200s", name));
	put_json(row, "time", view_time(tree_real(kernel, "ns")));
	put_json(row, "share", view_percent(tree_real(kernel, "share")));
	put_json(row, "launches", view_text("%.3g", tree_real(kernel, "launches")));
	put_json(row, "grid", extent_view(json_object_get(kernel, "grid")));
	put_json(row, "launched", launched_view(kernel));
	put_json(row, "block", extent_view(json_object_get(kernel, "block")));
	put_json(row, "registers", view_count(tree_real(kernel, "registers")));
	put_json(row, "shared", shared_view(kernel));
	put_json(row, "local", view_bytes(tree_real(kernel, "local_bytes")));
	put_json(row, "how", how_view(kernel));
	put_json(row, "elsewhere", json_boolean(tree_true(kernel, "elsewhere")));
	put_json(row, "left_open", json_boolean(tree_true(kernel, "left_open") && !tree_true(kernel, "elsewhere")));
	return row;
}

/* Whether a kernel has the machine code of the first side's; nothing beside that one itself. */
static json_t *same_code_view(const json_t *kernel, const json_t *first)
{
	const char *code = tree_text(kernel, "code"), *of = tree_text(first, "code");

	if (kernel == first)
		return json_string("");
	if (*code == '\0' || *of == '\0')
		return json_string("n/a");
	return json_string(strcmp(code, of) == 0 ? "the same" : "other");
}

/* A row per side of each matched kernel, the largest difference first. */
static void put_matched(json_t *page, const json_t *family)
{
	const json_t *matched = json_object_get(family, "matched");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(matched); i++) {
		const json_t *kernels = json_object_get(json_array_get(matched, i), "kernels");

		for (size_t k = 0; k < json_array_size(kernels); k++) {
			json_t *row = kernel_view(family, json_array_get(kernels, k));

			put_json(row, "code", same_code_view(json_array_get(kernels, k), json_array_get(kernels, 0)));
			append_json(list, row);
		}
	}
	view_put_list(page, "matched", list);
}

static void put_unmatched(json_t *page, const json_t *family)
{
	const json_t *unmatched = json_object_get(family, "unmatched");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(unmatched); i++)
		append_json(list, kernel_view(family, json_array_get(unmatched, i)));
	view_put_list(page, "unmatched", list);
}

static void put_left_out(json_t *page, const json_t *family, const char *key)
{
	put_json(page, key, tree_real(family, key) > 0 ? view_count(tree_real(family, key)) : json_null());
}

/* ---- what the difference consists of ---- */

/* From single to double, as waterfalls go: the tree has what is saved. */
static json_t *change_view(double saved_ns)
{
	char text[FORMAT_SIZE];
	json_t *unbroken, *json;

	unbroken = view_unbroken(format_time_ns(text, sizeof(text), fabs(saved_ns)));
	json = view_text("%s%s", saved_ns > 0 ? "−" : saved_ns < 0 ? "+" : "", json_string_value(unbroken));
	json_decref(unbroken);
	return json;
}

static json_t *where_view(const json_t *family, const json_t *part)
{
	const char *kind = tree_text(part, "kind");

	if (strcmp(kind, "unmatched") == 0)
		return view_text("only in %s", tree_text(part, "side"));
	if (name_by_place(family, tree_text(part, "case")))
		return json_string("both sides, by place");
	return json_string(strcmp(kind, "matched") == 0 ? "both sides" : "smaller kernels");
}

/* A rest that reads as 0 % is not told. Share of the difference. */
static const double told_rest = 0.0005;

static bool is_told(const json_t *part)
{
	return strcmp(tree_text(part, "kind"), "rest") != 0 || !(fabs(tree_real(part, "share")) < told_rest);
}

/* Both names, where they are different. */
static json_t *name_of_part_view(const json_t *family, const json_t *part)
{
	const char *other = name_by_place(family, tree_text(part, "case"));

	if (!tree_has(part, "name"))
		return json_string("the rest");
	return view_text("%.200s%s%.200s", tree_text(part, "name"), other ? ", " : "", other ? other : "");
}

static json_t *part_of_difference_view(const json_t *family, const json_t *part)
{
	json_t *row = json_object();

	put_json(row, "name", name_of_part_view(family, part));
	put_json(row, "ns", change_view(tree_real(part, "ns")));
	put_json(row, "share", view_percent(tree_real(part, "share")));
	put_json(row, "where", where_view(family, part));
	return row;
}

/* Where the kernels take the same time, their parts of the difference say nothing. */
static void put_parts(json_t *page, const json_t *family)
{
	const json_t *kernel = json_object_get(json_object_get(family, "verdicts"), "kernel");
	const json_t *parts = json_object_get(family, "parts");
	bool same = strcmp(tree_text(kernel, "verdict"), "same") == 0;
	json_t *list = json_array();

	for (size_t i = 0; !same && i < json_array_size(parts); i++)
		if (is_told(json_array_get(parts, i)))
			append_json(list, part_of_difference_view(family, json_array_get(parts, i)));
	put_json(page, "difference", change_view(tree_real(family, "difference_ns")));
	view_put_list(page, "parts", list);
}

void view_put_contrast_kernels(json_t *page, const json_t *family)
{
	put_parts(page, family);
	put_matched(page, family);
	put_left_out(page, family, "matched_left_out");
	put_unmatched(page, family);
	put_left_out(page, family, "unmatched_left_out");
}

/* ---- times as bars ---- */

/* "Kernel time of a step", "Host time of a step, from its begin to the next one's": what the bars of a case are. */
static json_t *bars_view(const json_t *family, const char *label)
{
	const json_t *program = json_object_get(json_object_get(family, "verdicts"), "program");
	const char *kernels = contrast_kernel_time(family);
	bool period = strcmp(tree_text(family, "step_time"), "period") == 0;

	if (strcmp(label, "program") != 0)
		return view_text("%c%s of a step", toupper((unsigned char)*kernels), kernels + 1);
	if (strcmp(tree_text(program, "basis"), "wall") == 0)
		return view_text("Time of a whole process");
	return view_text("Host time of a step%s%s", period ? ", from its begin to the next one's" : "",
		period && tree_true(family, "step_pauses") ? ", with pauses" : "");
}

/* What decides comes first. */
static void put_durations(struct view *view, json_t *page, const json_t *family)
{
	const char *name = tree_text(family, "name");

	view_put_figure(view, page, "step_durations", name, "step-durations");
	put_json(page, "step_durations_of", bars_view(family, "program"));
	view_put_figure(view, page, "durations", name, "durations");
	put_json(page, "durations_of", bars_view(family, tree_text(tree_headline(family), "label")));
}

/* ---- the median step ---- */

void view_median_steps(struct view *view, json_t *page, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	json_t *steps = json_array();

	view_put_timeline(view, page, family);
	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *step = json_object_get(json_array_get(sides, i), "median_step");

		if (tree_has(step, "text") && (tree_has(page, "picture") || !tree_true(step, "kept")))
			append_json(steps, view_unbroken(tree_text(step, "text")));
	}
	view_put_list(page, "median_steps", steps);
}

/* ---- evidence ---- */

static void add_checked(json_t *list, const char *single, const json_t *side, const json_t *verdict, const char *what)
{
	json_t *item;

	if (!json_is_object(verdict))
		return;
	item = json_object();
	put_json(item, "of", view_text("%s, %s against %s", what, tree_text(side, "name"), single));
	view_put_passed(item, verdict);
	put_json(item, "checks", view_checks(json_object_get(verdict, "evidence")));
	append_json(list, item);
}

static void put_checked(json_t *page, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i), *verdicts = json_object_get(side, "verdicts");

		add_checked(list, tree_text(family, "single"), side, json_object_get(verdicts, "kernel"), "Kernels");
		add_checked(list, tree_text(family, "single"), side, json_object_get(verdicts, "program"), "Program");
	}
	view_put_list(page, "checked", list);
}

static json_t *traced_change_view(const json_t *family)
{
	const json_t *change = json_object_get(family, "traced_change");
	json_t *single, *dbl, *text;

	if (!tree_has(change, "single") || !tree_has(change, "double"))
		return json_null();
	single = view_change(1 + tree_real(change, "single"));
	dbl = view_change(1 + tree_real(change, "double"));
	text = view_text("Tracing changes the host time of a step by %s (%.100s) and %s (%.100s).",
		json_string_value(single), tree_text(family, "single"), json_string_value(dbl),
		tree_text(family, "double"));
	json_decref(single);
	json_decref(dbl);
	return text;
}

/* ---- all of it ---- */

static void put_doubts(json_t *page, const json_t *family)
{
	const char *decides = tree_deciding_word(family, json_object_get(family, "verdicts"));
	bool unclear = strcmp(decides, "unclear") == 0;
	const char *reason = tree_text(family, "reason_text");

	put_json(page, "doubt", view_quoted(unclear ? reason : ""));
}

/* Why occupancy and traffic are not known over time, or not of all: the reason of a pass that is done counts, too. */
static void put_curves_refused(const struct view *view, json_t *page, const json_t *family)
{
	const json_t *passes = json_object_get(view->recording, "passes");
	const char *reason = "";

	for (size_t i = 0; i < json_array_size(passes); i++) {
		const json_t *row = json_array_get(passes, i);

		if (strcmp(tree_text(row, "family"), tree_text(family, "name")) == 0 &&
			strcmp(tree_text(row, "pass"), "pm") == 0)
			reason = tree_text(row, "reason");
	}
	view_put_sentence(page, "curves_refused", reason);
}

json_t *view_contrast(struct view *view, const json_t *family)
{
	const json_t *headline = tree_headline_contrast(family), *decides = tree_deciding_contrast(family);
	json_t *page = json_object();

	put_json(page, "programs", json_true());
	put_json(page, "fid", view_id(view, tree_text(family, "name")));
	put_json(page, "title", view_text("%s", tree_text(family, *tree_text(family, "title") ? "title" : "name")));
	put_json(page, "open", json_true());
	view_put_text(page, "because", tree_text(headline, "because"));
	view_put_verdict(page, decides);
	view_put_speedup(page, decides);
	put_doubts(page, family);
	view_put_runs(page, family);
	view_put_sentence(page, "cause", tree_text(headline, "cause"));
	view_put_contrast_causes(view, page, family);
	view_put_contrast_code(view, page, family);
	view_put_text(page, "single", tree_text(family, "single"));
	view_put_text(page, "double", tree_text(family, "double"));
	put_durations(view, page, family);
	put_json(page, "step_leads", json_boolean(tree_step_leads(family, json_object_get(family, "verdicts"))));
	put_pairs(page, family);
	view_put_values(view, page, family);
	put_sides(page, family);
	view_median_steps(view, page, family);
	view_pm(view, page, family);
	put_curves_refused(view, page, family);
	view_put_contrast_kernels(page, family);
	put_json(page, "no_kernels", view_quoted(tree_text(family, "no_kernels_text")));
	put_json(page, "gpus_differ", view_quoted(tree_text(family, "gpus_text")));
	view_put_text(page, "by_place", tree_text(family, "place_text"));
	put_checked(page, family);
	put_json(page, "traced_change", traced_change_view(family));
	view_put_sentence(page, "machine_code", tree_text(family, "code_text"));
	view_put_text(page, "repeat", tree_text(view->recording, "command"));
	return page;
}
