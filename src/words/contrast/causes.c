/* causes.c: see causes.h. A kernel's causes are told as those of a family's pair; a step's name their kernel, too. */
#include "words/contrast/causes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/cause-phrases.h"
#include "words/cause.h"
#include "words/contrast/kernel-name.h"
#include "words/contrast/place.h"
#include "words/contrast/side-words.h"

enum { STEP_TEXT_SIZE = 1024, STEP_CLAUSE_SIZE = 512, BECAUSE_SIZE = 320 };

/* ---- facts ---- */

static bool has_clear_verdict(const json_t *family)
{
	const json_t *kernel = json_object_get(json_object_get(family, "verdicts"), "kernel");

	return verdict_is(kernel, "faster") || verdict_is(kernel, "slower");
}

static bool has_causes(const json_t *contrast)
{
	return json_array_size(json_object_get(contrast, "causes")) > 0;
}

static const char *kernel_of_cause(const json_t *cause)
{
	return tree_text(json_object_get(cause, "where"), "text");
}

static const char *kernel_in_words(const json_t *cause, char text[KERNEL_NAME_SIZE])
{
	return kernel_name_words(kernel_of_cause(cause), text);
}

/* ---- one cause of a step ---- */

static bool cause_is(const json_t *cause, const char *id)
{
	return strcmp(tree_text(cause, "id"), id) == 0;
}

/* The side that alone has the kernel: it takes time there. */
static const char *only_side(const json_t *family, const json_t *cause)
{
	return tree_text(family, tree_real(cause, "ns") > 0 ? "single" : "double");
}

/* Whether the other side runs the kernel as well, but not in steps that count. */
static bool cause_runs_elsewhere(const json_t *family, const json_t *cause)
{
	const json_t *kernel = tree_find(json_object_get(family, "unmatched"), "short_name", kernel_of_cause(cause));

	return tree_true(kernel, "elsewhere");
}

static void kernel_time_clause(const json_t *cause, char *text, size_t size)
{
	const json_t *evidence = json_array_get(json_object_get(cause, "evidence"), 0);
	char from[FORMAT_SIZE], to[FORMAT_SIZE], kernel[KERNEL_NAME_SIZE];

	kernel_in_words(cause, kernel);
	if (tree_has(evidence, "single"))
		clip_print(text, size, "kernel %s takes %s instead of %s, and was not counted", kernel,
			format_time_ns(to, sizeof(to), tree_real(evidence, "double")),
			format_time_ns(from, sizeof(from), tree_real(evidence, "single")));
	else
		clip_print(text, size, "kernel %s takes %s %s, and was not counted", kernel,
			format_time_ns(to, sizeof(to), fabs(tree_real(cause, "ns"))),
			tree_real(cause, "ns") > 0 ? "less" : "more");
}

static void step_clause(const json_t *family, const json_t *contrast, const json_t *cause, char *text, size_t size)
{
	char ns[FORMAT_SIZE], clause[STEP_CLAUSE_SIZE], kernel[KERNEL_NAME_SIZE];

	kernel_in_words(cause, kernel);
	format_time_ns(ns, sizeof(ns), fabs(tree_real(cause, "ns")));
	if (cause_is(cause, "kernel-time")) {
		kernel_time_clause(cause, text, size);
	} else if (cause_is(cause, "other-kernels")) {
		clip_print(text, size,
			cause_runs_elsewhere(family, cause) ? "kernel %s, which steps of %.60s alone launch, takes %s"
							    : "kernel %s, which only %.60s runs, takes %s",
			kernel, only_side(family, cause), ns);
	} else if (cause_is(cause, "smaller-parts")) {
		clip_print(text, size, "smaller parts make %s together", ns);
	} else {
		cause_clause(contrast, cause, clause, sizeof(clause));
		if (*kernel)
			clip_print(text, size, "in %s, %s", kernel, clause);
		else
			clip_print(text, size, "%s", clause);
	}
}

