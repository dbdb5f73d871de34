/* diagnostics.c: see diagnostics.h. */
#include "words/diagnostics.h"

#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"

enum { DIAGNOSTIC_SIZE = 1280 };

static long long diagnostic_number(const json_t *note, const char *key)
{
	return (long long)json_integer_value(json_object_get(note, key));
}

static const char *one_or_many(long long n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* ---- what the recording lacks ---- */

static void records_without_times(const json_t *note, char *text)
{
	long long n = diagnostic_number(note, "records");

	snprintf(text, DIAGNOSTIC_SIZE, "%lld record%s of device work %s no times and %s left out", n,
		one_or_many(n, "", "s"), one_or_many(n, "has", "have"), one_or_many(n, "is", "are"));
}

static void graphs_as_a_whole(const json_t *note, char *text)
{
	long long n = diagnostic_number(note, "launches");

	snprintf(text, DIAGNOSTIC_SIZE,
		"%lld launch%s of CUDA graphs %s recorded as a whole: the kernels and copies inside are missing from "
		"every number but busy and idle time; record again with `nsys profile --cuda-graph-trace=node`",
		n, one_or_many(n, "", "es"), one_or_many(n, "was", "were"));
}

static void no_calls(const json_t *note, char *text)
{
	(void)note;
	snprintf(text, DIAGNOSTIC_SIZE,
		"the calls of the CUDA API were not recorded: no device work can be assigned to NVTX ranges");
}

static void process_unknown(const json_t *note, char *text)
{
	long long n = diagnostic_number(note, "pieces");

	snprintf(text, DIAGNOSTIC_SIZE,
		"%lld piece%s of device work %s to no NVTX range: several processes were recorded, and the file does "
		"not say whose work it is",
		n, one_or_many(n, "", "s"), one_or_many(n, "belongs", "belong"));
}

static const char *text_or(const json_t *note, const char *key, const char *otherwise)
{
	return tree_has(note, key) ? tree_text(note, key) : otherwise;
}

static void counts_differ(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE,
		"%s/%s, case %s: the host counted %s%lld %s, the profiler recorded %lld: do not trust this trace",
		text_or(note, "family", "?"), text_or(note, "variant", "?"), text_or(note, "case", "?"),
		tree_true(note, "at_least") ? "at least " : "", diagnostic_number(note, "host"),
		text_or(note, "what", "events"), diagnostic_number(note, "recorded"));
}

/* ---- a part of a recording ---- */

/* "between 1.2 s and 2.5 s", "at 3 s or later", "before 2.5 s"; "" for any time. */
static void window_words(const json_t *note, char *text, size_t size)
{
	double from = tree_real(note, "from_ns") / 1e9, to = tree_real(note, "to_ns") / 1e9;

	if (tree_has(note, "from_ns") && tree_has(note, "to_ns"))
		snprintf(text, size, "between %.6g s and %.6g s", from, to);
	else if (tree_has(note, "from_ns"))
		snprintf(text, size, "at %.6g s or later", from);
	else if (tree_has(note, "to_ns"))
		snprintf(text, size, "before %.6g s", to);
	else
		*text = '\0';
}

static void part_of_recording(const json_t *note, char *text)
{
	char window[120], needs[FORMAT_SIZE], is_free[FORMAT_SIZE];

	window_words(note, window, sizeof(window));
	format_bytes(needs, sizeof(needs), tree_real(note, "needs_bytes"));
	format_bytes(is_free, sizeof(is_free), tree_real(note, "free_bytes"));
	if (tree_true(note, "chosen"))
		snprintf(text, DIAGNOSTIC_SIZE,
			"the whole recording, %.6g s to %.6g s, takes about %s of memory, and %s are free: this report "
			"is of "
			"the work that begins %s; choose another part with --window=FROM..TO",
			tree_real(note, "first_ns") / 1e9, tree_real(note, "last_ns") / 1e9, needs, is_free, window);
	else if (tree_has(note, "range"))
		snprintf(text, DIAGNOSTIC_SIZE,
			"this report is of the work in %lld of %lld NVTX ranges named “%.200s”%s%s: spans and idle "
			"times "
			"count the time between them too",
			diagnostic_number(note, "used"), diagnostic_number(note, "instances"), tree_text(note, "range"),
			*window ? ", " : "", window);
	else
		snprintf(text, DIAGNOSTIC_SIZE, "this report is of the work that begins %s", window);
}

