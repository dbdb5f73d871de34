/* contrast.c: see contrast.h. */
#include "words/contrast/contrast.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/causes.h"
#include "words/contrast/checks.h"
#include "words/contrast/code.h"
#include "words/contrast/curve.h"
#include "words/contrast/extent.h"
#include "words/contrast/median.h"
#include "words/contrast/now.h"
#include "words/contrast/place.h"
#include "words/contrast/side-gpus.h"
#include "words/contrast/side-words.h"
#include "words/contrast/variation.h"

enum { VERDICT_SIZE = 1024, REASON_SIZE = 320, SIDE_LINE_SIZE = 640 };

bool is_contrast_of_programs(const json_t *family)
{
	return strcmp(tree_text(family, "origin"), "programs") == 0;
}

/* "1.250×, 95 % interval 1.249× to 1.251×" */
static void ratio_words(const json_t *verdict, char *text, size_t size)
{
	const json_t *ratio = json_object_get(verdict, "ratio");
	double low = tree_real(ratio, "low"), high = tree_real(ratio, "high");
	char value[FORMAT_SIZE], range[FORMAT_SIZE];

	clip_print(text, size, "%s, 95 %% interval %s",
		format_ratio_within(value, sizeof(value), tree_real(ratio, "value"), low, high),
		format_ratios(range, sizeof(range), low, high));
}

/* ---- kernels ---- */

/* A graph that was traced as a whole holds copies and gaps, too. */
const char *contrast_kernel_time(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");

	for (size_t i = 0; i < json_array_size(sides); i++)
		if (tree_real(json_array_get(sides, i), "graphs_share") > 0)
			return "GPU time in kernels and whole CUDA graphs";
	return "kernel time";
}

static void kernel_sentence(
	const json_t *verdict, const char *time, const char *single, const char *other, char *text, size_t size)
{
	double value = tree_real(json_object_get(verdict, "ratio"), "value");
	char ratio[3 * FORMAT_SIZE / 2];

	ratio_words(verdict, ratio, sizeof(ratio));
	if (verdict_is(verdict, "faster"))
		clip_print(text, size, "`%s` needs %.1f %% less %s than `%s` (%s).", other, 100 * (1 - 1 / value), time,
			single, ratio);
	else if (verdict_is(verdict, "slower"))
		clip_print(text, size, "`%s` needs %.1f %% more %s than `%s` (%s).", other, 100 * (1 / value - 1), time,
			single, ratio);
	else if (verdict_is(verdict, "same"))
		clip_print(text, size, "`%s` and `%s` need the same %s (%s).", other, single, time, ratio);
	else
		clip_print(text, size, "Whether `%s` needs less %s than `%s` is unclear: %s.", other, time, single,
			verdict_doubt(verdict));
}

/* ---- the program ---- */

/* "18.2 % less time (1.222×)": both numbers point the way of the ratio that the page shows beside them. */
static void step_time_words(const json_t *verdict, char *text, size_t size)
{
	double value = tree_real(json_object_get(verdict, "ratio"), "value");
	char ratio[FORMAT_SIZE];

	format_ratio(ratio, sizeof(ratio), value);
	if (verdict_is(verdict, "same"))
		clip_print(text, size, "the same time (%s)", ratio);
	else if (value > 1)
		clip_print(text, size, "%.1f %% less time (%s)", 100 * (1 - 1 / value), ratio);
	else
		clip_print(text, size, "%.1f %% more time (%s)", 100 * (1 / value - 1), ratio);
}

/* What a step is, where it is not the length of its range; else "". */
static const char *step_extent(const json_t *verdict)
{
	if (strcmp(tree_text(verdict, "step_time"), "period") != 0)
		return "";
	return tree_true(verdict, "step_pauses") ? "from its begin to the next one's, with pauses"
						 : "from its begin to the next one's";
}

/* `chosen`: kernels have a verdict on a part of them; the step has all. `kernel`: the verdict on kernels, whose
 * sentence is before this one. */
