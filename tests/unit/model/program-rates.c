/*
 * program-rates.c: how often contrasts of programs are right: made-up pairs of which the truth is known, from rows of a
 * recording to the verdict. Half of them are the same program twice, half are 5 % apart. The noise is that of
 * processes: each run has its own luck. Rates are printed with their 95 % intervals; docs/contrast.md explains them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "contrast/measure/plan.h"
#include "fixtures/model-fixture.h"
#include "fixtures/noise.h"
#include "fixtures/tier.h"
#include "tree/tree.h"

enum { PAIRS_OF_A_KIND = 100, PAIRS_AGAIN = 20, RUNS_OF_BLOCK = 4, RUN_NS = 100000000 };

static const double planted = 1.05, normal_quantile = 1.96;

/* What disturbs the runs, as shares of their time. */
struct luck {
	const char *name;
	int blocks;
	double process;         /* standard deviation of what a process has for all of its steps */
	double drift;           /* over all runs, linear in time */
	double wave;            /* amplitude of a wave of three to thirteen blocks */
	double late, late_most; /* how many runs take longer, and by how much at most */
	double slow_clock;      /* how many runs have a clock that is 3 % slower */
	int every;              /* one run in so many is slower by `slow`; 0: none */
	double slow;
	bool too_much; /* more than 5 % can be found in: only what is called different counts */
};

static const struct luck lucks[] = {
	{"processes differ by 0.3 %", 12, .process = 0.003},
	{"six blocks, processes differ by 1 %", 6, .process = 0.01},
	{"processes differ by 1 %", 12, .process = 0.01},
	{"processes differ by 4 %", 12, .process = 0.04, .too_much = true},
	{"a drift of 5 %", 12, .process = 0.003, .drift = 0.05},
	{"a wave of 2 %", 12, .process = 0.003, .wave = 0.02},
	{"5 % of the runs are up to 30 % late", 12, .process = 0.003, .late = 0.05, .late_most = 0.3},
	{"a tenth of the runs has a slow clock", 12, .process = 0.003, .slow_clock = 0.1},
};

/* A pair, and where in time its runs stand. */
struct trial_pair {
	const struct luck *luck;
	struct random *random;
	double phase, period;
	uint64_t seed; /* of the order of the sides */
};

static double run_factor(const struct trial_pair *pair, double block, double *mhz)
{
	const struct luck *luck = pair->luck;
	double factor = 1 + luck->process * random_normal(pair->random) + luck->drift * block / luck->blocks +
			luck->wave * sin(pair->phase + 2 * M_PI * block / pair->period);

	*mhz = 1980;
	if (random_uniform(pair->random) < luck->late)
		factor += luck->late_most * random_uniform(pair->random);
	if (random_uniform(pair->random) < luck->slow_clock) {
		*mhz /= 1.03;
		factor *= 1.03;
	}
	return factor;
}

/* `number`: of the run, from the first block on. */
static double turn_factor(const struct trial_pair *pair, int number)
{
	const struct luck *luck = pair->luck;

	return luck->every && number % luck->every == (int)(pair->seed % (uint64_t)luck->every) ? 1 + luck->slow : 1;
}

/* `ns`: of each side. */
static void write_run(struct recording *rec, const struct trial_pair *pair, const char *family, int block, int position,
	bool traced, const double side_ns[2])
{
	const struct plan_half half = plan_half_of(pair->seed, 2, (size_t)block, traced);
	size_t side = plan_side_at(&half, (size_t)position);
	const char *variant = side == 0 ? "single" : "other";
	int number = 2 * RUNS_OF_BLOCK * block + RUNS_OF_BLOCK * traced + position;
	double mhz, ns = side_ns[side];
	double factor = turn_factor(pair, number) *
			run_factor(pair, block + (position + RUNS_OF_BLOCK * traced) / (2.0 * RUNS_OF_BLOCK), &mhz);

	fixture_row(rec,
		"BLOCK family=%s variant=%s kind=%s block=%d position=%d start=%lld end=%lld steps=10 stepNs=%.17g "
		"smMhz=%.17g powerMw=350000 throttle=0 readings=10",
		family, variant, traced ? "traced" : "host", block, position, (long long)number * RUN_NS,
		(long long)(number + 1) * RUN_NS, (ns + 100000) * factor, mhz);
	fixture_row(rec, "SAMPLE family=%s variant=%s caseLabel=%s block=%d position=%d launches=1 ns=%.17g run=%d",
		family, variant, traced ? "kernels" : "program", block, position, (traced ? ns : ns + 100000) * factor,
		number);
}

