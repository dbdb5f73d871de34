/* diagnostics.c: see diagnostics.h. */
#include "words/diagnostics.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"
#include "util/strbuf.h"

static long long diagnostic_number(const json_t *note, const char *key)
{
	return (long long)json_integer_value(json_object_get(note, key));
}

/* ---- diagnostics of numbers alone ---- */

/* In `text`, {key} is a number of the note, and {one|many} depends on whether the number `counts` is 1. */
static const struct counted {
	const char *id, *counts, *text;
} counted_diagnostics[] = {
	/* what the recording lacks */
	{"records-without-times", "records", "{records} record{|s} {has|have} no times and {is|are} left out"},
	{"samples-without-times", "samples",
		"{samples} of {of} samples of families {is|are} no time{|s} above 0 and {is|are} left out"},
	{"graphs-as-a-whole", "launches",
		"{launches} launch{|es} of CUDA graphs {was|were} recorded as a whole: the kernels and copies inside "
		"are missing from every number but busy and idle time; record again with `nsys profile "
		"--cuda-graph-trace=node`"},
	{"no-calls", NULL,
		"the calls of the CUDA API were not recorded: no device work can be assigned to NVTX ranges"},
	{"process-unknown", "pieces",
		"{pieces} piece{|s} of device work {belongs|belong} to no NVTX range: several processes were recorded, "
		"and the file does not say whose work it is"},
	/* what the report leaves out, for there is too much of it */
	{"gpus-left-out", "pieces",
		"device work on more than {gpus} GPUs was recorded: {pieces} piece{|s} on the others {is|are} left "
		"out"},
	{"gpus-impossible", "pieces",
		"{pieces} piece{|s} of device work {names|name} a GPU by a number that none can have: left out"},
	{"range-names-left-out", NULL,
		"there are NVTX ranges of {names} names: those of the {told} names with the most time are told"},
	{"ranges-left-out", NULL,
		"of the NVTX ranges of {names} names only the first {told} are told: they are on too many GPUs, or in "
		"too many others"},
	{"lanes-left-out", NULL, "a timeline shows the {shown} lanes with the most work and leaves out {left_out}"},
	{"estimates-of-a-part", NULL,
		"where double buffering would pay is estimated from {looked_at} of {pieces} pieces of work, in windows "
		"over all of it"},
	{"kernel-names-left-out", NULL, "there are kernels of {names} names: the {told} with the most time are told"},
	{"processes-left-out", NULL,
		"there are more processes, or GPUs of processes, than are told: the first {told} processes are"},
	/* what the estimate of double buffering has to assume */
	{"loops-without-calls", NULL,
		"without calls of the CUDA API the host is taken to ask for work as early as possible; how late it was "
		"is unknown"},
	{"events-by-order", "waits",
		"which event {waits} wait{|s} of streams {was|were} for is not recorded: the event that the thread "
		"recorded last is assumed"},
	{"waits-by-time", "waits",
		"what the host waited for in {waits} call{|s} is not recorded: the work that ended last in the call is "
		"assumed"},
	{"events-without-sync", "waits",
		"eventSyncId is not recorded: {waits} wait{|s} for events {is|are} assumed to be for the latest record "
		"of the event"},
	{"engines-unknown", "gpus",
		"how many copy engines {gpus} GPU{|s} {has|have} is not recorded (asyncEngines): one for each "
		"direction is assumed"},
	{"streams-unknown", NULL,
		"which streams are non-blocking is not recorded: all are assumed to wait for the default stream, "
		"number 7"},
	{"pinned-speed-unknown", "copies",
		"how fast {copies} cop{y|ies} would be from pinned memory is not recorded: the time from pageable "
		"memory is assumed, so more may be saved"},
	{"replay-unlike", "loops",
		"a replay of {loops} loop{|s} as recorded is more than 2 % off: the estimate{|s} for {it|them} may be "
		"off as much"},
};

/* Appends what stands for {part} of a text, `length` bytes. */
static void put_part_of_counted(
	const json_t *note, const struct counted *counted, const char *part, size_t length, struct strbuf *text)
{
	const char *bar = memchr(part, '|', length);
	char key[32] = "";

	if (!bar) {
		memcpy(key, part, length < sizeof(key) ? length : sizeof(key) - 1);
		strbuf_printf(text, "%lld", diagnostic_number(note, key));
	} else if (diagnostic_number(note, counted->counts) == 1) {
		strbuf_add(text, part, (size_t)(bar - part));
	} else {
		strbuf_add(text, bar + 1, length - (size_t)(bar + 1 - part));
	}
}