/* ---- what the report leaves out, for there is too much of it ---- */

static void rows_left_out(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE, "%s has more than %lld rows: those beyond are left out",
		tree_text(note, "table"), diagnostic_number(note, "rows"));
}

static void gpus_left_out(const json_t *note, char *text)
{
	long long n = diagnostic_number(note, "pieces");

	snprintf(text, DIAGNOSTIC_SIZE,
		"device work on more than %lld GPUs was recorded: %lld piece%s on the others %s left out",
		diagnostic_number(note, "gpus"), n, one_or_many(n, "", "s"), one_or_many(n, "is", "are"));
}

static void gpus_impossible(const json_t *note, char *text)
{
	long long n = diagnostic_number(note, "pieces");

	snprintf(text, DIAGNOSTIC_SIZE,
		"%lld piece%s of device work name%s a GPU by a number that none can have: left out", n,
		one_or_many(n, "", "s"), one_or_many(n, "s", ""));
}

static void range_names_left_out(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE,
		"there are NVTX ranges of %lld names: those of the %lld names with the most time are told",
		diagnostic_number(note, "names"), diagnostic_number(note, "told"));
}

static void ranges_left_out(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE,
		"of the NVTX ranges of %lld names only the first %lld are told: they are on too many GPUs, or in too "
		"many others",
		diagnostic_number(note, "names"), diagnostic_number(note, "told"));
}

static void lanes_left_out(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE, "a timeline shows the %lld lanes with the most work and leaves out %lld",
		diagnostic_number(note, "shown"), diagnostic_number(note, "left_out"));
}

static void estimates_of_a_part(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE,
		"where double buffering would pay is estimated from %lld of %lld pieces of work, in windows over all "
		"of it",
		diagnostic_number(note, "looked_at"), diagnostic_number(note, "pieces"));
}

/* ---- what the estimate of double buffering has to assume ---- */

static void loops_without_calls(const json_t *note, char *text)
{
	(void)note;
	snprintf(text, DIAGNOSTIC_SIZE,
		"without calls of the CUDA API the host is taken to ask for work as early as possible; how late it was "
		"is unknown");
}

static void events_by_order(const json_t *note, char *text)
{
	long long waits = diagnostic_number(note, "waits");

	snprintf(text, DIAGNOSTIC_SIZE,
		"for which event %lld wait%s of streams %s is not recorded: the event that the thread recorded last is "
		"assumed",
		waits, one_or_many(waits, "", "s"), one_or_many(waits, "was", "were"));
}

static void waits_by_time(const json_t *note, char *text)
{
	long long waits = diagnostic_number(note, "waits");

	snprintf(text, DIAGNOSTIC_SIZE,
		"what the host waited for in %lld call%s is not recorded: the work that ended last in the call is "
		"assumed",
		waits, one_or_many(waits, "", "s"));
}

static void events_without_sync(const json_t *note, char *text)
{
	long long waits = diagnostic_number(note, "waits");

	snprintf(text, DIAGNOSTIC_SIZE,
		"eventSyncId is not recorded: %lld wait%s for events %s assumed to be for the latest record of the "
		"event",
		waits, one_or_many(waits, "", "s"), one_or_many(waits, "is", "are"));
}

static void engines_unknown(const json_t *note, char *text)
{
	long long gpus = diagnostic_number(note, "gpus");

	snprintf(text, DIAGNOSTIC_SIZE,
		"how many copy engines %lld GPU%s %s is not recorded (asyncEngines): one for each direction is assumed",
		gpus, one_or_many(gpus, "", "s"), one_or_many(gpus, "has", "have"));
}

static void streams_unknown(const json_t *note, char *text)
{
	(void)note;
	snprintf(text, DIAGNOSTIC_SIZE,
		"which streams are non-blocking is not recorded: all are assumed to wait for the default stream, "
		"number 7");
}

static void pinned_speed_unknown(const json_t *note, char *text)
{
	long long copies = diagnostic_number(note, "copies");

	snprintf(text, DIAGNOSTIC_SIZE,
		"how fast %lld cop%s would be from pinned memory is not recorded: the time from pageable memory is "
		"assumed, so more may be saved",
		copies, one_or_many(copies, "y", "ies"));
}

