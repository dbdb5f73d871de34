/* fit.c: see fit.h. The room is divided among the lists: what one does not need, the others have. */
#include "model/fit/fit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/lists.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* Bytes of report.json; and what sentences, which are added later, and the rest of the tree may take of them. A
 * recording, and a list, that is not small has the least at least. */
enum { REPORT_BYTES = 1000000, SENTENCES = 100000, RECORDING_LEAST = 60000, LIST_LEAST = 3000 };

enum { RECORDING_DEPTH = 3, PROGRAM_DEPTH = 4, TIMELINE_DEPTH = 5 };

/* A recording that is cut, and the note of what it loses. */
struct fitting {
	json_t *recording, *program, *timeline;
	json_t *note;
};

static void fit_note(struct fitting *fitting, const char *what, size_t n)
{
	if (n > 0)
		fit_count(fitting->note, what, (json_int_t)n);
}

/* The object of that key, which is made if it is missing. */
static json_t *fit_rest(json_t *object, const char *key)
{
	if (!json_object_get(object, key))
		put_json(object, key, json_object());
	return json_object_get(object, key);
}

/* A rest that nothing was added to goes again. */
static void fit_drop_empty(json_t *object, const char *key)
{
	if (json_object_size(json_object_get(object, key)) == 0)
		json_object_del(object, key);
}

/* ---- the lists ---- */

static double worth_of_range(const json_t *entry, const json_t *recording)
{
	(void)recording;
	return fit_busy(entry);
}

static void add_range_name(json_t *sum, const json_t *entry)
{
	fit_count(sum, "names", 1);
	fit_count(sum, "count", json_integer_value(json_object_get(entry, "count")));
}

static void cut_ranges(struct fitting *fitting, size_t room)
{
	enum { FEW = 100 };
	json_t *list = json_object_get(fitting->recording, "ranges");

	fit_cut_gpus(list, room, RECORDING_DEPTH, fitting->recording, FEW);
	fit_note(fitting, "ranges",
		fit_keep_best(list, room, RECORDING_DEPTH, fitting->recording, worth_of_range,
			fit_rest(fitting->recording, "ranges_left_out"), add_range_name));
	fit_drop_empty(fitting->recording, "ranges_left_out");
}

static double worth_of_kernel(const json_t *entry, const json_t *recording)
{
	(void)recording;
	return tree_real(entry, "total_ns");
}

static void add_kernel_name(json_t *sum, const json_t *entry)
{
	fit_count(sum, "names", 1);
	fit_count(sum, "count", json_integer_value(json_object_get(entry, "count")));
	fit_count(sum, "total_ns", json_integer_value(json_object_get(entry, "total_ns")));
}

static void cut_kernels(struct fitting *fitting, size_t room)
{
	fit_note(fitting, "kernels",
		fit_keep_best(json_object_get(fitting->program, "kernels"), room, PROGRAM_DEPTH, fitting->recording,
			worth_of_kernel, fit_rest(fitting->program, "kernels_left_out"), add_kernel_name));
	fit_drop_empty(fitting->program, "kernels_left_out");
}

/* Those that something is missing of are told first. */
static double worth_of_process(const json_t *entry, const json_t *recording)
{
	static const double beyond_time = 1e20;
	bool lacks = tree_has(entry, "note") || tree_real(entry, "dropped") > 0 || tree_real(entry, "untimed") > 0 ||
		     json_is_false(json_object_get(entry, "finished"));

	(void)recording;
	return fit_busy(entry) + (lacks ? beyond_time : 0);
}

static void add_process(json_t *sum, const json_t *entry)
{
	(void)entry;
	fit_count(sum, "count", 1);
}

static void cut_threads(json_t *process)
{
	enum { THREADS_TOLD = 16 };
	json_t *threads = json_object_get(process, "threads");
	size_t n = json_array_size(threads);

	if (n <= THREADS_TOLD)
		return;
	while (json_array_size(threads) > THREADS_TOLD)
		json_array_remove(threads, json_array_size(threads) - 1);
	fit_count(process, "threads_left_out", (json_int_t)(n - THREADS_TOLD));
}

