/* head.c: the top of the page: which GPU, when, how the run went. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

static void head_add_fact(json_t *facts, const char *name, json_t *value)
{
	json_t *fact = json_object();

	put_json(fact, "name", view_text("%s", name));
	put_json(fact, "value", value);
	append_json(facts, fact);
}

static void add_text_fact(json_t *facts, const char *name, const char *value)
{
	if (*value != '\0')
		head_add_fact(facts, name, view_text("%s", value));
}

static void device_facts(json_t *facts, const json_t *device)
{
	char memory[FORMAT_SIZE], bandwidth[FORMAT_SIZE];

	head_add_fact(facts, "GPU",
		view_text("%s, compute capability %s, %.0f SMs, %.0f copy engines", tree_text(device, "name"),
			tree_text(device, "compute"), tree_real(device, "sms"), tree_real(device, "async_engines")));
	format_bytes(memory, sizeof(memory), tree_real(device, "memory_bytes"));
	format_rate(bandwidth, sizeof(bandwidth), tree_real(device, "memory_bandwidth_bytes_s"), "B/s");
	head_add_fact(facts, "Device memory",
		tree_real(device, "memory_bandwidth_bytes_s") > 0
			? view_text("%s, at most %s by its clock and width", memory, bandwidth)
			: view_text("%s", memory));
}

/* "0: NVIDIA H100, 1: NVIDIA H100": the GPUs that a program used, or those of an export. */
static void gpu_facts(json_t *facts, const json_t *gpus)
{
	size_t n = json_array_size(gpus);
	char text[1024] = "";

	for (size_t i = 0; i < n; i++) {
		const json_t *gpu = json_array_get(gpus, i);

		if (n > 1)
			clip_append(text, sizeof(text), "%s%.0f: ", i > 0 ? ", " : "", tree_real(gpu, "device"));
		clip_append(text, sizeof(text), "%s", tree_has(gpu, "name") ? tree_text(gpu, "name") : "unknown");
	}
	add_text_fact(facts, n > 1 ? "GPUs" : "GPU", text);
}

/* "driver 580.159.04, CUDA 13.0 (driver), 13.0 (runtime) ...", of what is known. */
static void version_facts(json_t *facts, const json_t *versions)
{
	static const char *const names[][2] = {{"driver", "driver "}, {"cuda_driver", "CUDA up to "},
		{"cuda_runtime", "runtime "}, {"cupti", "CUPTI API "}, {"dbprof", "dbprof "}};
	char text[512] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *version = tree_text(versions, names[i][0]);

		if (*version != '\0')
			clip_append(text, sizeof(text), "%s%s%.80s", *text ? ", " : "", names[i][1], version);
	}
	add_text_fact(facts, "Software", text);
}

static void clock_facts(json_t *facts, const json_t *recording)
{
	const json_t *clocks = json_object_get(recording, "clocks");
	const json_t *mhz = json_object_get(clocks, "sm_mhz"), *celsius = json_object_get(clocks, "temperature_c");
	double limit = tree_real(json_object_get(recording, "device"), "clock_limit_mhz");
	double throttled = tree_real(clocks, "throttled");

	if (tree_has(mhz, "median"))
		head_add_fact(facts, "SM clock, as the driver reads it",
			view_text("median %.0f MHz (%.0f to %.0f in %.0f readings), limit %.0f MHz",
				tree_real(mhz, "median"), tree_real(mhz, "min"), tree_real(mhz, "max"),
				tree_real(mhz, "n"), limit));
	if (tree_has(celsius, "max"))
		head_add_fact(facts, "Temperature", view_text("at most %.0f °C", tree_real(celsius, "max")));
	if (isfinite(throttled))
		head_add_fact(facts, "Throttled",
			throttled > 0 ? view_text("in %.0f readings", throttled) : view_text("never seen"));
}

/* "15 of 15 done" */
static void pass_facts(json_t *facts, const json_t *passes)
{
	size_t done = 0;

	for (size_t i = 0; i < json_array_size(passes); i++)
		done += strcmp(tree_text(json_array_get(passes, i), "status"), "done") == 0;
	if (json_array_size(passes) > 0)
		head_add_fact(facts, "Passes", view_text("%zu of %zu done", done, json_array_size(passes)));
}

/* "2025-11-20T17:03:12Z" as "2025-11-20 17:03 UTC"; other texts as they are. */
static json_t *date_text(const char *created)
{
	if (strlen(created) >= 16 && created[10] == 'T')
		return view_text("%.10s %.5s UTC", created, created + 11);
	return view_text("%s", created);
}

/* The processes and the amount of work of a program. */
static void program_facts(struct view *view, json_t *facts, const json_t *program)
{
	const json_t *processes = json_object_get(program, "processes");

	if (!json_is_object(program))
		return;
	if (json_array_size(processes) > 0)
		head_add_fact(facts, json_array_size(processes) > 1 ? "Processes" : "Process",
			view_process_names(view, processes));
	head_add_fact(facts, "Device work", view_work_counts(program));
}