/* The same in short. */
static void step_phrase(
	const json_t *family, const json_t *contrast, const json_t *cause, bool brief, char *text, size_t size)
{
	char ns[FORMAT_SIZE], phrase[STEP_CLAUSE_SIZE], kernel[KERNEL_NAME_SIZE];

	kernel_in_words(cause, kernel);
	format_time_ns(ns, sizeof(ns), fabs(tree_real(cause, "ns")));
	if (cause_is(cause, "kernel-time")) {
		clip_print(text, size, "%s takes %s %s", kernel, ns, tree_real(cause, "ns") > 0 ? "less" : "more");
	} else if (cause_is(cause, "other-kernels")) {
		clip_print(text, size, "%s takes %s in %s%.60s alone", kernel, ns,
			cause_runs_elsewhere(family, cause) ? "steps of " : "", only_side(family, cause));
	} else {
		cause_phrase(contrast, cause, brief, phrase, sizeof(phrase));
		clip_print(text, size, "%s: %s", kernel, phrase);
	}
}

/* ---- what works against the first cause ---- */

/* The largest that does and takes a good part of it back, or NULL. */
static const json_t *step_opponent(const json_t *contrast, const json_t *first)
{
	const json_t *causes = json_object_get(contrast, "causes");
	double part = tree_real(first, "ns");

	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);
		double other = tree_real(cause, "ns");

		if (tree_true(cause, "named") && (other > 0) != (part > 0) && fabs(other) >= fabs(part) / 4)
			return cause;
	}
	return NULL;
}

/* ", but copy takes part back": its kernel, or what it is called where the kernel is the same. */
static void add_short_opponent(const json_t *opponent, const json_t *first, char *text, size_t size)
{
	bool same = strcmp(kernel_of_cause(opponent), kernel_of_cause(first)) == 0;
	char kernel[KERNEL_NAME_SIZE];

	clip_append(text, size, ", but %s takes part back",
		same ? cause_subject(opponent) : kernel_in_words(opponent, kernel));
}

/* ", but 33.3 µs more instruction time in copy": the kernel where it is another one. */
static void add_step_opponent(const json_t *contrast, const json_t *first, char *text, size_t size)
{
	const json_t *opponent = step_opponent(contrast, first);
	bool whole = opponent && (cause_is(opponent, "kernel-time") || cause_is(opponent, "other-kernels"));
	char against[STEP_CLAUSE_SIZE], ns[FORMAT_SIZE], kernel[KERNEL_NAME_SIZE];

	if (!opponent)
		return;
	if (whole)
		clip_print(against, sizeof(against), "%s %s",
			format_time_ns(ns, sizeof(ns), fabs(tree_real(opponent, "ns"))),
			tree_real(opponent, "ns") > 0 ? "less" : "more");
	else
		cause_against(opponent, against, sizeof(against));
	clip_append(text, size, ", but %s", against);
	if (strcmp(kernel_of_cause(opponent), kernel_of_cause(first)) != 0)
		clip_append(text, size, " in %s", kernel_in_words(opponent, kernel));
}

/* ---- the step ---- */

static const json_t *largest_part(const json_t *family)
{
	return json_array_get(json_object_get(family, "parts"), 0);
}

static void first_because(const json_t *family, const json_t *contrast, const json_t *first, char *text, size_t size)
{
	const json_t *opponent = step_opponent(contrast, first);
	char phrase[STEP_CLAUSE_SIZE];

	step_phrase(family, contrast, first, opponent != NULL, phrase, sizeof(phrase));
	clip_print(text, size, "%s", phrase);
	add_step_opponent(contrast, first, text, size);
	if (!opponent || cause_words_in(text) <= BECAUSE_WORDS_MOST)
		return;
	clip_print(text, size, "%s", phrase);
	add_short_opponent(opponent, first, text, size);
}

/* Such a part can be more than the whole difference, which the other side's kernels take back. */
static bool is_of_one_side(const json_t *part)
{
	return strcmp(tree_text(part, "kind"), "unmatched") == 0;
}

