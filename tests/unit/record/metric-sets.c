/* metric-sets.c: the parser of metric sets, and every set that ships against every chip that CUPTI knows. No GPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/count/groups.h"
#include "fixtures/tier.h"
#include "record/cupti/metric-set.h"
#include "record/cupti/profiler.h"
#include "tree/counter-keys.h"

/* ---- the parser ---- */

#define HEAD "title A title\npass counters\norder 2\npasses 3\n"
#define VALUE "value v\ntitle t\nunit %\nmeaning m\n"

static void parse(const char *text, struct metric_set *set)
{
	struct error err = {0};

	if (metric_set_parse("try", text, set, &err) < 0)
		fail_msg("%s", err.text);
}

static void takes_what_a_file_says(void **state)
{
	struct metric_set set;

	(void)state;
	parse("# a comment\n\n" HEAD
	      "\n  value  busy_share  \ntitle\tBusy\nunit %\nformula 100 * a__b.sum / (c__d.avg + a__b.sum)\n"
	      "meaning What it means.\nlacking GA10B GB10B\n",
		&set);
	assert_string_equal(set.name, "try");
	assert_string_equal(set.title, "A title");
	assert_int_equal(set.pass, PASS_COUNTERS);
	assert_int_equal(set.order, 2);
	assert_int_equal(set.passes, 3);
	assert_int_equal(set.nvalues, 1);
	assert_string_equal(set.values[0].key, "busy_share");
	assert_string_equal(set.values[0].title, "Busy");
	assert_string_equal(set.values[0].formula, "100 * a__b.sum / (c__d.avg + a__b.sum)");
	assert_string_equal(set.values[0].lacking, "GA10B GB10B");
	assert_int_equal(set.nmetrics, 2);
	assert_string_equal(set.metrics[0], "a__b.sum");
	assert_string_equal(set.metrics[1], "c__d.avg");
	metric_set_free(&set);
}

static void a_metric_of_two_values_is_collected_once(void **state)
{
	struct metric_set sets[2];
	const char **metrics;
	int n;

	(void)state;
	parse(HEAD VALUE "formula a.sum\n" VALUE "formula b.sum / a.sum\n", &sets[0]);
	parse(HEAD VALUE "formula c.sum - b.sum\n", &sets[1]);
	assert_int_equal(sets[0].nmetrics, 2);
	metrics = metric_sets_metrics(sets, 2, &n);
	assert_int_equal(n, 3);
	assert_string_equal(metrics[0], "a.sum");
	assert_string_equal(metrics[1], "b.sum");
	assert_string_equal(metrics[2], "c.sum");
	free(metrics);
	metric_set_free(&sets[0]);
	metric_set_free(&sets[1]);
}

