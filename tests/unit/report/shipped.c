/* shipped.c: the recording that ships is what it claims to be: whole, right, reconciled, and small enough. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "store/store.h"

enum { MAX_BYTES = 2100000, MAX_KERNELS = 1024, NAME = 200 };

static const char *path(void)
{
	static char text[4096];
	const char *source = getenv("srcdir");

	snprintf(text, sizeof text, "%s/reports/recordings/h100.sqlite.zst", source == NULL ? "." : source);
	return text;
}

static int open_shipped(void **state)
{
	struct error err = {0};

	*state = store_open(path(), &err);
	if (*state == NULL)
		fprintf(stderr, "%s\n", err.text);
	return *state == NULL ? -1 : 0;
}

static int close_shipped(void **state)
{
	store_close(*state);
	return 0;
}

static struct cursor *rows(void **state, enum table_id table)
{
	struct error err = {0};
	struct cursor *cursor = store_rows(*state, table, -1, &err);

	if (cursor == NULL)
		fail_msg("%s", err.text);
	return cursor;
}

static void is_small_enough(void **state)
{
	struct stat info;

	(void)state;
	assert_int_equal(stat(path(), &info), 0);
	assert_in_range(info.st_size, 1, MAX_BYTES);
}

/* All but those that a family cannot have whose kernels take no time stamps. */
static void all_passes_are_done(void **state)
{
	struct cursor *cursor = rows(state, TABLE_PASS);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++) {
		const char *family = cursor_text(cursor, PASS_family), *pass = cursor_text(cursor, PASS_pass);
		bool unstamped = strcmp(family, "stream") == 0 || strcmp(family, "tile-pipeline") == 0;

		assert_string_equal(cursor_text(cursor, PASS_status),
			unstamped && strcmp(pass, "phases") == 0 ? "skipped" : "done");
	}
	cursor_close(cursor);
	assert_int_equal(n, 6 * (6 + 3)); /* three processes for the time pass */
}

static void counters_have_values(void **state)
{
	struct cursor *cursor = rows(state, TABLE_COUNTER);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++)
		if (isnan(cursor_real(cursor, COUNTER_value)))
			fail_msg("%s/%s: %s has no value", cursor_text(cursor, COUNTER_family),
				cursor_text(cursor, COUNTER_variant), cursor_text(cursor, COUNTER_metric));
	cursor_close(cursor);
	assert_true(n > 2000);
}

/* The samples that a run promises, less those with a row. */
static void pc_samples_add_up(void **state)
{
	struct cursor *runs = rows(state, TABLE_STALLRUN), *stalls = rows(state, TABLE_STALL);
	int64_t missing = 0, found = 0;

	while (cursor_next(runs, NULL) > 0)
		missing += cursor_int(runs, STALLRUN_total) - cursor_int(runs, STALLRUN_dropped) -
			   cursor_int(runs, STALLRUN_foreign);
	while (cursor_next(stalls, NULL) > 0)
		found += cursor_int(stalls, STALL_samples);
	cursor_close(runs);
	cursor_close(stalls);
	assert_true(found > 1000000);
	assert_int_equal(found, missing);
}

static void no_pm_sample_is_lost(void **state)
{
	struct cursor *cursor = rows(state, TABLE_PMRUN);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++)
		assert_int_equal(cursor_int(cursor, PMRUN_overflow), 0);
	cursor_close(cursor);
	assert_int_equal(n, 6 * 2 * 3);
}

/* Where all blocks run at once, the kernel ends with its stamped ones: tests/gpu/phases.test. */
static void time_stamps_are_cheap(void **state)
{
	struct cursor *cursor = rows(state, TABLE_PHASERUN);
	int n = 0;

	while (cursor_next(cursor, NULL) > 0) {
		if (cursor_int(cursor, PHASERUN_gridBlocks) < 1000)
			continue;
		n++;
		assert_true(cursor_real(cursor, PHASERUN_stampedNs) <= 1.03 * cursor_real(cursor, PHASERUN_plainNs));
	}
	cursor_close(cursor);
	assert_true(n > 20);
}

/* Each case by three processes, each sample with the clock that was measured behind it, none while throttled. */
static void times_come_from_three_runs(void **state)
{
	struct cursor *cursor = rows(state, TABLE_SAMPLE);
	unsigned runs = 0;
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++) {
		runs |= 1u << cursor_int(cursor, SAMPLE_run);
		assert_false(cursor_null(cursor, SAMPLE_measuredMhz));
		assert_true(cursor_real(cursor, SAMPLE_measuredMhz) > 1000);
	}
	cursor_close(cursor);
	assert_true(n > 2000);
	assert_int_equal(runs, 7);
}