/* Sums may differ in their last digits. */
static bool is_more_than_all(const json_t *part)
{
	return fabs(tree_real(part, "share")) > 1 + 1e-9;
}

static void step_because(const json_t *family, const json_t *contrast, char *text, size_t size)
{
	const json_t *part = largest_part(family), *first = cause_named_first(contrast);
	bool own = is_of_one_side(part);
	char ns[FORMAT_SIZE], kernel[KERNEL_NAME_SIZE];

	*text = '\0';
	if (!has_clear_verdict(family))
		return;
	kernel_name_words(tree_text(part, "name"), kernel);
	if (first) {
		first_because(family, contrast, first, text, size);
	} else if (own && is_more_than_all(part)) {
		clip_print(text, size, "%s takes %s in %s%.60s alone", kernel,
			format_time_ns(ns, sizeof(ns), fabs(tree_real(part, "ns"))),
			tree_true(part, "elsewhere") ? "steps of " : "", tree_text(part, "side"));
	} else if (tree_real(part, "share") > 0 && is_more_than_all(part)) {
		clip_print(text, size, "%s differs by %s, others the other way", kernel,
			format_time_ns(ns, sizeof(ns), fabs(tree_real(part, "ns"))));
	} else if (tree_has(part, "name") && tree_real(part, "share") > 0) {
		clip_print(text, size, "%s makes %.0f %% of the difference%s", kernel, 100 * tree_real(part, "share"),
			own                                ? ", on one side only"
			: !has_causes(contrast)            ? ""
			: tree_true(contrast, "explained") ? ", no single cause stands out"
							   : ", mostly unexplained");
	}
}

static double shared_bytes_of(const json_t *kernel)
{
	return tree_real(kernel, "static_shared_bytes") + tree_real(kernel, "dynamic_shared_bytes");
}

/* What a matched kernel takes of an SM, where the two sides differ. */
static void add_resources(const json_t *family, const json_t *part, char *text, size_t size)
{
	const json_t *matched = tree_find(json_object_get(family, "matched"), "case", tree_text(part, "case"));
	const json_t *kernels = json_object_get(matched, "kernels");
	const json_t *a = tree_find(kernels, "side", tree_text(family, "single"));
	const json_t *b = tree_find(kernels, "side", tree_text(family, "double"));
	double registers[] = {tree_real(a, "registers"), tree_real(b, "registers")};
	double shared[] = {shared_bytes_of(a), shared_bytes_of(b)};
	char from[FORMAT_SIZE], to[FORMAT_SIZE];

	if (fabs(registers[1] - registers[0]) > 0)
		clip_append(text, size, " Its registers per thread go from %.0f to %.0f.", registers[0], registers[1]);
	if (fabs(shared[1] - shared[0]) > 0)
		clip_append(text, size, " Its shared memory per block goes from %s to %s.",
			format_bytes(from, sizeof(from), shared[0]), format_bytes(to, sizeof(to), shared[1]));
}

/* The numbers of launches of the kernel, where they differ. */
static void add_launches_words(const json_t *family, const json_t *part, char *text, size_t size)
{
	const json_t *contrast = tree_find(json_object_get(family, "contrasts"), "case", tree_text(part, "case"));
	const json_t *launches = json_object_get(contrast, "launches");

	if (json_is_object(launches))
		clip_append(text, size, " %s", tree_text(launches, "text"));
}

/* The first cause as a sentence. What is in the kernel that the sentence before names need not name it again. */
static void add_first(const json_t *family, const json_t *contrast, const json_t *first, char *text, size_t size)
{
	bool named = strcmp(kernel_of_cause(first), tree_text(largest_part(family), "name")) == 0;
	bool whole = cause_is(first, "kernel-time") || cause_is(first, "other-kernels");
	char clause[STEP_CLAUSE_SIZE];

	if (named && !whole)
		cause_clause(contrast, first, clause, sizeof(clause));
	else
		step_clause(family, contrast, first, clause, sizeof(clause));
	add_step_opponent(contrast, first, clause, sizeof(clause));
	cause_add_sentence(text, size, clause);
}