static void step_sentence(const json_t *verdict, const json_t *kernel, bool chosen, char *text, size_t size)
{
	double value = tree_real(json_object_get(verdict, "ratio"), "value");
	const char *extent = step_extent(verdict);
	char step[128] = "The program's step", of[128] = "";
	char words[2 * FORMAT_SIZE];

	step_time_words(verdict, words, sizeof(words));
	if (*extent)
		clip_print(of, sizeof(of), ", %s,", extent);
	if (chosen)
		clip_append(step, sizeof(step), ", with all its kernels%s%s,", *extent ? " and " : "", extent);
	else
		clip_append(step, sizeof(step), "%s", of);
	if (tree_true(verdict, "submission") && strcmp(tree_text(verdict, "submission_by"), "turns") == 0)
		clip_print(text, size,
			"The program's step may end before its work, and its neighbours launch other kernels: it has "
			"no time that can be compared.");
	else if (tree_true(verdict, "submission") && isfinite(value) && value > 0)
		clip_print(text, size,
			"The program's step does not wait for its work: that asking for it takes %s says nothing about "
			"the work.",
			words);
	else if (verdict_is(verdict, "faster") || verdict_is(verdict, "slower"))
		clip_print(text, size, "%s takes %s.", step, words);
	else if (verdict_is(verdict, "same"))
		clip_print(text, size, "%s takes the same time.", step);
	else if (verdict_is(kernel, "unclear") && strcmp(verdict_doubt(kernel), verdict_doubt(verdict)) == 0)
		clip_print(text, size, "For the program's step%s it is unclear for the same reason.", of);
	else
		clip_print(text, size, "For the program's step%s it is unclear: %s.", of, verdict_doubt(verdict));
}

/* As kernel_sentence(), where kernels have no verdict, or one that does not decide. */
static void step_alone_sentence(const json_t *verdict, const char *single, const char *other, char *text, size_t size)
{
	double value = tree_real(json_object_get(verdict, "ratio"), "value");
	const char *extent = step_extent(verdict);
	char ratio[3 * FORMAT_SIZE / 2];

	ratio_words(verdict, ratio, sizeof(ratio));
	if (verdict_is(verdict, "faster"))
		clip_print(text, size, "A step of `%s` takes %.1f %% less time than one of `%s` (%s).", other,
			100 * (1 - 1 / value), single, ratio);
	else if (verdict_is(verdict, "slower"))
		clip_print(text, size, "A step of `%s` takes %.1f %% more time than one of `%s` (%s).", other,
			100 * (1 / value - 1), single, ratio);
	else if (verdict_is(verdict, "same"))
		clip_print(text, size, "A step of `%s` and one of `%s` take the same time (%s).", other, single, ratio);
	else
		clip_print(text, size, "Whether a step of `%s` takes less time than one of `%s` is unclear: %s.", other,
			single, verdict_doubt(verdict));
	if (*extent && !verdict_is(verdict, "unclear"))
		clip_append(text, size, " The time of a step is that %s.", extent);
}

/* Of a whole process only the direction counts: most of its time may be its start. */
static void wall_sentence(const json_t *verdict, const json_t *kernel, char *text, size_t size)
{
	bool clear = verdict_is(verdict, "faster") || verdict_is(verdict, "slower");
	const json_t *ratio = json_object_get(verdict, "ratio");
	char range[FORMAT_SIZE];

	if (clear && verdict_is(kernel, tree_text(verdict, "verdict")))
		clip_print(text, size, "The whole process points the same way.");
	else if (clear)
		clip_print(text, size, "The whole process is %s.", tree_text(verdict, "verdict"));
	else if (*verdict_failure(verdict))
		clip_print(text, size, "The whole process does not tell: %s.", verdict_failure(verdict));
	else if (verdict_is(verdict, "same"))
		clip_print(text, size, "The whole process shows no difference.");
	else
		clip_print(text, size, "The whole process's time is too uneven to tell (%s).",
			format_ratios(range, sizeof(range), tree_real(ratio, "low"), tree_real(ratio, "high")));
	clip_append(text, size, " It checks the direction only: use --range to time a step.");
}

/* ---- both ---- */

/* What kernels and program say where each is clear and says the opposite; NULL: they do not contradict each other. */
static const json_t *contradiction(const json_t *kernel)
{
	const json_t *check = tree_find(json_object_get(kernel, "evidence"), "name", "agreement");

	return json_is_false(json_object_get(check, "ok")) ? json_object_get(check, "facts") : NULL;
}

static double percent_of_ratio(double ratio)
{
	return 100 * fabs(1 / ratio - 1);
}