static void words_of_counted(const json_t *note, const struct counted *counted, struct strbuf *text)
{
	const char *at = counted->text;

	while (*at) {
		size_t plain = strcspn(at, "{"), part;

		strbuf_add(text, at, plain);
		at += plain;
		if (!*at)
			break;
		part = strcspn(++at, "}");
		put_part_of_counted(note, counted, at, part, text);
		at += part + 1;
	}
}

/* ---- the others ---- */

static const char *text_or(const json_t *note, const char *key, const char *otherwise)
{
	return tree_has(note, key) ? tree_text(note, key) : otherwise;
}

static void counts_differ(const json_t *note, struct strbuf *text)
{
	strbuf_printf(text,
		"%s/%s, case %s: the host counted %s%lld %s, the profiler recorded %lld: do not trust this trace",
		text_or(note, "family", "?"), text_or(note, "variant", "?"), text_or(note, "case", "?"),
		tree_true(note, "at_least") ? "at least " : "", diagnostic_number(note, "host"),
		text_or(note, "what", "events"), diagnostic_number(note, "recorded"));
}

/* "between 1.2 s and 2.5 s", "at 3 s or later", "before 2.5 s"; nothing for any time. */
static void put_window(const json_t *note, struct strbuf *text)
{
	double from = tree_real(note, "from_ns") / 1e9, to = tree_real(note, "to_ns") / 1e9;

	if (tree_has(note, "from_ns") && tree_has(note, "to_ns"))
		strbuf_printf(text, "between %.6g s and %.6g s", from, to);
	else if (tree_has(note, "from_ns"))
		strbuf_printf(text, "at %.6g s or later", from);
	else if (tree_has(note, "to_ns"))
		strbuf_printf(text, "before %.6g s", to);
}

/* dbprof chose the part, because the whole does not fit into memory. */
static void chosen_part(const json_t *note, struct strbuf *text)
{
	char needs[FORMAT_SIZE], is_free[FORMAT_SIZE];

	strbuf_printf(text,
		"the whole recording, %.6g s to %.6g s, takes about %s of memory, and %s are free: this report is of "
		"the work that begins ",
		tree_real(note, "first_ns") / 1e9, tree_real(note, "last_ns") / 1e9,
		format_bytes(needs, sizeof(needs), tree_real(note, "needs_bytes")),
		format_bytes(is_free, sizeof(is_free), tree_real(note, "free_bytes")));
	put_window(note, text);
	strbuf_puts(text, "; choose another part with --window=FROM..TO");
}

/* The user named ranges. */
static void part_of_ranges(const json_t *note, struct strbuf *text)
{
	strbuf_printf(text, "this report is of the work in %lld of %lld NVTX ranges named “%.200s”",
		diagnostic_number(note, "used"), diagnostic_number(note, "instances"), tree_text(note, "range"));
	if (tree_has(note, "from_ns") || tree_has(note, "to_ns"))
		strbuf_puts(text, ", ");
	put_window(note, text);
	strbuf_puts(text, ": spans and idle times count the time between them too");
}

static void part_of_recording(const json_t *note, struct strbuf *text)
{
	if (tree_true(note, "chosen")) {
		chosen_part(note, text);
	} else if (tree_has(note, "range")) {
		part_of_ranges(note, text);
	} else {
		strbuf_puts(text, "this report is of the work that begins ");
		put_window(note, text);
	}
}

/* "2600 kernels and 3 copies" */
static void put_pieces(const json_t *note, struct strbuf *text)
{
	static const struct {
		const char *key, *one, *many;
	} sorts[] = {{"kernels", "kernel", "kernels"}, {"copies", "copy", "copies"},
		{"rest", "other piece", "other pieces"}};
	int left = 0;

	for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
		left += diagnostic_number(note, sorts[i].key) > 0;
	for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++) {
		long long n = diagnostic_number(note, sorts[i].key);

		if (n == 0)
			continue;
		strbuf_printf(text, "%lld %s", n, n == 1 ? sorts[i].one : sorts[i].many);
		strbuf_puts(text, --left > 1 ? ", " : left == 1 ? " and " : "");
	}
}