/* When the first block of a case ended; INT64_MAX if none did. */
static int64_t first_block(void **state, const char *family, const char *label)
{
	struct cursor *cursor = rows(state, TABLE_CLOCK);
	int64_t first = INT64_MAX;

	while (cursor_next(cursor, NULL) > 0)
		if (strcmp(cursor_text(cursor, CLOCK_family), family) == 0 &&
			strcmp(cursor_text(cursor, CLOCK_caseLabel), label) == 0 &&
			cursor_int(cursor, CLOCK_timestamp) < first)
			first = cursor_int(cursor, CLOCK_timestamp);
	cursor_close(cursor);
	return first;
}

static void predictions_came_first(void **state)
{
	struct cursor *cursor = rows(state, TABLE_PREDICTION);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++) {
		const char *family = cursor_text(cursor, PREDICTION_family);
		int64_t first = first_block(state, family, cursor_text(cursor, PREDICTION_caseLabel));

		assert_true(first < INT64_MAX);
		assert_true(cursor_int(cursor, PREDICTION_timestamp) < first);
		assert_true(cursor_real(cursor, PREDICTION_ratio) > 0.5);
		assert_true(cursor_real(cursor, PREDICTION_ratio) < 3);
	}
	cursor_close(cursor);
	assert_true(n >= 10); /* every timed case but that of warp-scan */
}

static void the_machine_was_measured(void **state)
{
	struct cursor *cursor = rows(state, TABLE_MACHINE);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++)
		if (cursor_null(cursor, MACHINE_value))
			fail_msg("%s could not be measured", cursor_text(cursor, MACHINE_key));
	cursor_close(cursor);
	assert_true(n >= 6 * 20);
}

static bool wrong_on_purpose(const char *variant)
{
	return strcmp(variant, "in-place-race") == 0 || strcmp(variant, "no-volatile") == 0;
}

static void what_should_be_right_is(void **state)
{
	struct cursor *cursor = rows(state, TABLE_VERIFY);
	int n = 0, lessons = 0;

	for (; cursor_next(cursor, NULL) > 0; n++) {
		if (!wrong_on_purpose(cursor_text(cursor, VERIFY_variant)))
			assert_int_equal(cursor_int(cursor, VERIFY_wrong), 0);
		else
			lessons += cursor_int(cursor, VERIFY_wrong) > 0;
	}
	cursor_close(cursor);
	assert_true(n > 100);
	/* A lesson that never failed would show nothing. */
	assert_true(lessons > 0);
}

static void host_and_records_agree(void **state)
{
	struct cursor *cursor = rows(state, TABLE_COUNT);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0; n++) {
		int64_t host = cursor_int(cursor, COUNT_host), recorded = cursor_int(cursor, COUNT_recorded);

		if (cursor_int(cursor, COUNT_lowerBound))
			assert_true(recorded >= host);
		else
			assert_int_equal(recorded, host);
	}
	cursor_close(cursor);
	assert_true(n > 0);
}

/* A variant must run its own family's kernel: two families once shared one, because the linker merged their templates.
 */
static void families_share_no_kernel_but_their_own(void **state)
{
	static char family[MAX_KERNELS][NAME], symbol[MAX_KERNELS][NAME];
	struct cursor *cursor = rows(state, TABLE_RESOURCE);
	int n = 0;

	for (; cursor_next(cursor, NULL) > 0 && n < MAX_KERNELS; n++) {
		snprintf(family[n], NAME, "%s", cursor_text(cursor, RESOURCE_family));
		snprintf(symbol[n], NAME, "%s", cursor_text(cursor, RESOURCE_symbol));
		for (int i = 0; i < n; i++)
			if (strcmp(symbol[i], symbol[n]) == 0 && strcmp(family[i], family[n]) != 0)
				fail_msg("%s and %s both run %s", family[i], family[n], symbol[n]);
	}
	cursor_close(cursor);
	assert_in_range(n, 1, MAX_KERNELS - 1);
}

static void sources_and_ptx_travel_with_it(void **state)
{
	static const enum table_id tables[] = {TABLE_SOURCE, TABLE_PTX};

	for (int i = 0; i < 2; i++) {
		struct cursor *cursor = rows(state, tables[i]);
		int n = 0;

		while (cursor_next(cursor, NULL) > 0)
			n++;
		cursor_close(cursor);
		assert_true(n >= 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_small_enough),
		cmocka_unit_test(all_passes_are_done),
		cmocka_unit_test(counters_have_values),
		cmocka_unit_test(pc_samples_add_up),
		cmocka_unit_test(no_pm_sample_is_lost),
		cmocka_unit_test(times_come_from_three_runs),
		cmocka_unit_test(predictions_came_first),
		cmocka_unit_test(the_machine_was_measured),
		cmocka_unit_test(time_stamps_are_cheap),
		cmocka_unit_test(what_should_be_right_is),
		cmocka_unit_test(host_and_records_agree),
		cmocka_unit_test(families_share_no_kernel_but_their_own),
		cmocka_unit_test(sources_and_ptx_travel_with_it),
	};

	return cmocka_run_group_tests_name("shipped recording", tests, open_shipped, close_shipped);
}
