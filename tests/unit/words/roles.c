/* roles.c: what is said of warps that wait for each other: at most two numbers a sentence, and 25 words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tree/tree.h"
#include "words/roles.h"

/* A family whose fastest, "four", hides `share` of its loads (below -1: it is not told, for `why`). */
static json_t *family_with(double share, const char *why, double cost)
{
	json_t *family = json_pack(
		"{s:[{s:s, s:s, s:[{s:s, s:s, s:f, s:{s:f}, s:n, s:s}, {s:s, s:s, s:f, s:{s:f}, s:{s:f}, s:f, s:s}]}]}",
		"roles", "case", "c", "fastest", "four", "variants", "variant", "one", "exposed", "one", "cost", 0.04,
		"consumer", "wait_share", 0.5, "producer", "why", "itself", "variant", "four", "exposed", "one", "cost",
		cost, "consumer", "wait_share", 0.04, "producer", "wait_share", 0.8, "hidden_share", share, "why", why);
	json_t *four;

	assert_non_null(family);
	four = json_array_get(json_object_get(json_array_get(json_object_get(family, "roles"), 0), "variants"), 1);
	if (share < -1)
		json_object_set_new(four, "hidden_share", json_null());
	if (*why == '\0')
		json_object_set_new(four, "why", json_null());
	roles_words(family);
	return family;
}

static void says(double share, const char *why, double cost, const char *want)
{
	json_t *family = family_with(share, why, cost);
	const char *text = tree_text(json_array_get(json_object_get(family, "roles"), 0), "text");

	if (!strstr(text, want))
		fail_msg("\"%s\" lacks \"%s\"", text, want);
	json_decref(family);
}

static void the_fastest_is_told(void **state)
{
	json_t *family = family_with(0.93, "", 0);
	const json_t *one = json_array_get(json_object_get(family, "roles"), 0);

	(void)state;
	assert_string_equal(tree_text(one, "text"),
		"With four, the fastest whose hidden share is told, consumers wait for full stages 4.00 % of their "
		"time, and the producer for empty ones 80.0 %. Of the time that a stage takes to load, 93.0 % is "
		"hidden, held against one, which "
		"loads nothing ahead.");
	assert_string_equal(
		tree_text(json_array_get(json_object_get(one, "variants"), 0), "reason"), "it loads nothing ahead");
	assert_string_equal(tree_text(json_array_get(json_object_get(one, "variants"), 1), "reason"), "");
	json_decref(family);
}

static void a_reason_is_told_instead(void **state)
{
	(void)state;
	says(-2, "disturbed", 0.05, " How much of its loads is hidden is not told: the meter makes it 5.00 % slower.");
	says(-2, "disturbed", -0.05,
		": metered launches of it took 5.00 % less than plain ones, so these were unsteady.");
	says(-2, "other-disturbed", 0, ": the meter makes one 4.00 % slower.");
	says(-2, "none", 0, ": no variant of its tile, clusters and warps loads nothing ahead.");
	says(-2, "itself", 0, ": it loads nothing ahead.");
	says(-2, "not-measured", 0, ": the loads of one are not measured.");
	says(-2, "other-warps", 0, ": one has another number of warps that compute.");
}

/* Consumers that wait longer than a load takes hide nothing of it. */
static void nothing_hidden_is_no_negative_share(void **state)
{
	(void)state;
	says(-0.2, "", 0, " Nothing of its loads is hidden, held against one, which loads nothing ahead.");
}

static void without_a_fastest_nothing_is_said(void **state)
{
	json_t *family = family_with(0.9, "", 0);
	json_t *one = json_array_get(json_object_get(family, "roles"), 0);

	(void)state;
	json_object_set_new(one, "fastest", json_null());
	roles_words(family);
	assert_true(json_is_null(json_object_get(one, "text")));
	json_decref(family);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fastest_is_told),
		cmocka_unit_test(a_reason_is_told_instead),
		cmocka_unit_test(nothing_hidden_is_no_negative_share),
		cmocka_unit_test(without_a_fastest_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