static void refuses(const char *text, const char *why)
{
	struct metric_set set;
	struct error err = {0};

	assert_int_equal(metric_set_parse("try", text, &set, &err), -1);
	if (strstr(err.text, why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

static void a_bad_file_is_refused_with_its_line(void **state)
{
	(void)state;
	refuses("", "title, pass, order or passes is missing");
	refuses(HEAD, "there is no value");
	refuses("title a\norder 1\npasses 1\n" VALUE "formula a\n", "title, pass, order or passes is missing");
	refuses("title a\npass trace\n", "try.set, line 2: pass is counters or pm, not trace");
	refuses("order 0\n", "line 1: not a number from 1 to 1000: 0");
	refuses("passes two\n", "line 1: not a number from 1 to 1000: two");
	refuses("colour red\n", "line 1: before the first value there is no keyword colour");
	refuses(HEAD VALUE "formula a\ncolour red\n", "line 10: there is no keyword colour");
	refuses(HEAD "value A\n", "line 5: a value's name is of a-z, 0-9 and _, not A");
	refuses(HEAD "value\n", "line 5: nothing follows value");
	refuses(HEAD VALUE, "title, unit, formula or meaning of v is missing");
	refuses(HEAD VALUE "formula a.sum +\n", "line 9: no formula: no number, name or parenthesis at character 8");
	refuses(HEAD VALUE "formula (a.sum\n", "no closing parenthesis");
}

static void many(const char *line, int n, const char *why)
{
	char *text = malloc(strlen(HEAD) + (size_t)n * 80 + 80), *at = text;

	assert_non_null(text);
	at += sprintf(at, HEAD);
	for (int i = 0; i < n; i++)
		at += sprintf(at, line, i);
	refuses(text, why);
	free(text);
}

static void too_much_is_refused(void **state)
{
	char formula[1200] = HEAD VALUE "formula m";

	(void)state;
	many("value v%d\n", METRIC_SET_VALUES + 1, "too many values");
	for (int i = 0; i <= METRIC_SET_METRICS; i++)
		sprintf(formula + strlen(formula), " + m%d", i);
	refuses(formula, "too many metrics");
}

/* ---- the sets that ship ---- */

struct every {
	struct cupti cupti;
	struct profiler profiler;
	const char *const *chips;
	size_t nchips;
};

static int open_cupti(void **state)
{
	static struct every every;
	struct error err = {0};

	*state = &every;
#ifdef __SANITIZE_ADDRESS__
	print_message(
		"AddressSanitizer cannot load CUPTI's libraries: they ask for symbols of their own (RTLD_DEEPBIND)\n");
	return 0;
#endif
	if (cupti_open(&every.cupti, &err) < 0) {
		print_message("without CUPTI: %s\n", err.text);
		return 0;
	}
	if (profiler_open(&every.profiler, &every.cupti, &err) == 0 &&
		profiler_chips(&every.profiler, &every.chips, &every.nchips, &err) == 0)
		return 0;
	print_message("%s\n", err.text);
	return -1;
}

static int close_cupti(void **state)
{
	struct every *every = *state;

	profiler_close(&every->profiler);
	return 0;
}

static bool names_chip(const char *list, const char *chip)
{
	size_t length = strlen(chip);

	for (const char *p = list; (p = strstr(p, chip)) != NULL; p += length)
		if ((p == list || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
			return true;
	return false;
}

/* The metrics of one value. */
static void metrics_of(const struct metric_set *set, const struct derived_metric *value, struct metric_set *out)
{
	char text[2048];

	snprintf(text, sizeof text,
		"title %s\npass counters\norder 1\npasses 1\nvalue %s\ntitle x\nunit x\nmeaning x\nformula %s\n",
		set->title, value->key, value->formula);
	parse(text, out);
}

/* A value is lacking where its file says so, and nowhere else. */
static int check_value(const struct every *every, enum profiler_kind kind, const char *chip,
	const struct metric_set *set, const struct derived_metric *value)
{
	struct error err = {0};
	struct metric_set one;
	bool said = names_chip(value->lacking, chip), known;
	int wanted;

	metrics_of(set, value, &one);
	wanted = one.nmetrics;
	known = metrics_known(&every->profiler, kind, chip, NULL, one.metrics, &one.nmetrics, &err) == 0 &&
		one.nmetrics == wanted;
	metric_set_free(&one);
	if (known != said)
		return 0;
	print_message("%s, %s.set: %s is %s, but the file says that it %s\n", chip, set->name, value->key,
		known ? "there" : "lacking", said ? "is lacking" : "is there");
	return 1;
}

static int check_passes(
	const struct every *every, enum profiler_kind kind, const char *chip, struct metric_set *set, size_t *passes)
{
	struct error err = {0};
	struct metric_plan *plan;
	int all = set->nmetrics;

	*passes = 0;
	if (metrics_known(&every->profiler, kind, chip, NULL, set->metrics, &set->nmetrics, &err) == 0 &&
		set->nmetrics > 0) {
		plan = metric_plan_new(&every->profiler, kind, chip, NULL, set->metrics, set->nmetrics, &err);
		if (plan == NULL) {
			print_message("%s, %s.set: %s\n", chip, set->name, err.text);
			return 1;
		}
		*passes = metric_plan_passes(plan);
		metric_plan_free(plan);
	}
	if (*passes <= (size_t)set->passes && (*passes > 0 || set->nmetrics == 0) && all > 0)
		return 0;
	print_message(
		"%s, %s.set: takes %zu passes, the file says %d at most\n", chip, set->name, *passes, set->passes);
	return 1;
}

/* Whether the chip has counters of this kind at all; GV11B has none, GV100 none for PM sampling. */
static bool has_counters(const struct every *every, enum profiler_kind kind, const char *chip)
{
	struct error err = {0};
	const char *none[1] = {NULL};
	int n = 0;

	return metrics_known(&every->profiler, kind, chip, NULL, none, &n, &err) == 0;
}

static int check_chip(const struct every *every, enum pass pass, const char *chip, size_t *most)
{
	enum profiler_kind kind = pass == PASS_PM ? PROFILER_PM : PROFILER_RANGE;
	struct metric_set *sets;
	struct error err = {0};
	size_t passes;
	int n, wrong = 0;

	if (metric_sets_load(pass, &sets, &n, &err) < 0)
		fail_msg("%s", err.text);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < sets[i].nvalues; j++)
			wrong += check_value(every, kind, chip, &sets[i], &sets[i].values[j]);
		wrong += check_passes(every, kind, chip, &sets[i], &passes);
		most[i] = passes > most[i] ? passes : most[i];
	}
	metric_sets_free(sets, n);
	return wrong;
}

static void check_all(const struct every *every, enum pass pass)
{
	enum profiler_kind kind = pass == PASS_PM ? PROFILER_PM : PROFILER_RANGE;
	size_t most[64] = {0};
	struct metric_set *sets;
	struct error err = {0};
	int n, wrong = 0, chips = 0;

	if (every->nchips == 0)
		skip();
	for (size_t i = 0; i < every->nchips; i += (size_t)all_or(1, 3)) {
		if (!has_counters(every, kind, every->chips[i]))
			continue;
		chips++;
		wrong += check_chip(every, pass, every->chips[i], most);
	}
	assert_int_equal(metric_sets_load(pass, &sets, &n, &err), 0);
	for (int i = 0; i < n; i++)
		print_message("%-16s at most %2zu passes on %d chips, the file says %d\n", sets[i].name, most[i], chips,
			sets[i].passes);
	metric_sets_free(sets, n);
	assert_true(chips > all_or(20, 6));
	assert_int_equal(wrong, 0);
}

static void every_counter_is_there_on_every_chip(void **state)
{
	check_all(*state, PASS_COUNTERS);
}

/* PM sampling has one pass. */
static void every_pm_set_takes_one_pass(void **state)
{
	struct metric_set *sets;
	struct error err = {0};
	int n;

	assert_int_equal(metric_sets_load(PASS_PM, &sets, &n, &err), 0);
	for (int i = 0; i < n; i++)
		assert_int_equal(sets[i].passes, 1);
	metric_sets_free(sets, n);
	check_all(*state, PASS_PM);
}

static void sets_come_in_the_order_of_the_report(void **state)
{
	static const enum pass passes[] = {PASS_COUNTERS, PASS_PM};

	(void)state;
	for (size_t p = 0; p < 2; p++) {
		struct metric_set *sets;
		struct error err = {0};
		int n;

		assert_int_equal(metric_sets_load(passes[p], &sets, &n, &err), 0);
		for (int i = 1; i < n; i++)
			assert_true(sets[i].order > sets[i - 1].order);
		for (int i = 0; i < n; i++)
			assert_int_equal(sets[i].pass, passes[p]);
		metric_sets_free(sets, n);
	}
}

static bool is_in_a_set(const struct metric_set *sets, int n, const char *key)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < sets[i].nvalues; j++) {
			if (strcmp(sets[i].values[j].key, key) == 0)
				return true;
		}
	}
	return false;
}