/* Both numbers, and what usually is behind them. A whole run may hold more than the work of its kernels. */
static void contradiction_sentences(
	const json_t *facts, const char *single, const char *other, char *kernel, char *program, size_t size)
{
	double kernels = tree_real(facts, "kernels"), step = tree_real(facts, "program");
	const char *basis = tree_text(facts, "basis"), *what = contradicting_part(basis);

	clip_print(kernel, size,
		"Whether `%s` is better than `%s` is unclear: kernels need %.1f %% %s time, the %s %.1f %% %s.", other,
		single, percent_of_ratio(kernels), kernels < 1 ? "more" : "less", what, percent_of_ratio(step),
		step < 1 ? "more" : "less");
	if (strcmp(basis, "run") == 0)
		clip_print(program, size,
			"From its first kernel to its last a run may hold other work, too: use --range to time a "
			"step.");
	else
		clip_print(program, size, "A %s that gets %s usually overlaps %s", what,
			kernels < 1 ? "shorter with slower kernels" : "longer with faster kernels",
			kernels < 1 ? "work: kernels run beside copies or the host, and slow down."
				    : "less: copies or the host's work take time of their own.");
}

/* Where each side is one run: what that is assumed to differ by may alone be more than what counts as the same. */
static void put_one_run_doubt(json_t *verdict)
{
	const json_t *check = tree_find(json_object_get(verdict, "evidence"), "name", "runs");
	const json_t *facts = json_object_get(check, "facts");
	double allowance = tree_real(facts, "allowance"), band = tree_real(facts, "band");
	char text[REASON_SIZE];

	if (!json_is_object(verdict))
		return;
	clip_print(text, sizeof(text), "one run of each is good to ±%g %%", 100 * allowance);
	if (expm1(allowance) > band)
		clip_append(text, sizeof(text), ", and ±%g %% counts as the same", 100 * band);
	clip_append(text, sizeof(text), ": use dbprof contrast");
	if (tree_has(facts, "threshold"))
		clip_append(text, sizeof(text), ", or --threshold=%.0f", 100 * tree_real(facts, "threshold"));
	put_json(verdict, "doubt", tree_true(facts, "too_wide") ? text_json(text) : json_null());
}

/* A step that is shorter may leave its work to the time between two, or be waited for there. */
static void add_moved(const json_t *program, char *text, size_t size)
{
	const json_t *check = tree_find(json_object_get(program, "evidence"), "name", "between");
	const json_t *facts = json_object_get(check, "facts");
	double between = tree_real(facts, "between_ns");
	char ns[FORMAT_SIZE];

	if (!tree_true(facts, "moved") || !tree_true(check, "ok"))
		return;
	if (tree_true(facts, "period"))
		clip_append(text, size, " Pauses and other steps take %s %s for each step, by mean of the whole loop.",
			format_time_ns(ns, sizeof(ns), fabs(between)), between < 0 ? "less" : "more");
	else
		clip_append(text, size,
			" The time between two steps is %s %s%s: work may have moved, or steps are waited for.",
			format_time_ns(ns, sizeof(ns), fabs(between)), between < 0 ? "shorter" : "longer",
			tree_true(facts, "pauses") ? " by mean, pauses included" : "");
}

/* The verdicts of one pair, and what they say. */
struct told_verdicts {
	const json_t *family, *single, *other;
	json_t *kernel, *program;
	char of_kernel[VERDICT_SIZE], of_program[VERDICT_SIZE];
};

static void contradiction_words(struct told_verdicts *told, char *text, size_t size)
{
	contradiction_sentences(contradiction(told->kernel), side_called(told->single), side_called(told->other),
		told->of_kernel, told->of_program, VERDICT_SIZE);
	clip_print(text, size, "%s %s", told->of_kernel, told->of_program);
}

static bool is_pair_alone(const json_t *family)
{
	return json_array_size(json_object_get(family, "sides")) <= 2;
}

/* What the kernels say behind a sentence on the step that names both sides. */
static void kernels_second(const struct told_verdicts *told, char *text, size_t size)
{
	char ratio[3 * FORMAT_SIZE / 2];

	ratio_words(told->kernel, ratio, sizeof(ratio));
	if (is_pair_alone(told->family) && !tree_true(told->program, "submission"))
		clip_append(
			text, size, " Both sides need the same %s (%s).", contrast_kernel_time(told->family), ratio);
	else
		clip_append(text, size, " %s", told->of_kernel);
}

static void program_words(struct told_verdicts *told, bool leads)
{
	const char *single = side_called(told->single), *other = side_called(told->other);
	const json_t *program = told->program;

	if (strcmp(tree_text(program, "basis"), "wall") == 0)
		wall_sentence(program, told->kernel, told->of_program, VERDICT_SIZE);
	else if (!json_is_object(told->kernel) || (leads && !tree_true(program, "submission")))
		step_alone_sentence(program, single, other, told->of_program, VERDICT_SIZE);
	else
		step_sentence(program, told->kernel, tree_true(told->family, "kernels_chosen"), told->of_program,
			VERDICT_SIZE);
	add_moved(program, told->of_program, VERDICT_SIZE);
}