/* Work that --range leaves out, though it ran while the ranges were open. The window has its ends rounded outward. */
static void other_threads(const json_t *note, struct strbuf *text)
{
	long long threads = diagnostic_number(note, "threads");
	char share[FORMAT_SIZE];

	strbuf_printf(text, "%lld other thread%s launched ", threads, threads == 1 ? "" : "s");
	put_pieces(note, text);
	strbuf_printf(text, " (%s of GPU time) while ranges named “%.200s” were open: left out. ",
		format_percent(share, sizeof(share), tree_real(note, "share")), tree_text(note, "range"));
	if (!tree_true(note, "estimated"))
		strbuf_puts(text, "No gain is estimated from the rest. ");
	strbuf_printf(text, "Leave --range out, or use --window=%.6fs..%.6fs, which has all of that work",
		floor(tree_real(note, "from_ns") / 1e3) / 1e6, ceil(tree_real(note, "to_ns") / 1e3) / 1e6);
}

static void rows_left_out(const json_t *note, struct strbuf *text)
{
	strbuf_printf(text, "%.200s has more than %lld rows: those beyond are left out", tree_text(note, "table"),
		diagnostic_number(note, "rows"));
}

/* Appends " by 3 names", behind others ", 3 names", if there are any. */
static void put_cut(
	const json_t *note, const char *key, const char *one, const char *many, bool *others, struct strbuf *text)
{
	long long n = diagnostic_number(note, key);

	if (n <= 0)
		return;
	strbuf_printf(text, "%s%lld %s", *others ? ", " : " by ", n, n == 1 ? one : many);
	*others = true;
}

static void cut_to_size(const json_t *note, struct strbuf *text)
{
	bool others = false;

	strbuf_printf(
		text, "the report has room for %lld bytes, so its lists are shorter", diagnostic_number(note, "bytes"));
	put_cut(note, "ranges", "NVTX range name", "NVTX range names", &others, text);
	put_cut(note, "kernels", "kernel name", "kernel names", &others, text);
	put_cut(note, "processes", "process", "processes", &others, text);
	put_cut(note, "lanes", "lane of the timeline", "lanes of the timeline", &others, text);
	put_cut(note, "diagnostics", "diagnostic", "diagnostics", &others, text);
	if (diagnostic_number(note, "texts") > 0)
		strbuf_puts(text, ", and long names are cut");
	strbuf_puts(text, ": sums stand for the rest, and `dbprof export --format=csv` writes every event");
}

static void formula_unreadable(const json_t *note, struct strbuf *text)
{
	strbuf_printf(text, "the formula of %.80s cannot be read: %.1000s", tree_text(note, "metric"),
		tree_text(note, "error"));
}

static void code_unreadable(const json_t *note, struct strbuf *text)
{
	strbuf_printf(text, "%.1000s", tree_text(note, "error"));
}

static void code_too_long(const json_t *note, struct strbuf *text)
{
	strbuf_printf(text, "%.200s: the code of the contrast pair is too long to be put side by side",
		tree_text(note, "file"));
}

/* ---- all of them ---- */

static const struct {
	const char *id;
	void (*words)(const json_t *note, struct strbuf *text);
} other_diagnostics[] = {
	{"counts-differ", counts_differ},
	{"part-of-recording", part_of_recording},
	{"other-threads", other_threads},
	{"rows-left-out", rows_left_out},
	{"cut-to-size", cut_to_size},
	{"formula-unreadable", formula_unreadable},
	{"code-unreadable", code_unreadable},
	{"code-too-long", code_too_long},
};

/* Appends the words for a note; nothing for one with an id that is not known. */
static void note_words(const json_t *note, struct strbuf *text)
{
	const char *id = tree_text(note, "id");

	for (size_t k = 0; k < sizeof(counted_diagnostics) / sizeof(counted_diagnostics[0]); k++) {
		if (strcmp(id, counted_diagnostics[k].id) == 0)
			words_of_counted(note, &counted_diagnostics[k], text);
	}
	for (size_t k = 0; k < sizeof(other_diagnostics) / sizeof(other_diagnostics[0]); k++) {
		if (strcmp(id, other_diagnostics[k].id) == 0)
			other_diagnostics[k].words(note, text);
	}
}

void words_diagnostics(json_t *recording)
{
	struct strbuf text = {0};
	json_t *note;
	size_t i;

	json_array_foreach(json_object_get(recording, "diagnostics"), i, note)
	{
		strbuf_clear(&text);
		note_words(note, &text);
		if (text.length > 0)
			put_json(note, "text", text_json(text.text));
	}
	strbuf_free(&text);
}