static void cut_processes(struct fitting *fitting, size_t room)
{
	enum { FEW = 50 };
	json_t *list = json_object_get(fitting->program, "processes");

	for (size_t i = 0; i < json_array_size(list); i++)
		cut_threads(json_array_get(list, i));
	fit_cut_gpus(list, room, PROGRAM_DEPTH, fitting->recording, FEW);
	fit_note(fitting, "processes",
		fit_keep_best(list, room, PROGRAM_DEPTH, fitting->recording, worth_of_process,
			fit_rest(fitting->program, "processes_left_out"), add_process));
	fit_drop_empty(fitting->program, "processes_left_out");
}

static double worth_of_shown(const json_t *entry, const json_t *recording)
{
	(void)recording;
	return tree_real(entry, "end_ns") - tree_real(entry, "start_ns");
}

/* Lanes have three quarters of the room, ranges the rest. */
void fit_timeline(json_t *timeline, size_t bytes)
{
	/* A lane is worth what its process has on its GPU, which is looked up as in a program's R. */
	json_t *recording = json_pack("{s:{s:O}}", "program", "timeline", timeline);
	json_t *lanes = json_object_get(timeline, "lanes"), *ranges = json_object_get(timeline, "ranges");
	size_t room = bytes / 4;

	if (fit_size(lanes, TIMELINE_DEPTH) > bytes - room)
		fit_count(timeline, "lanes_left_out",
			(json_int_t)fit_cut_lanes(timeline, bytes - room, TIMELINE_DEPTH, recording));
	if (fit_size(ranges, TIMELINE_DEPTH) > room)
		fit_count(timeline, "ranges_left_out",
			(json_int_t)fit_keep_best(ranges, room, TIMELINE_DEPTH, recording, worth_of_shown, NULL, NULL));
	json_decref(recording);
}

static void cut_lanes(struct fitting *fitting, size_t room)
{
	size_t left = fit_cut_lanes(fitting->timeline, room, TIMELINE_DEPTH, fitting->recording);

	fit_note(fitting, "lanes", left);
	fit_count(fitting->timeline, "lanes_left_out", (json_int_t)left);
}

static void cut_shown_ranges(struct fitting *fitting, size_t room)
{
	size_t left = fit_keep_best(json_object_get(fitting->timeline, "ranges"), room, TIMELINE_DEPTH,
		fitting->recording, worth_of_shown, NULL, NULL);

	fit_count(fitting->timeline, "ranges_left_out", (json_int_t)left);
}

/* What dbprof says itself, then by severity. */
static double worth_of_diagnostic(const json_t *entry, const json_t *recording)
{
	static const char *const severities[] = {"info", "warning", "error"};
	double worth = tree_has(entry, "id") ? 3 : 0;

	(void)recording;
	for (int i = 0; i < 3; i++)
		worth += strcmp(tree_text(entry, "severity"), severities[i]) == 0 ? i : 0;
	return worth;
}

static void cut_diagnostics(struct fitting *fitting, size_t room)
{
	fit_note(fitting, "diagnostics",
		fit_keep_best(json_object_get(fitting->recording, "diagnostics"), room, RECORDING_DEPTH,
			fitting->recording, worth_of_diagnostic, NULL, NULL));
}

/* ---- the room ---- */

/* Lists that can be long, and the part of the room that each has if all are. */
static const struct fit_list {
	const char *key;
	size_t depth, weight;
	void (*cut)(struct fitting *fitting, size_t room);
} fit_lists[] = {
	{"lanes", TIMELINE_DEPTH, 30, cut_lanes},
	{"ranges", RECORDING_DEPTH, 32, cut_ranges},
	{"kernels", PROGRAM_DEPTH, 12, cut_kernels},
	{"processes", PROGRAM_DEPTH, 12, cut_processes},
	{"ranges", TIMELINE_DEPTH, 10, cut_shown_ranges},
	{"diagnostics", RECORDING_DEPTH, 4, cut_diagnostics},
};
enum { LISTS = sizeof(fit_lists) / sizeof(fit_lists[0]) };