/* What decides comes first. */
static void agreeing_words(struct told_verdicts *told, bool leads, char *text, size_t size)
{
	const char *single = side_called(told->single), *other = side_called(told->other);

	if (json_is_object(told->kernel))
		kernel_sentence(
			told->kernel, contrast_kernel_time(told->family), single, other, told->of_kernel, VERDICT_SIZE);
	if (json_is_object(told->program))
		program_words(told, leads);
	if (leads) {
		clip_print(text, size, "%s", told->of_program);
		kernels_second(told, text, size);
	} else {
		clip_print(text, size, "%s%s%s", told->of_kernel, *told->of_kernel && *told->of_program ? " " : "",
			told->of_program);
	}
}

/* Puts "text" into both, and writes them one after the other. */
static void verdicts_words(const json_t *family, json_t *verdicts, const json_t *other, char *text, size_t size)
{
	struct told_verdicts told = {.family = family,
		.single = side_named(family, tree_text(family, "single")),
		.other = other,
		.kernel = json_object_get(verdicts, "kernel"),
		.program = json_object_get(verdicts, "program")};

	contrast_checks_words(json_object_get(told.kernel, "evidence"));
	contrast_checks_words(json_object_get(told.program, "evidence"));
	put_one_run_doubt(told.kernel);
	put_one_run_doubt(told.program);
	if (contradiction(told.kernel))
		contradiction_words(&told, text, size);
	else
		agreeing_words(&told, tree_step_leads(family, verdicts), text, size);
	if (json_is_object(told.kernel))
		put_json(told.kernel, "text", text_json(told.of_kernel));
	if (json_is_object(told.program))
		put_json(told.program, "text", text_json(told.of_program));
}

/* ---- sides ---- */

static const char *signal_word(double number)
{
	static const struct {
		int number;
		const char *word;
	} words[] = {{4, " (SIGILL)"}, {6, " (SIGABRT)"}, {7, " (SIGBUS)"}, {8, " (SIGFPE)"}, {9, " (SIGKILL)"},
		{11, " (SIGSEGV)"}, {15, " (SIGTERM)"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].number == number)
			return words[i].word;
	return "";
}

/* How a side ended; "" for one that did not fail. */
static void ending_words(const json_t *side, char *text, size_t size)
{
	double number = tree_real(side, "signal");

	*text = '\0';
	if (!tree_true(side, "failed"))
		return;
	if (*side_ended_words(side))
		clip_print(text, size, "`%s` was %s", side_called(side), side_ended_words(side));
	else if (isfinite(number))
		clip_print(
			text, size, "`%s` was ended by signal %.0f%s", side_called(side), number, signal_word(number));
	else
		clip_print(text, size, "`%s` ended with status %.0f", side_called(side), tree_real(side, "exit"));
}

/* The sides that failed; "" if none did. */
static void failed_sides_words(const json_t *family, char *text, size_t size)
{
	const json_t *sides = json_object_get(family, "sides");
	char ending[REASON_SIZE];

	*text = '\0';
	for (size_t i = 0; i < json_array_size(sides); i++) {
		ending_words(json_array_get(sides, i), ending, sizeof(ending));
		if (*ending)
			clip_append(text, size, "%s%s", *text ? ", and " : "", ending);
	}
}

static void side_gain_words(const json_t *verdict, char *text, size_t size)
{
	double value = tree_real(json_object_get(verdict, "ratio"), "value");

	if (isfinite(value))
		format_gain(text, size, value);
	else
		clip_print(text, size, "n/a");
}

/* Why, where the causes are those of this side: "gemm: 229 µs less memory wait". */
static void add_first_cause(const json_t *family, const json_t *side, char *line, size_t size)
{
	const json_t *contrast = contrast_with_cause(family);

	if (contrast && strcmp(tree_text(side, "name"), tree_text(family, "double")) == 0)
		clip_append(line, size, "  %s", tree_text(contrast, "because"));
}

/* A value of --vary may stand in the environment alone, so its name comes first: "stages=3  ./mm --stages 3". */
static void add_side(const json_t *side, char *line, size_t size)
{
	const char *name = tree_text(side, "name"), *command = tree_text(side, "command");

	if (*command == '\0' || strchr(name, '='))
		clip_append(line, size, "  %.200s", name);
	if (*command)
		clip_append(line, size, "  %.200s", command);
}