static void write_pair(struct recording *rec, const struct luck *luck, int number, double ratio, struct random *random)
{
	const struct trial_pair pair = {luck, random, 2 * M_PI * random_uniform(random),
		3 + 10 * random_uniform(random), (uint64_t)(1e9 * random_uniform(random))};
	const double side_ns[] = {1000000 * ratio, 1000000};
	char family[32];

	snprintf(family, sizeof(family), "pair-%d", number);
	fixture_row(rec, "FAMILY name=%s ord=%d title=x question=y single=single double=other origin=programs", family,
		number);
	for (int i = 0; i < 2; i++) {
		const char *variant = i ? "other" : "single";

		fixture_row(rec,
			"VARIANT family=%s name=%s ord=%d summary=x kind=candidate buffers=%d teachesFailure=0", family,
			variant, i, i + 1);
		fixture_row(rec, "SIDE family=%s variant=%s command=x exit=0 output=aa outputBytes=1 outputCheck=same",
			family, variant);
		fixture_row(rec, "CASE family=%s label=%s ord=%d verifyOnly=0 measures=%s", family,
			i ? "program" : "kernels", i, i ? "program" : "kernels");
	}
	for (int block = 0; block < luck->blocks; block++)
		for (int k = 0; k < 2 * RUNS_OF_BLOCK; k++)
			write_run(rec, &pair, family, block, k % RUNS_OF_BLOCK, k >= RUNS_OF_BLOCK, side_ns);
}

/* How many of n pairs were called what they are not, and how many faster. */
struct rates {
	int n, faster, slower, same;
};

static void count_verdicts(const json_t *tree, int first, int n, const char *which, struct rates *rates)
{
	for (int i = first; i < first + n; i++) {
		char path[96];
		const char *verdict;

		snprintf(path, sizeof(path), "families.%d.verdicts.%s.verdict", i, which);
		verdict = json_string_value(at(tree, path));
		rates->n++;
		rates->faster += strcmp(verdict, "faster") == 0;
		rates->slower += strcmp(verdict, "slower") == 0;
		rates->same += strcmp(verdict, "same") == 0;
	}
}

/* Wilson's interval of a share of n, in percent. */
static void print_share(const char *what, int hits, int n)
{
	double p = (double)hits / n, z2 = normal_quantile * normal_quantile, middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	double half = normal_quantile / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4.0 * n * n));

	printf("  %s %.1f %% (%.1f to %.1f)", what, 100 * p, 100 * fmax(0, middle - half),
		100 * fmin(1, middle + half));
}

/* `n` pairs of the same program, and `n` that are apart. */
static json_t *model_of_pairs(const struct luck *luck, int n, struct random *random)
{
	struct recording *rec = fixture_begin("pairs.sqlite");
	struct error err = {0};

	assert_int_equal(scenario_facts(rec, &err), 0);
	assert_int_equal(scenario_gpu(rec, 0, &err), 0);
	for (int i = 0; i < 2 * n; i++)
		write_pair(rec, luck, i, i < n ? 1 : planted, random);
	fixture_end(rec);
	return fixture_model("pairs.sqlite");
}

static void judge_kind(const struct luck *luck, struct random *random, struct rates sum[2])
{
	int n = all_or(PAIRS_OF_A_KIND, PAIRS_AGAIN);
	json_t *tree = model_of_pairs(luck, n, random);

	for (int k = 0; k < 2; k++) {
		struct rates alike = {0}, apart = {0};

		count_verdicts(tree, 0, n, k ? "program" : "kernel", &alike);
		count_verdicts(tree, n, n, k ? "program" : "kernel", &apart);
		printf("%-38s %-7s", luck->name, k ? "program" : "kernels");
		print_share("A/A different", alike.faster + alike.slower, n);
		print_share("A/A same", alike.same, n);
		print_share("5 % found", apart.faster, n);
		printf("\n");
		/* 2 % are allowed, and the luck of so few pairs. */
		assert_true(alike.faster + alike.slower <= 1 + 0.05 * n);
		sum[0].n += n;
		sum[0].faster += alike.faster + alike.slower;
		if (luck->too_much)
			continue;
		/* None is ever called what it is not. */
		assert_int_equal(apart.slower + apart.same, 0);
		sum[1].n += n;
		sum[1].faster += apart.faster;
	}
	json_decref(tree);
}

static void verdicts_hold(void **state)
{
	struct random random = {19};
	struct rates sum[2] = {{0}};

	(void)state;
	for (size_t i = 0; i < sizeof(lucks) / sizeof(lucks[0]); i++)
		judge_kind(&lucks[i], &random, sum);
	printf("all:");
	print_share("A/A different", sum[0].faster, sum[0].n);
	print_share("5 % found", sum[1].faster, sum[1].n);
	printf("\n");
	assert_true(sum[0].faster <= 0.02 * sum[0].n);
	assert_true(sum[1].faster >= 0.95 * sum[1].n);
}

/* ---- few blocks of runs that differ by much ---- */

static const struct luck few[] = {
	{"1 %, 6 blocks", 6, .process = 0.01},
	{"1 %, 8 blocks", 8, .process = 0.01},
	{"1 %, 6 blocks, 5 % of the runs late", 6, .process = 0.01, .late = 0.05, .late_most = 0.3},
	{"4 %, 6 blocks", 6, .process = 0.04},
	{"4 %, 8 blocks", 8, .process = 0.04},
	{"4 %, 24 blocks", 24, .process = 0.04},
	{"10 %, 6 blocks", 6, .process = 0.1},
	{"10 %, 8 blocks", 8, .process = 0.1},
	{"10 %, 15 blocks", 15, .process = 0.1},
	{"10 %, 24 blocks", 24, .process = 0.1},
};

