/* fail-if.c: see fail-if.h. */
#include "cmd/fail-if.h"

#include <string.h>

#include "cmd/message.h"
#include "cmd/values.h"
#include "tree/tree.h"
#include "util/clip.h"

const struct cmd_word fail_if_words[] = {
	{"slower", "slower than the single-buffered variant"},
	{"different", "slower or faster"},
	{0},
};

enum exit_status take_fail_if(const char *value, enum fail_if *out)
{
	int word;

	if (!cmd_word("fail-if", value, fail_if_words, &word))
		return STATUS_USAGE;
	*out = word == 0 ? FAIL_IF_SLOWER : FAIL_IF_DIFFERENT;
	return STATUS_DONE;
}

/* What was not judged is as little known as what is unclear. */
static enum exit_status status_of_verdict(const char *verdict, enum fail_if what)
{
	if (strcmp(verdict, "slower") == 0 || (what == FAIL_IF_DIFFERENT && strcmp(verdict, "faster") == 0))
		return STATUS_SLOWER;
	return strcmp(verdict, "same") == 0 || strcmp(verdict, "faster") == 0 ? STATUS_DONE : STATUS_UNCLEAR;
}

/* What all that is judged comes to, and who is to blame for it. */
struct blamed {
	enum exit_status status;
	char names[256]; /* with commas; "" for none */
};

static int status_weight(enum exit_status status)
{
	return status == STATUS_SLOWER ? 2 : status == STATUS_UNCLEAR;
}

static void blame(struct blamed *sum, enum exit_status status, const char *name)
{
	if (status_weight(status) > status_weight(sum->status))
		*sum = (struct blamed){.status = status};
	if (status != STATUS_DONE && status == sum->status)
		clip_append(sum->names, sizeof(sum->names), "%s%s", *sum->names ? ", " : "", name);
}

/* Whether the whole interval of a ratio lies above what is slower. What is the same, but measured with noise, is
 * unclear for its other end. False of an interval that is not known. */
static bool is_not_slower(const json_t *ratio, double band)
{
	return tree_real(ratio, "low") >= 1 - band;
}

static bool all_checks_pass(const json_t *evidence)
{
	for (size_t i = 0; i < json_array_size(evidence); i++)
		if (json_is_false(json_object_get(json_array_get(evidence, i), "ok")))
			return false;
	return true;
}

/* ---- programs ---- */

/* Whether the verdict that decides is unclear for its interval alone, which rules out that the side is slower, or the
 * whole process is faster with the same kernels. A program that is clearly slower while its kernels are unclear is not
 * ruled out. */
static bool side_is_not_slower(const json_t *family, const json_t *verdicts)
{
	const json_t *decides = tree_deciding_verdict(family, verdicts);
	const char *of_program = tree_text(json_object_get(verdicts, "program"), "verdict");
	double band = tree_real(json_array_get(json_object_get(family, "contrasts"), 0), "band");

	if (tree_process_doubts(family, verdicts))
		return strcmp(of_program, "faster") == 0;
	return json_array_size(json_object_get(decides, "reasons")) == 0 &&
	       is_not_slower(json_object_get(decides, "ratio"), band) && strcmp(of_program, "slower") != 0;
}

/* Whether the same steps stand in loops that take different times: a side has more pauses. */
static bool loops_differ(const json_t *verdicts)
{
	const json_t *evidence = json_object_get(json_object_get(verdicts, "program"), "evidence");
	const json_t *facts = json_object_get(tree_find(evidence, "name", "between"), "facts");

	return tree_true(facts, "moved") && tree_true(facts, "period");
}

/* Whether what does not count differs: kernels of other steps or outside of steps, copies there, pauses, processes that
 * may run at once. Another number of steps does not, since times are of one, nor what runs before the first steady step
 * or after the last: its share depends on that number. Without steps, whether runs may differ in length. Of chosen
 * kernels, copies and the time between steps say nothing. */