/* "kernels 1.25×, program 1.22×  ./mm --stages 3" and why; a side that failed says how. */
static void side_line(const json_t *family, json_t *side)
{
	const json_t *verdicts = json_object_get(side, "verdicts");
	const json_t *kernel = json_object_get(verdicts, "kernel"), *program = json_object_get(verdicts, "program");
	char gain[FORMAT_SIZE], line[SIDE_LINE_SIZE];

	ending_words(side, line, sizeof(line));
	if (!*line) {
		side_gain_words(kernel, gain, sizeof(gain));
		clip_print(line, sizeof(line), "kernels %s%s", gain, verdict_is(kernel, "unclear") ? " (unclear)" : "");
		side_gain_words(program, gain, sizeof(gain));
		clip_append(
			line, sizeof(line), ", program %s%s", gain, verdict_is(program, "unclear") ? " (unclear)" : "");
		add_side(side, line, sizeof(line));
		add_first_cause(family, side, line, sizeof(line));
	}
	put_json(side, "line",
		text_json(tree_has(kernel, "verdict") || tree_has(program, "verdict") || tree_true(side, "failed")
				  ? line
				  : NULL));
}

/* Where kernels run at once: their verdict is on more time than the GPU is busy. */
static void at_once_words(json_t *side)
{
	char text[SIDE_LINE_SIZE], sum[FORMAT_SIZE], busy[FORMAT_SIZE];

	clip_print(text, sizeof(text),
		"Kernels of `%s` run at once. Their times add up to %s, but the GPU is busy with them for "
		"%s.",
		side_called(side), format_time_ns(sum, sizeof(sum), tree_real(side, "kernels_ns")),
		format_time_ns(busy, sizeof(busy), tree_real(side, "kernels_busy_ns")));
	put_json(side, "at_once_text", text_json(tree_true(side, "kernels_at_once") ? text : NULL));
}

/* Of the side in which they do so most. */
static void add_at_once(const json_t *family, char *text, size_t size)
{
	const json_t *sides = json_object_get(family, "sides"), *most = NULL;
	double largest = 1;

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);
		double factor = tree_real(side, "kernels_ns") / tree_real(side, "kernels_busy_ns");

		if (tree_true(side, "kernels_at_once") && factor > largest) {
			most = side;
			largest = factor;
		}
	}
	if (most)
		clip_append(text, size, "%s%s", *text ? " " : "", tree_text(most, "at_once_text"));
}

static void sides_words(const json_t *family)
{
	char text[VERDICT_SIZE];
	json_t *side;
	size_t i;

	json_array_foreach(json_object_get(family, "sides"), i, side)
	{
		if (json_is_object(json_object_get(side, "verdicts")))
			verdicts_words(family, json_object_get(side, "verdicts"), side, text, sizeof(text));
		side_line(family, side);
		variation_words(family, side);
		not_counted_words(side);
		at_once_words(side);
		beside_words(family, side);
	}
}

/* ---- all of it ---- */

static void put_contrast_texts(json_t *family)
{
	json_t *contrast;
	size_t i;

	json_array_foreach(json_object_get(family, "contrasts"), i, contrast)
		contrast_checks_words(json_object_get(contrast, "evidence"));
	contrast_causes_words(family);
}

/* Of three commands and more, the one that is clearly faster than the first and needs the least kernel time; or NULL.
 */
static const json_t *fastest_side(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides"), *fastest = NULL;

	for (size_t i = 0; i < json_array_size(sides) && json_array_size(sides) > 2; i++) {
		const json_t *side = json_array_get(sides, i);
		const json_t *kernel = json_object_get(json_object_get(side, "verdicts"), "kernel");

		if (verdict_is(kernel, "faster") &&
			(!fastest || tree_real(side, "kernels_ns") < tree_real(fastest, "kernels_ns")))
			fastest = side;
	}
	return fastest;
}

/* Not held against each other: the difference between two of the others has no verdict. */
static void add_fastest(const json_t *family, char *text, size_t size)
{
	const json_t *fastest = fastest_side(family);

	if (fastest)
		clip_append(text, size, " By median, `%s` needs the least kernel time of all %zu.",
			side_called(fastest), json_array_size(json_object_get(family, "sides")));
}

