/* tree.c: reading the model, a tree in which every value may be missing or null. */
#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "util/alloc.h"
#include "util/utf8.h"

const char *tree_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

double tree_real(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

bool tree_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

bool tree_has(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return value && !json_is_null(value);
}

const json_t *tree_find(const json_t *array, const char *key, const char *value)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *element = json_array_get(array, i);
		const char *text = json_string_value(json_object_get(element, key));

		if (text && strcmp(text, value) == 0)
			return element;
	}
	return NULL;
}

const char *tree_name_of_case(const char *label)
{
	const char *colon = strstr(label, ": ");

	return colon ? colon + 2 : label;
}

bool tree_case_is_graph(const json_t *family, const char *label)
{
	return tree_has(tree_find(json_object_get(family, "counter_runs"), "case", label), "graph_launches");
}

const json_t *tree_find_true(const json_t *array, const char *key)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *element = json_array_get(array, i);

		if (tree_true(element, key))
			return element;
	}
	return NULL;
}

bool tree_is_detailed(const json_t *recording)
{
	return !json_is_false(json_object_get(recording, "detailed"));
}

const json_t *tree_headline(const json_t *family)
{
	return tree_find_true(json_object_get(family, "cases"), "headline");
}

const json_t *tree_headline_contrast(const json_t *family)
{
	return tree_find_true(json_object_get(family, "contrasts"), "headline");
}

/* What the verdicts are of: a side that is held against the first one, or the family's pair. */
static const json_t *judged_pair(const json_t *family, const json_t *verdicts)
{
	const json_t *sides = json_object_get(family, "sides");

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);

		if (json_object_get(side, "verdicts") == verdicts)
			return side;
	}
	return family;
}

bool tree_kernels_tell_nothing(const json_t *family, const json_t *verdicts)
{
	const json_t *pair = judged_pair(family, verdicts), *kernel = json_object_get(verdicts, "kernel");

	/* Of chosen kernels, the step's other ones say nothing. */
	return strcmp(tree_text(kernel, "verdict"), "same") == 0 && !tree_true(family, "kernels_chosen") &&
	       !json_is_false(json_object_get(pair, "same_launches")) &&
	       !json_is_false(json_object_get(pair, "same_code"));
}

static bool is_clear_word(const char *verdict)
{
	return strcmp(verdict, "faster") == 0 || strcmp(verdict, "slower") == 0;
}

const json_t *tree_deciding_verdict(const json_t *family, const json_t *verdicts)
{
	const json_t *kernel = json_object_get(verdicts, "kernel"), *program = json_object_get(verdicts, "program");
	const char *of_kernels = tree_text(kernel, "verdict"), *of_step = tree_text(program, "verdict");
	bool is_step = strcmp(tree_text(program, "basis"), "range") == 0;
	bool tells = is_step && is_clear_word(of_step) && strcmp(of_kernels, "same") == 0 &&
		     !tree_true(family, "kernels_chosen");

	if (!json_is_object(kernel) || tells || (is_step && tree_kernels_tell_nothing(family, verdicts)))
		return is_step ? program : NULL;
	return kernel;
}

bool tree_step_leads(const json_t *family, const json_t *verdicts)
{
	const json_t *decides = tree_deciding_verdict(family, verdicts);

	return json_is_object(json_object_get(verdicts, "kernel")) && decides &&
	       decides == json_object_get(verdicts, "program");
}

static bool may_be_chance(const json_t *verdict)
{
	const json_t *reasons = json_object_get(verdict, "reasons");

	for (size_t i = 0; i < json_array_size(reasons); i++)
		if (strcmp(json_string_value(json_array_get(reasons, i)), "ranks") == 0)
			return true;
	return false;
}

/* Whether the times of two whole processes are apart, whatever other checks say of how far. */
static bool is_apart(const json_t *family, const json_t *program)
{
	const json_t *ratio = json_object_get(program, "ratio");
	double band = tree_real(tree_program_contrast(family), "band");

	if (may_be_chance(program))
		return false;
	return is_clear_word(tree_text(program, "verdict")) || tree_real(ratio, "low") > 1 + band ||
	       tree_real(ratio, "high") < 1 - band;
}

bool tree_process_doubts(const json_t *family, const json_t *verdicts)
{
	const json_t *program = json_object_get(verdicts, "program");

	return strcmp(tree_text(program, "basis"), "wall") == 0 && is_apart(family, program) &&
	       tree_kernels_tell_nothing(family, verdicts);
}

const char *tree_deciding_word(const json_t *family, const json_t *verdicts)
{
	return tree_process_doubts(family, verdicts) ? "unclear"
						     : tree_text(tree_deciding_verdict(family, verdicts), "verdict");
}

const json_t *tree_program_contrast(const json_t *family)
{
	return *tree_text(family, "origin") ? tree_find(json_object_get(family, "contrasts"), "case", "program") : NULL;
}