static void head_facts(struct view *view, json_t *page)
{
	const json_t *recording = view->recording;
	json_t *list = json_array();

	if (json_is_object(json_object_get(recording, "device")) &&
		(json_array_size(json_object_get(recording, "gpus")) < 2 || !tree_has(recording, "program")))
		device_facts(list, json_object_get(recording, "device"));
	else
		gpu_facts(list, json_object_get(recording, "gpus"));
	version_facts(list, json_object_get(recording, "versions"));
	if (tree_has(recording, "created"))
		head_add_fact(list, "Recorded", date_text(tree_text(recording, "created")));
	clock_facts(list, recording);
	program_facts(view, list, json_object_get(recording, "program"));
	pass_facts(list, json_object_get(recording, "passes"));
	add_text_fact(list, "Recording", tree_text(recording, "file"));
	add_text_fact(list, "Command", tree_text(recording, "command"));
	put_json(page, "facts", list);
}

/* The distinct texts of a member, in order of first appearance. */
static json_t *distinct(const json_t *rows, const char *key)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(rows); i++) {
		const char *text = tree_text(json_array_get(rows, i), key);
		bool known = false;

		for (size_t k = 0; k < json_array_size(list); k++)
			known |= strcmp(json_string_value(json_array_get(list, k)), text) == 0;
		if (!known)
			append_json(list, view_text("%s", text));
	}
	return list;
}

/* What the processes of a pass over a family came to: the first that was not done, else the last; *seconds of all. */
static const json_t *worst_pass(const json_t *passes, const char *family, const char *pass, double *seconds)
{
	const json_t *worst = NULL;

	*seconds = 0;
	for (size_t i = 0; i < json_array_size(passes); i++) {
		const json_t *row = json_array_get(passes, i);

		if (strcmp(tree_text(row, "family"), family) != 0 || strcmp(tree_text(row, "pass"), pass) != 0)
			continue;
		*seconds += tree_real(row, "seconds");
		if (!worst || strcmp(tree_text(worst, "status"), "done") == 0)
			worst = row;
	}
	return worst;
}

/* One cell of the table of passes; a pass that was not done also gives a line in `reasons`. */
static void pass_cell(struct view *view, json_t *cells, json_t *reasons, const char *family, const char *pass)
{
	json_t *cell = json_object();
	char time[FORMAT_SIZE];
	double seconds;
	const json_t *found = worst_pass(json_object_get(view->recording, "passes"), family, pass, &seconds);
	const char *status = found ? tree_text(found, "status") : "not run";
	bool done = strcmp(status, "done") == 0;

	format_time_ns(time, sizeof(time), 1e9 * seconds);
	put_json(cell, "status", done ? view_text("✓ %s", time) : view_text("✗ %s", status));
	append_json(cells, cell);
	if (found && !done)
		append_json(reasons, view_text("%s, %s: %s%s%s", family, pass, status,
					     tree_has(found, "reason") ? ": " : "", tree_text(found, "reason")));
}

/* The columns of the table. There are seven passes: a stranger's file may name a thousand, for each of a thousand
 * families. */
static json_t *pass_names(const json_t *rows, json_t *reasons)
{
	enum { PASSES_MOST = 12 };
	json_t *names = distinct(rows, "pass");
	size_t n = json_array_size(names);

	if (n > PASSES_MOST)
		append_json(reasons, view_text("%zu more kinds of passes are left out", n - PASSES_MOST));
	while (json_array_size(names) > PASSES_MOST)
		json_array_remove(names, json_array_size(names) - 1);
	return names;
}

static void passes(struct view *view, json_t *page)
{
	const json_t *rows = json_object_get(view->recording, "passes");
	json_t *table = json_array(), *reasons = json_array();
	json_t *families = distinct(rows, "family"), *names = pass_names(rows, reasons);

	for (size_t f = 0; f < json_array_size(families); f++) {
		const char *family = json_string_value(json_array_get(families, f));
		json_t *line = json_object(), *cells = json_array();

		for (size_t p = 0; p < json_array_size(names); p++)
			pass_cell(view, cells, reasons, family, json_string_value(json_array_get(names, p)));
		put_json(line, "family", view_text("%s", family));
		put_json(line, "cells", cells);
		append_json(table, line);
	}
	json_decref(families);
	put_json(page, "pass_names", names);
	view_put_list(page, "passes", table);
	view_put_list(page, "reasons", reasons);
}

static void diagnostics(struct view *view, json_t *page)
{
	const json_t *rows = json_object_get(view->recording, "diagnostics");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		json_t *item = json_object();

		put_json(item, "severity", view_text("%s", tree_text(row, "severity")));
		put_json(item, "text", view_text("%s", tree_text(row, "text")));
		append_json(list, item);
	}
	view_put_list(page, "diagnostics", list);
}

/* ---- the line under the title ---- */