/* Without traced runs it is not known either what a step's host time is of. */
static void untraced_words(json_t *family)
{
	const json_t *program = json_object_get(json_object_get(family, "verdicts"), "program");
	const char *reason = tree_text(family, "no_kernels");
	char text[VERDICT_SIZE];

	clip_print(text, sizeof(text), "There are no kernel times. ");
	if (*reason)
		clip_append(text, sizeof(text), "%c%s.", toupper((unsigned char)*reason), reason + 1);
	if (strcmp(tree_text(program, "basis"), "range") == 0)
		clip_append(text, sizeof(text), " Whether the step waits for its work is not known.");
	put_json(family, "no_kernels_text", text_json(*reason ? text : NULL));
}

/* Two traces without a range: kernels of the same time may lie in runs of another. */
static void add_whole_run(const json_t *family, char *text, size_t size)
{
	const json_t *run = json_object_get(family, "whole_run");
	double ratio = tree_real(run, "ratio");

	if (verdict_is(run, "faster") || verdict_is(run, "slower"))
		clip_append(text, size,
			" From its first kernel to its last the run takes %.1f %% %s time. That checks the "
			"direction only: use --range to time a step.",
			percent_of_ratio(ratio), ratio < 1 ? "more" : "less");
}

/* ": REASON." at the end of what is said of runs that ended early. */
static void failure_words(const json_t *family, char *text, size_t size)
{
	const char *failure = tree_text(family, "failure");
	char reason[REASON_SIZE];

	*text = '\0';
	clip_print(reason, sizeof(reason), "%s", failure);
	if (*failure)
		clip_print(text, size, ": %s.", reason);
}

char *contrast_words_told(const json_t *family, const char *text)
{
	char told[REASON_SIZE + 8];
	const char *found;

	failure_words(family, told, sizeof(told));
	found = *told ? strstr(text, told) : NULL;
	return found ? xasprintf("%.*s.%s", (int)(found - text), text, found + strlen(told)) : xstrdup(text);
}

static void add_variation(const json_t *family, char *text, size_t size)
{
	const char *variation = tree_text(side_named(family, tree_text(family, "double")), "variation_text");

	if (*variation)
		clip_append(text, size, "%s%s", *text ? " " : "", variation);
}

void contrast_of_programs_words(json_t *family)
{
	json_t *verdicts = json_object_get(family, "verdicts");
	const json_t *decides = tree_deciding_verdict(family, verdicts);
	char failure[REASON_SIZE], ended[REASON_SIZE + 8], failed[REASON_SIZE];
	char curve[VERDICT_SIZE], text[2 * VERDICT_SIZE];

	clip_print(failure, sizeof(failure), "%s", tree_text(family, "failure"));
	failure_words(family, ended, sizeof(ended));
	failed_sides_words(family, failed, sizeof(failed));
	put_contrast_texts(family);
	median_step_words(family);
	machine_now_words(family);
	sides_words(family);
	verdicts_words(family, verdicts, side_named(family, tree_text(family, "double")), text, sizeof(text));
	add_whole_run(family, text, sizeof(text));
	add_variation(family, text, sizeof(text));
	if (!curve_words(family, curve, sizeof(curve)))
		add_fastest(family, text, sizeof(text));
	else if (json_array_size(json_object_get(family, "sides")) > 2)
		/* Of many values the best one is the answer. The page has the verdict on each. */
		clip_print(text, sizeof(text), "%s", curve);
	else
		clip_append(text, sizeof(text), "%s%s", *text ? " " : "", curve);
	if (*failure)
		clip_append(text, sizeof(text), "%s%s", *text ? " The runs ended early" : "No verdict", ended);
	else if (*failed)
		clip_append(text, sizeof(text), "%s%s: there is no verdict on it.", *text ? " " : "", failed);
	else if (!*text)
		clip_print(text, sizeof(text), "No verdict: the sides have no times that can be compared.");
	untraced_words(family);
	if (tree_has(family, "no_kernels_text"))
		clip_append(text, sizeof(text), " %s", tree_text(family, "no_kernels_text"));
	add_at_once(family, text, sizeof(text));
	add_beside_words(family, text, sizeof(text));
	contrast_gpus_words(family, text, sizeof(text));
	contrast_code_words(family, text, sizeof(text));
	contrast_place_words(family);
	put_json(family, "verdict_text", text_json(text));
	put_json(family, "reason_text",
		*failure                         ? text_json(failure)
		: *failed                        ? text_json(failed)
		: verdict_is(decides, "unclear") ? text_json(verdict_doubt(decides))
		: tree_process_doubts(family, verdicts)
			? json_string("the whole process takes another time, with the same kernels: use --range")
			: json_null());
}