static bool rest_differs(const json_t *family, const json_t *side)
{
	const json_t *beside = json_object_get(side, "beside");

	return loops_differ(json_object_get(side, "verdicts")) || tree_find(beside, "what", "kernels") ||
	       tree_find(beside, "what", "processes") || tree_find(beside, "what", "length") ||
	       ((tree_find(beside, "what", "copies") || tree_find(beside, "what", "between")) &&
		       !tree_true(family, "kernels_chosen"));
}

/* Whether all steps together take more host time than the other side's, for steps that launch other kernels or none. */
static bool all_steps_are_slower(const json_t *verdicts)
{
	const json_t *evidence = json_object_get(json_object_get(verdicts, "program"), "evidence");
	const json_t *check = tree_find(evidence, "name", "other-host");

	return json_is_false(json_object_get(check, "ok")) &&
	       strcmp(tree_text(json_object_get(check, "facts"), "by_all"), "slower") == 0;
}

static enum exit_status status_of_side(const json_t *family, const json_t *side, enum fail_if what)
{
	const json_t *verdicts = json_object_get(side, "verdicts");
	enum exit_status status = status_of_verdict(tree_deciding_word(family, verdicts), what);

	if (what == FAIL_IF_SLOWER && status == STATUS_UNCLEAR && side_is_not_slower(family, verdicts))
		status = STATUS_DONE;
	if (what == FAIL_IF_SLOWER && status == STATUS_DONE && all_steps_are_slower(verdicts))
		return STATUS_UNCLEAR;
	if (what == FAIL_IF_DIFFERENT && status == STATUS_DONE && rest_differs(family, side))
		return STATUS_UNCLEAR;
	return status;
}

static void judge_sides(const json_t *family, enum fail_if what, struct blamed *sum)
{
	const json_t *sides = json_object_get(family, "sides");

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);

		if (json_is_object(json_object_get(side, "verdicts")))
			blame(sum, status_of_side(family, side, what), tree_text(side, "name"));
	}
}

/* ---- families ---- */

static enum exit_status status_of_contrast(const json_t *contrast, enum fail_if what)
{
	enum exit_status status = status_of_verdict(tree_text(contrast, "verdict"), what);

	if (what == FAIL_IF_SLOWER && status == STATUS_UNCLEAR &&
		all_checks_pass(json_object_get(contrast, "evidence")) &&
		is_not_slower(json_object_get(contrast, "speedup"), tree_real(contrast, "band")))
		return STATUS_DONE;
	return status;
}

static void judge_family(const json_t *family, enum fail_if what, struct blamed *sum)
{
	const json_t *contrast = tree_find_true(json_object_get(family, "contrasts"), "headline");

	if (tree_has(family, "sides"))
		judge_sides(family, what, sum);
	else if (tree_true(family, "buffering"))
		blame(sum, status_of_contrast(contrast, what), tree_text(family, "name"));
}

enum exit_status fail_if_status(const json_t *tree, enum fail_if what)
{
	struct blamed sum = {.status = STATUS_DONE};
	const json_t *recording, *family;
	size_t i, k;

	if (what == FAIL_IF_NOTHING)
		return STATUS_DONE;
	json_array_foreach(json_object_get(tree, "recordings"), i, recording)
	{
		const json_t *families = json_object_get(recording, "families");

		/* Of a program there is nothing to judge: a pipeline must not pass on that. */
		if (json_array_size(families) == 0)
			blame(&sum, STATUS_UNCLEAR, "nothing is judged");
		json_array_foreach(families, k, family) judge_family(family, what, &sum);
	}
	if (sum.status != STATUS_DONE)
		cmd_error("--fail-if=%s ends with status %d, %s: %s", fail_if_words[what - FAIL_IF_SLOWER].name,
			(int)sum.status, sum.status == STATUS_UNCLEAR ? "it cannot be told" : "it is so", sum.names);
	return sum.status;
}