/* "NVIDIA H100 80GB HBM3", or "8 GPUs". */
static json_t *gpu_words(const json_t *recording)
{
	const json_t *gpus = json_object_get(recording, "gpus"), *device = json_object_get(recording, "device");
	const json_t *only = json_array_size(gpus) == 1 ? json_array_get(gpus, 0) : device;

	if (json_array_size(gpus) > 1)
		return view_text("%zu GPUs", json_array_size(gpus));
	return tree_has(only, "name") ? view_text("%s", tree_text(only, "name")) : json_null();
}

/* "driver reads 1980 MHz throughout, never throttled", "driver reads 1410 to 1980 MHz, throttled in 3 of 80 readings";
 * null without readings. The clock that samples count on the GPU is another figure, which the evidence has. */
static json_t *clock_words(const json_t *clocks)
{
	const json_t *mhz = json_object_get(clocks, "sm_mhz");
	double low = tree_real(mhz, "min"), high = tree_real(mhz, "max"), throttled = tree_real(clocks, "throttled");
	char range[64], state[64] = "";

	if (!isfinite(low) || !isfinite(high))
		return json_null();
	if (low == high)
		snprintf(range, sizeof(range), "driver reads %.0f MHz throughout", high);
	else
		snprintf(range, sizeof(range), "driver reads %.0f to %.0f MHz", low, high);
	if (throttled > 0)
		snprintf(state, sizeof(state), ", throttled in %.0f of %.0f readings", throttled, tree_real(mhz, "n"));
	else if (throttled == 0)
		snprintf(state, sizeof(state), ", never throttled");
	return view_text("%s%s", range, state);
}

static json_t *cuda_words(const json_t *versions)
{
	const char *runtime = tree_text(versions, "cuda_runtime"), *driver = tree_text(versions, "cuda_driver");

	if (*runtime || *driver)
		return view_text("CUDA %.40s", *runtime ? runtime : driver);
	return json_null();
}

/* The facts that a reader needs first; the others are folded away behind them. */
static void head_line(struct view *view, json_t *page)
{
	const json_t *recording = view->recording;
	const char *created = tree_text(recording, "created");
	json_t *line = json_array();
	json_t *const words[] = {gpu_words(recording), cuda_words(json_object_get(recording, "versions")),
		strlen(created) >= 10 ? view_text("%.10s", created) : json_null(),
		clock_words(json_object_get(recording, "clocks")),
		tree_has(recording, "file") ? view_text("%s", tree_text(recording, "file")) : json_null()};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (json_is_string(words[i]))
			append_json(line, json_incref(words[i]));
		json_decref(words[i]);
	}
	view_put_list(page, "line", line);
	put_json(page, "group",
		view->several && tree_has(recording, "file") ? view_text("%s", tree_text(recording, "file"))
							     : gpu_words(recording));
}

static size_t diagnostics_of(const json_t *rows, const char *severity)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(rows); i++)
		n += strcmp(tree_text(json_array_get(rows, i), "severity"), severity) == 0;
	return n;
}

/* What the run had to say that is more than information: "1 error, 2 warnings". */
static void put_warnings(struct view *view, json_t *page)
{
	const json_t *rows = json_object_get(view->recording, "diagnostics");
	size_t errors = diagnostics_of(rows, "error");
	size_t warnings = json_array_size(rows) - errors - diagnostics_of(rows, "info");
	char text[64] = "";

	if (errors > 0)
		clip_append(text, sizeof(text), "%zu error%s", errors, errors == 1 ? "" : "s");
	if (warnings > 0)
		clip_append(text, sizeof(text), "%s%zu warning%s", errors > 0 ? ", " : "", warnings,
			warnings == 1 ? "" : "s");
	put_json(page, "warnings", *text ? view_text("%s", text) : json_null());
}

void view_head(struct view *view, json_t *page)
{
	const json_t *recording = view->recording;
	const json_t *program = json_object_get(recording, "program");

	put_json(page, "of_contrast",
		json_boolean(view_is_of_programs(json_array_get(json_object_get(recording, "families"), 0))));
	put_json(page, "of_families", json_boolean(json_array_size(json_object_get(recording, "families")) > 0));
	put_json(page, "shipped", json_boolean(tree_true(recording, "shipped")));
	view_put_text(page, "part",
		tree_text(tree_find(json_object_get(recording, "diagnostics"), "id", "part-of-recording"), "text"));
	view_put_text(page, "others",
		tree_text(tree_find(json_object_get(recording, "diagnostics"), "id", "other-threads"), "text"));
	put_json(page, "export", json_boolean(!tree_true(recording, "dbprof")));
	view_put_text(page, "answer", tree_text(tree_has(recording, "answer") ? recording : program, "answer"));
	view_put_text(page, "kernels_answer", tree_text(json_object_get(recording, "advised"), "answer"));
	if (tree_true(page, "of_contrast"))
		put_json(page, "answer", view_quoted(tree_text(recording, "answer")));
	head_line(view, page);
	view_missing(view, page);
	head_facts(view, page);
	passes(view, page);
	diagnostics(view, page);
	put_warnings(view, page);
}