static const char *why_unmeasured(const json_t *family)
{
	const json_t *other = tree_find(json_object_get(family, "sides"), "name", tree_text(family, "double"));

	if (strcmp(tree_text(family, "origin"), "traces") == 0)
		return "a trace takes times, not counters";
	return strcmp(tree_text(other, "gpus_against"), "kinds") == 0
		       ? "counters of different kinds of GPU cannot be compared"
		       : "no kernel was counted on both sides";
}

/* Why the largest kernel's time differs, as far as that is known. */
static void add_why(const json_t *family, const json_t *contrast, char *text, size_t size)
{
	const json_t *first = cause_named_first(contrast);

	if (!has_causes(contrast)) {
		add_resources(family, largest_part(family), text, size);
		clip_append(text, size, " Why the times differ was not measured: %s.", why_unmeasured(family));
	} else if (first) {
		add_first(family, contrast, first, text, size);
	} else if (tree_true(contrast, "explained")) {
		clip_append(text, size, " No single cause stands out: each measured part is small or unsure.");
	} else {
		clip_append(text, size, " More than half of the difference is not explained.");
		add_launches_words(family, largest_part(family), text, size);
	}
}

/* Whether a kernel of another case has the name, as it is told. */
static bool shares_its_kernel_name(const json_t *family, const json_t *part)
{
	char name[KERNEL_NAME_SIZE], another[KERNEL_NAME_SIZE];
	const json_t *matched;
	size_t i;

	kernel_name_words(tree_text(part, "name"), name);
	json_array_foreach(json_object_get(family, "matched"), i, matched)
	{
		const json_t *kernel = json_array_get(json_object_get(matched, "kernels"), 0);

		if (strcmp(kernel_name_words(tree_text(kernel, "short_name"), another), name) == 0 &&
			strcmp(tree_text(matched, "case"), tree_text(part, "case")) != 0)
			return true;
	}
	return false;
}

/* "Kernel gemm", and what it is called in the other program; its number where its name does not tell. */
static void add_both_names(const json_t *family, const json_t *part, char *text, size_t size)
{
	const char *other = name_by_place(family, tree_text(part, "case")), *label = tree_text(part, "case");
	char kernel[KERNEL_NAME_SIZE];

	clip_append(text, size, "Kernel %s", kernel_name_words(tree_text(part, "name"), kernel));
	if (*label && shares_its_kernel_name(family, part))
		clip_append(text, size, " (%.*s)", (int)strcspn(label, ":"), label);
	if (other)
		clip_append(
			text, size, " (%s in %.60s)", kernel_name_words(other, kernel), tree_text(family, "double"));
}

static void step_sentences(const json_t *family, const json_t *contrast, char *text, size_t size)
{
	const json_t *part = largest_part(family);
	const json_t *program = json_object_get(json_object_get(family, "verdicts"), "program");
	bool traces = strcmp(tree_text(family, "origin"), "traces") == 0;
	const char *unit = traces && !json_is_object(program) ? "run" : "step";
	const char *kernels = tree_true(family, "kernels_chosen") ? "chosen kernels" : "kernels";
	char ns[FORMAT_SIZE], whole[FORMAT_SIZE];

	*text = '\0';
	if (!has_clear_verdict(family) || !tree_has(part, "name") || tree_real(part, "ns") == 0)
		return;
	add_both_names(family, part, text, size);
	format_time_ns(ns, sizeof(ns), fabs(tree_real(part, "ns")));
	format_time_ns(whole, sizeof(whole), fabs(tree_real(family, "difference_ns")));
	if (is_of_one_side(part) && is_more_than_all(part))
		clip_append(text, size,
			tree_true(part, "elsewhere")
				? ", which steps of %.60s alone launch, takes %s; the %s of a %s differ by %s."
				: ", which only %.60s runs, takes %s; the %s of a %s differ by %s.",
			tree_text(part, "side"), ns, kernels, unit, whole);
	else if (is_more_than_all(part) || !(tree_real(part, "share") > 0))
		clip_append(text, size, " differs by %s; the %s of a %s differ by %s%s.", ns, kernels, unit, whole,
			tree_real(part, "share") < 0 ? ", the other way" : "");
	else
		clip_append(text, size, " makes %s of the %s that the %s of a %s differ by.", ns, whole, kernels, unit);
	add_why(family, contrast, text, size);
}