/* A set may be edited; then the rules that name a cause must not fall silent unnoticed. */
static void what_the_report_names_is_in_a_set(void **state)
{
	static const char *const keys[] = {KEY_OCCUPANCY, KEY_INSTRUCTIONS, KEY_DRAM_BYTES, KEY_STALL_BARRIER,
		KEY_STALL_LONG_SCOREBOARD, KEY_STALL_SELECTED, KEY_ISSUE_BARRIER, KEY_THROUGHPUT "sm",
		KEY_THROUGHPUT "l1", KEY_THROUGHPUT "l2", KEY_THROUGHPUT "dram"};
	struct metric_set *sets;
	struct error err = {0};
	int n;

	(void)state;
	assert_int_equal(metric_sets_load(PASS_COUNTERS, &sets, &n, &err), 0);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!is_in_a_set(sets, n, keys[i]))
			fail_msg("no set has %s", keys[i]);
	}
	metric_sets_free(sets, n);
}

/* ---- groups of contrasts of programs ---- */

static size_t metrics_in(const struct metering *metering, const struct metered_list *list)
{
	size_t n = COUNT_CONTROLS;

	for (size_t i = 0; i < list->n; i++)
		n += metering->groups[list->groups[i]].group.nmetrics - COUNT_CONTROLS;
	return n;
}

static void check_groups(const char *chip)
{
	struct metering metering;
	struct error err = {0};
	size_t all = 0;

	if (metering_open(&metering, chip, NULL, &err) < 0)
		fail_msg("%s: %s", chip, err.text);
	for (size_t launches = 100; launches > 0; launches = launches == 100 ? 3 : launches - 1) {
		const struct metered_list *list = metering_list(&metering, launches);
		const struct count_group *first = &metering.groups[list->groups[0]].group;

		/* What comes from one pass still does, and the controls cost nothing there. */
		assert_int_equal(first->passes, 1);
		assert_true(first->nmetrics > 8);
		assert_string_equal(first->metrics[0], COUNT_INSTRUCTIONS);
		assert_string_equal(first->metrics[1], COUNT_CYCLES);
		for (size_t i = 0; launches < PASSES_OF_A_GROUP && i < list->n; i++)
			assert_true(metering.groups[list->groups[i]].group.passes <= launches);
		all = launches == 100 ? metrics_in(&metering, list) : all;
		assert_int_equal(metrics_in(&metering, list) + list->lost, all);
		/* Some metrics take several passes each, but not many do. */
		assert_true(list->lost == 0 || (launches < 100 && list->lost < 10));
	}
	metering_close(&metering);
}

static void contrasts_lose_few_metrics(void **state)
{
	static const char *const some[] = {"GH100", "GA100", "AD102"};
	const struct every *every = *state;

	if (every->nchips == 0)
		skip();
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		check_groups(some[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_a_file_says),
		cmocka_unit_test(a_metric_of_two_values_is_collected_once),
		cmocka_unit_test(a_bad_file_is_refused_with_its_line),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(sets_come_in_the_order_of_the_report),
		cmocka_unit_test(what_the_report_names_is_in_a_set),
		cmocka_unit_test(every_counter_is_there_on_every_chip),
		cmocka_unit_test(every_pm_set_takes_one_pass),
		cmocka_unit_test(contrasts_lose_few_metrics),
	};

	return cmocka_run_group_tests(tests, open_cupti, close_cupti);
}