static enum verdict verdict_by_interval(const json_t *verdict)
{
	const json_t *ratio = json_object_get(verdict, "ratio");

	return verdict_of(
		&(struct ratio){.low = tree_real(ratio, "low"), .high = tree_real(ratio, "high")}, same_band, true);
}

static bool ranks_fail_at_most(const json_t *verdict)
{
	const json_t *reasons = json_object_get(verdict, "reasons");

	return json_array_size(reasons) == 0 ||
	       (json_array_size(reasons) == 1 && strcmp(json_string_value(json_array_get(reasons, 0)), "ranks") == 0);
}

/* By what a verdict would be told: the interval alone, all checks but that of the order, and all of them. */
enum by { BY_INTERVAL, BY_OTHER_CHECKS, BY_ALL, BY_KINDS };

/* Verdicts that are clear. [0]: of the same program, [1]: of those that are apart. */
struct few_rates {
	int n, clear[BY_KINDS][2];
};

static void count_clear(const json_t *verdict, int apart, struct few_rates *sum)
{
	bool clear = verdict_is_clear(verdict_by_interval(verdict));

	sum->clear[BY_INTERVAL][apart] += clear;
	sum->clear[BY_OTHER_CHECKS][apart] += clear && ranks_fail_at_most(verdict);
	sum->clear[BY_ALL][apart] += verdict_is_clear(verdict_named(tree_text(verdict, "verdict")));
}

static void judge_few(const struct luck *luck, struct random *random, struct few_rates *sum)
{
	const int n = all_or(PAIRS_OF_A_KIND, PAIRS_AGAIN), batches = all_or(5, 1);

	for (int batch = 0; batch < batches; batch++) {
		json_t *tree = model_of_pairs(luck, n, random);

		for (int i = 0; i < 4 * n; i++) {
			char path[96];

			snprintf(path, sizeof(path), "families.%d.verdicts.%s", i / 2, i % 2 ? "program" : "kernel");
			count_clear(at(tree, path), i / 2 >= n, sum);
		}
		json_decref(tree);
	}
	sum->n = 2 * n * batches;
}

/* The interval holds what it says, 95 %, so it may call one equal pair in twenty different. The order of the runs
 * inside of blocks keeps the verdict from it. */
static void few_blocks_do_not_mislead(void **state)
{
	static const char *const names[] = {"by interval", "by other checks", "by all"};
	struct random random = {23};
	int wrong[BY_KINDS] = {0}, n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(few) / sizeof(few[0]); i++) {
		struct few_rates rates = {0};

		judge_few(&few[i], &random, &rates);
		for (int apart = 0; apart < 2; apart++) {
			printf("%-36s%s", few[i].name, apart ? "5 % found    " : "A/A different");
			for (int by = 0; by < BY_KINDS; by++)
				print_share(names[by], rates.clear[by][apart], rates.n);
			printf("\n");
		}
		for (int by = 0; by < BY_KINDS; by++)
			wrong[by] += rates.clear[by][0];
		n += rates.n;
		/* Where runs differ by little nothing is lost. */
		if (few[i].process <= 0.01 && few[i].late == 0)
			assert_true(rates.clear[BY_ALL][1] >= 0.99 * rates.clear[BY_INTERVAL][1]);
	}
	assert_true(wrong[BY_ALL] < wrong[BY_OTHER_CHECKS]);
	assert_true(wrong[BY_ALL] <= 0.01 * n);
}

/* ---- what comes by turns ---- */

/* An equal program is not called different because one run in some is slow, whichever that is. */
static void turns_do_not_mislead(void **state)
{
	enum { EVERY_MOST = 16 };
	struct random random = {29};
	int wrong = 0, n = 0;

	(void)state;
	for (int every = 2; every <= EVERY_MOST; every++)
		for (int slow = 0; slow < 2; slow++) {
			const struct luck luck = {"", 6, .process = 0.003, .every = every, .slow = slow ? 0.4 : 0.05};
			struct few_rates rates = {0};

			judge_few(&luck, &random, &rates);
			printf("every %2d is slower by %2.0f %%", every, 100 * luck.slow);
			print_share("A/A different", rates.clear[BY_ALL][0], rates.n);
			print_share("by interval", rates.clear[BY_INTERVAL][0], rates.n);
			printf("\n");
			wrong += rates.clear[BY_ALL][0];
			n += rates.n;
		}
	assert_true(wrong <= 0.02 * n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {scratch_test(verdicts_hold), scratch_test(few_blocks_do_not_mislead),
		scratch_test(turns_do_not_mislead)};

	return cmocka_run_group_tests_name("model: rates of programs", tests, NULL, NULL);
}