static const json_t *fit_list_of(const struct fitting *fitting, const struct fit_list *list)
{
	const json_t *owner = list->depth == RECORDING_DEPTH ? fitting->recording
			      : list->depth == PROGRAM_DEPTH ? fitting->program
							     : fitting->timeline;

	return json_object_get(owner, list->key);
}

/* Gives each part that needs less than its share what it needs, and divides the rest by weight. */
static void divide_room(size_t room, const size_t *need, const size_t *weight, size_t n, size_t *given)
{
	bool *settled = xcalloc(n + 1, sizeof(*settled));
	size_t weights = 0;

	for (size_t i = 0; i < n; i++)
		weights += weight[i];
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < n; i++) {
			if (settled[i] || (need[i] > 0 && need[i] > room * weight[i] / weights))
				continue;
			given[i] = need[i];
			room -= need[i];
			weights -= weight[i];
			settled[i] = again = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		given[i] = settled[i] ? given[i] : room * weight[i] / weights;
	free(settled);
}

static void cut_lists(struct fitting *fitting, size_t room)
{
	size_t need[LISTS], weight[LISTS], given[LISTS], fixed = fit_size(fitting->recording, RECORDING_DEPTH - 1);

	for (size_t i = 0; i < LISTS; i++) {
		const json_t *list = fit_list_of(fitting, &fit_lists[i]);

		need[i] = list ? fit_size(list, fit_lists[i].depth) : 0;
		weight[i] = fit_lists[i].weight;
		fixed -= need[i];
	}
	divide_room(room > fixed ? room - fixed : 0, need, weight, LISTS, given);
	for (size_t i = 0; i < LISTS; i++) {
		if (need[i] > given[i] && need[i] > LIST_LEAST)
			fit_lists[i].cut(fitting, given[i] < LIST_LEAST ? LIST_LEAST : given[i]);
	}
}

static void fit_recording(json_t *recording, size_t room)
{
	struct fitting fitting = {.recording = recording, .program = json_object_get(recording, "program")};
	size_t texts;

	fitting.timeline = json_object_get(fitting.program, "timeline");
	fitting.note = json_pack("{s:s, s:s, s:i}", "id", "cut-to-size", "severity", "warning", "bytes", REPORT_BYTES);
	texts = fit_cut_texts(recording);
	fit_note(&fitting, "texts", texts);
	cut_lists(&fitting, room);
	append_json(json_object_get(recording, "diagnostics"), fitting.note);
}

/* What programs have no part in; the numbers of families do not grow with the events. */
static size_t taken_by_families(const json_t *recordings)
{
	size_t taken = 0;

	for (size_t i = 0; i < json_array_size(recordings); i++) {
		const json_t *recording = json_array_get(recordings, i);

		if (!json_is_object(json_object_get(recording, "program")))
			taken += fit_size(recording, RECORDING_DEPTH - 1);
	}
	return taken;
}

void fit_recordings(json_t *recordings)
{
	size_t n = json_array_size(recordings), room = REPORT_BYTES - SENTENCES;
	size_t taken = taken_by_families(recordings);
	size_t *need = xcalloc(n + 1, sizeof(*need)), *weight = xcalloc(n + 1, sizeof(*weight)),
	       *given = xcalloc(n + 1, sizeof(*given));

	for (size_t i = 0; i < n; i++) {
		const json_t *recording = json_array_get(recordings, i);

		weight[i] = json_is_object(json_object_get(recording, "program"));
		need[i] = weight[i] ? fit_size(recording, RECORDING_DEPTH - 1) : 0;
	}
	divide_room(room > taken ? room - taken : 0, need, weight, n, given);
	for (size_t i = 0; i < n; i++) {
		if (need[i] > given[i] && need[i] > RECORDING_LEAST)
			fit_recording(
				json_array_get(recordings, i), given[i] < RECORDING_LEAST ? RECORDING_LEAST : given[i]);
	}
	free(need);
	free(weight);
	free(given);
}