const json_t *tree_deciding_contrast(const json_t *family)
{
	const json_t *program = tree_program_contrast(family);

	return program && tree_step_leads(family, json_object_get(family, "verdicts")) ? program
										       : tree_headline_contrast(family);
}

const json_t *tree_timed_contrast(const json_t *family)
{
	const json_t *headline = tree_headline_contrast(family), *program = tree_program_contrast(family);

	if (tree_has(headline, "time"))
		return headline;
	return tree_has(program, "time") ? program : NULL;
}

const json_t *tree_role(const json_t *family, const char *role)
{
	return tree_find(json_object_get(family, "variants"), "name", tree_text(family, role));
}

const char *tree_side_called(const json_t *family, const char *role)
{
	return *tree_text(family, "origin") ? tree_text(family, role) : role;
}

const json_t *tree_case(const json_t *variant, const char *label)
{
	return tree_find(json_object_get(variant, "cases"), "case", label);
}

const json_t *tree_headline_case(const json_t *family, const json_t *variant)
{
	return tree_case(variant, tree_text(tree_headline(family), "label"));
}

static json_t *one_line(const char *text)
{
	char *copy = xstrdup(text);
	json_t *line;

	utf8_one_line(copy);
	line = json_string(copy);
	free(copy);
	return line;
}

json_t *tree_for_terminal(const json_t *tree)
{
	json_t *copy = json_is_string(tree) ? one_line(json_string_value(tree)) : json_copy((json_t *)tree), *value;
	const char *key;
	size_t i;

	/* The copy is shallow: each of its values is replaced by a copy of its own. */
	if (json_is_array(copy)) {
		json_array_foreach(tree, i, value) json_array_set_new(copy, i, tree_for_terminal(value));
	} else if (json_is_object(copy)) {
		json_object_foreach((json_t *)tree, key, value)
			json_object_set_new(copy, key, tree_for_terminal(value));
	}
	return copy;
}

/* ---- families in order ---- */

/* A family and what its place in the order depends on. */
struct ranked {
	bool buffering;
	double gain; /* NaN without a time */
	size_t at;
};

/* Those about buffering first, the largest gain first, what has no number last. */
static int by_largest_gain(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->buffering != b->buffering)
		return a->buffering ? -1 : 1;
	if (isfinite(a->gain) != isfinite(b->gain))
		return isfinite(a->gain) ? -1 : 1;
	if (isfinite(a->gain) && a->gain != b->gain)
		return a->gain < b->gain ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

json_t *tree_by_gain(const json_t *families)
{
	size_t n = json_array_size(families);
	struct ranked *ranked = xcalloc(n, sizeof(*ranked));
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		const json_t *family = json_array_get(families, i);
		const json_t *speedup = json_object_get(tree_headline_contrast(family), "speedup");

		ranked[i] = (struct ranked){tree_true(family, "buffering"), tree_real(speedup, "value"), i};
	}
	qsort(ranked, n, sizeof(*ranked), by_largest_gain);
	for (size_t i = 0; i < n; i++)
		append_json(list, json_incref(json_array_get(families, ranked[i].at)));
	free(ranked);
	return list;
}

/* ---- the ladder ---- */

static bool step_has_share(const json_t *step)
{
	return tree_real(json_object_get(step, "share"), "value") > 0;
}

bool tree_share_counts(const json_t *step)
{
	return step_has_share(step) && !json_is_false(json_object_get(step, "as_asked"));
}

static bool any_rung_has_share(const json_t *climb)
{
	const json_t *rungs = json_object_get(climb, "rungs");

	for (size_t i = 0; i < json_array_size(rungs); i++)
		if (step_has_share(json_array_get(rungs, i)))
			return true;
	return false;
}

/* A reference that ran another kernel has a share, too, and the ladder says what it ran. */
static bool is_climbed(const json_t *climb, const char *variant)
{
	return step_has_share(tree_find(json_object_get(climb, "rungs"), "variant", variant)) ||
	       step_has_share(tree_find(json_object_get(climb, "without"), "variant", variant)) ||
	       step_has_share(tree_find(json_object_get(climb, "references"), "variant", variant));
}

bool tree_climb_has_all(const json_t *family)
{
	const json_t *climb = tree_find_true(json_object_get(family, "climbs"), "headline");
	const json_t *variants = json_object_get(family, "variants");

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);
		const json_t *time = json_object_get(tree_headline_case(family, variant), "time");

		if (tree_has(time, "median_ns") && !tree_true(variant, "part") &&
			!is_climbed(climb, tree_text(variant, "name")))
			return false;
	}
	return any_rung_has_share(climb);
}

bool tree_was_swept(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		if (tree_real(json_array_get(sweeps, i), "measured") > 0)
			return true;
	}
	return false;
}
