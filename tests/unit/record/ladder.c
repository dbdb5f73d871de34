/* ladder.c: the rungs of a family keep the contract of kernels/variant.h; so do those of dbprof's own. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "families.h"
#include "record/plugin/check-variant.h"
#include "util/error.h"

enum { RUNGS = 5 };

/* A ladder of three rungs, the top one without what the second adds, and the line to reach. */
static void ladder_make(struct variant *v)
{
	memset(v, 0, RUNGS * sizeof *v);
	v[0] = (struct variant){.name = "plain", .rung = {.step = 1}};
	v[1] = (struct variant){.name = "vector", .rung = {2, "plain", "16-byte loads", NULL}};
	v[2] = (struct variant){.name = "top", .rung = {3, "vector", "two buffers", NULL}};
	v[3] = (struct variant){
		.name = "top-scalar", .kind = VARIANT_CONTROL, .rung = {0, "top", "16-byte loads", "swizzle"}};
	v[4] = (struct variant){.name = "library", .kind = VARIANT_REFERENCE};
}

static void assert_refused(const struct variant *v, const char *text)
{
	const struct family family = {.name = "f", .variants = v, .nvariants = RUNGS};
	struct error err = {0};

	assert_int_equal(ladder_check(&family, &err), -1);
	if (strstr(err.text, text) == NULL)
		fail_msg("'%s' does not say '%s'", err.text, text);
}

static void a_whole_ladder_is_taken(void **state)
{
	struct variant v[RUNGS];
	const struct family family = {.name = "f", .variants = v, .nvariants = RUNGS};
	struct error err = {0};

	(void)state;
	ladder_make(v);
	assert_int_equal(ladder_check(&family, &err), 0);
	memset(&v[1].rung, 0, sizeof v[1].rung);
	v[2].rung.over = "plain";
	assert_int_equal(ladder_check(&family, &err), 0);
}

static void what_is_below_must_be_a_lower_rung(void **state)
{
	struct variant v[RUNGS];

	(void)state;
	ladder_make(v);
	v[2].rung.over = "nobody";
	assert_refused(v, "variant 'top': rung: over 'nobody' is not one of the family's variants");
	v[2].rung.over = "library";
	assert_refused(v, "over 'library' is not on the ladder");
	v[2].rung.over = "top";
	assert_refused(v, "over 'top' is no lower step");
}

static void steps_are_unique(void **state)
{
	struct variant v[RUNGS];

	(void)state;
	ladder_make(v);
	v[2].rung.step = 2;
	assert_refused(v, "variant 'top': rung: 'vector' is step 2 too");
	v[2].rung.step = -1;
	assert_refused(v, "step cannot be -1");
	ladder_make(v);
	v[1].rung = (struct rung){.step = 2};
	assert_refused(v, "'plain' and 'vector' both have nothing below them");
}

static void members_belong_together(void **state)
{
	struct variant v[RUNGS];

	(void)state;
	ladder_make(v);
	v[2].rung.change = NULL;
	assert_refused(v, "rung: change is NULL, but over is not");
	v[2].rung.over = NULL, v[2].rung.change = "two buffers";
	assert_refused(v, "rung: over is NULL, but change is not");
	ladder_make(v);
	v[0].rung.along = "swizzle";
	assert_refused(v, "along is for what goes with a change");
	ladder_make(v);
	v[4].rung = (struct rung){4, "top", "a library", NULL};
	assert_refused(v, "variant 'library': rung: a reference");
	ladder_make(v);
	v[2].teaches_failure = true;
	assert_refused(v, "wrong on purpose");
}

static void own_ladders_are_whole(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		struct error err = {0};

		if (ladder_check(families[f], &err) < 0)
			fail_msg("%s: %s", families[f]->name, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_ladder_is_taken),
		cmocka_unit_test(what_is_below_must_be_a_lower_rung),
		cmocka_unit_test(steps_are_unique),
		cmocka_unit_test(members_belong_together),
		cmocka_unit_test(own_ladders_are_whole),
	};

	return cmocka_run_group_tests_name("ladder", tests, NULL, NULL);
}