static void put_step_texts(const json_t *family, json_t *contrast)
{
	char because[BECAUSE_SIZE], text[STEP_TEXT_SIZE];
	json_t *cause;
	size_t i;

	json_array_foreach(json_object_get(contrast, "causes"), i, cause)
	{
		char sentence[STEP_CLAUSE_SIZE] = "";

		step_clause(family, contrast, cause, text, sizeof(text));
		cause_add_sentence(sentence, sizeof(sentence), text);
		put_json(cause, "text", text_json(sentence));
		put_json(cause, "advice", text_json(cause_advice(tree_text(cause, "action"))));
	}
	step_because(family, contrast, because, sizeof(because));
	step_sentences(family, contrast, text, sizeof(text));
	put_json(contrast, "because", text_json(*because ? because : NULL));
	put_json(contrast, "cause", text_json(*text ? text : NULL));
}

/* ---- a kernel ---- */

static void put_launches_text(const json_t *contrast)
{
	json_t *launches = json_object_get(contrast, "launches");
	const json_t *called = json_object_get(contrast, "called");
	char text[BECAUSE_SIZE], ns[FORMAT_SIZE];

	if (!json_is_object(launches))
		return;
	clip_print(text, sizeof(text),
		"A step of %.60s launches it %.3g×, one of %.60s %.3g×: that makes %s, which counters do not explain.",
		tree_text(called, "single"), tree_real(launches, "single"), tree_text(called, "double"),
		tree_real(launches, "double"), format_time_ns(ns, sizeof(ns), fabs(tree_real(launches, "ns"))));
	put_json(launches, "text", text_json(text));
}

static void put_kernel_texts(const json_t *family, json_t *contrast)
{
	if (has_causes(contrast)) {
		put_launches_text(contrast);
		cause_words(family, contrast);
		return;
	}
	put_json(contrast, "because", json_null());
	put_json(contrast, "cause", json_null());
}

/* Where kernels do not tell, the step may: programs that copy beside their kernels have the same kernels. What makes
 * steps slower does not make kernels faster. */
static bool program_may_tell(const json_t *headline, const json_t *program)
{
	return tree_has(program, "first_cause") && !(verdict_is(headline, "faster") && verdict_is(program, "slower")) &&
	       !(verdict_is(headline, "slower") && verdict_is(program, "faster"));
}

const json_t *contrast_with_cause(const json_t *family)
{
	const json_t *headline = tree_headline_contrast(family), *program = tree_program_contrast(family);

	if (tree_has(headline, "first_cause"))
		return headline;
	return program_may_tell(headline, program) ? program : NULL;
}

static void borrow_because(json_t *family, json_t *headline)
{
	const json_t *program = tree_program_contrast(family);
	char text[BECAUSE_SIZE];

	if (tree_has(headline, "because") || !program_may_tell(headline, program))
		return;
	clip_print(text, sizeof(text), "%s%s",
		tree_step_leads(family, json_object_get(family, "verdicts")) ? "" : "step: ",
		tree_text(program, "because"));
	put_json(headline, "because", text_json(text));
}

void contrast_causes_words(json_t *family)
{
	json_t *contrast, *headline = NULL;
	size_t i;

	json_array_foreach(json_object_get(family, "contrasts"), i, contrast)
	{
		if (tree_true(contrast, "headline"))
			headline = contrast;
		else
			put_kernel_texts(family, contrast);
	}
	/* It quotes its kernels'. */
	if (headline) {
		put_step_texts(family, headline);
		borrow_because(family, headline);
	}
}