static void replay_unlike(const json_t *note, char *text)
{
	long long loops = diagnostic_number(note, "loops");

	snprintf(text, DIAGNOSTIC_SIZE,
		"a replay of %lld loop%s as recorded is more than 2 %% off: the estimate%s for %s may be off as much",
		loops, one_or_many(loops, "", "s"), one_or_many(loops, "", "s"), one_or_many(loops, "it", "them"));
}

static void kernel_names_left_out(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE, "there are kernels of %lld names: the %lld with the most time are told",
		diagnostic_number(note, "names"), diagnostic_number(note, "told"));
}

/* Appends "3 names", if there are any. */
static void cut_part(const json_t *note, const char *key, const char *one, const char *many, char *text)
{
	size_t used = strlen(text);
	long long n = diagnostic_number(note, key);

	if (n > 0)
		snprintf(text + used, DIAGNOSTIC_SIZE - used, "%s%lld %s", used ? ", " : "", n,
			one_or_many(n, one, many));
}

static void cut_to_size(const json_t *note, char *text)
{
	char parts[DIAGNOSTIC_SIZE] = "";

	cut_part(note, "ranges", "NVTX range name", "NVTX range names", parts);
	cut_part(note, "kernels", "kernel name", "kernel names", parts);
	cut_part(note, "processes", "process", "processes", parts);
	cut_part(note, "lanes", "lane of the timeline", "lanes of the timeline", parts);
	cut_part(note, "diagnostics", "diagnostic", "diagnostics", parts);
	snprintf(text, DIAGNOSTIC_SIZE,
		"the report has room for %lld bytes, so its lists are shorter%s%s%s: sums stand for the rest, and "
		"`dbprof export --format=csv` writes every event",
		diagnostic_number(note, "bytes"), *parts ? " by " : "", parts,
		diagnostic_number(note, "texts") > 0 ? ", and long names are cut" : "");
}

static void processes_left_out(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE,
		"there are more processes, or GPUs of processes, than are told: the first %lld processes are",
		diagnostic_number(note, "told"));
}

/* ---- what cannot be read ---- */

static void formula_unreadable(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE, "the formula of %.80s cannot be read: %s", tree_text(note, "metric"),
		tree_text(note, "error"));
}

static void code_unreadable(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE, "%s", tree_text(note, "error"));
}

static void code_too_long(const json_t *note, char *text)
{
	snprintf(text, DIAGNOSTIC_SIZE, "%.200s: the code of the contrast pair is too long to be put side by side",
		tree_text(note, "file"));
}

/* ---- all of them ---- */

static const struct {
	const char *id;
	void (*words)(const json_t *note, char *text); /* into DIAGNOSTIC_SIZE bytes */
} diagnostics_words[] = {
	{"records-without-times", records_without_times},
	{"graphs-as-a-whole", graphs_as_a_whole},
	{"no-calls", no_calls},
	{"process-unknown", process_unknown},
	{"counts-differ", counts_differ},
	{"part-of-recording", part_of_recording},
	{"rows-left-out", rows_left_out},
	{"gpus-left-out", gpus_left_out},
	{"gpus-impossible", gpus_impossible},
	{"range-names-left-out", range_names_left_out},
	{"ranges-left-out", ranges_left_out},
	{"lanes-left-out", lanes_left_out},
	{"estimates-of-a-part", estimates_of_a_part},
	{"loops-without-calls", loops_without_calls},
	{"events-by-order", events_by_order},
	{"waits-by-time", waits_by_time},
	{"events-without-sync", events_without_sync},
	{"engines-unknown", engines_unknown},
	{"streams-unknown", streams_unknown},
	{"pinned-speed-unknown", pinned_speed_unknown},
	{"replay-unlike", replay_unlike},
	{"kernel-names-left-out", kernel_names_left_out},
	{"processes-left-out", processes_left_out},
	{"cut-to-size", cut_to_size},
	{"formula-unreadable", formula_unreadable},
	{"code-unreadable", code_unreadable},
	{"code-too-long", code_too_long},
};

void words_diagnostics(json_t *recording)
{
	json_t *note;
	size_t i;

	json_array_foreach(json_object_get(recording, "diagnostics"), i, note)
	{
		const char *id = tree_text(note, "id");
		char text[DIAGNOSTIC_SIZE];

		for (size_t k = 0; k < sizeof(diagnostics_words) / sizeof(diagnostics_words[0]); k++) {
			if (strcmp(id, diagnostics_words[k].id) != 0)
				continue;
			diagnostics_words[k].words(note, text);
			put_json(note, "text", text_json(text));
		}
	}
}
