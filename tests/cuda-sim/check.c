/* check.c: holds dbprof's estimates of simulated programs against what the changed programs take.
 * usage: check [--programs=N] [--from=SEED] [--class=NAME] [--only=NAME] [--seed=SEED] [--keep=FILE] [--buffers=K]
 *              [--all]
 *
 * Runs the named programs and N random ones (0), whose seeds count from SEED (1). Prints a table of classes, and the
 * programs that were worst. Ends with 1 if the limits below are not kept.
 *
 * --class=NAME  only programs of this class
 * --only=NAME   only the named program of this name
 * --seed=SEED   only the random program of this seed
 * --keep=FILE   leaves the last program's export there
 * --buffers=K   leaves there what the program with K buffers does, in place of what it does as it is; for looking at
 * --all         prints a line for each program
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change.h"
#include "export.h"
#include "model/model.h"
#include "programs.h"

/* What is asked of all programs together, and of each named one. */
#define LEAST_ESTIMATED 0.95
#define LEAST_RIGHT 0.98
#define MOST_MEDIAN 0.02
#define MOST_P95 0.10
#define MOST_NAMED 0.05
/* Shares of the loops' time: from PAYS on double buffering pays; a claim of PAYS below NOTHING is false. */
#define PAYS 0.02
#define NOTHING 0.005
#define NO_ERROR (-1.0)
/* The number of buffers, and the replay of a loop as it was. */
#define OFF 0.01
#define LEAST_ADVISED 0.95
#define LEAST_REPLAYED 0.98
#define MOST_REPLAY 0.02
/* How much longer than the loops the told ones may be, and for how many programs. */
#define MOST_LONGER 0.05
#define LEAST_LONG 0.98

struct estimate {
	bool there; /* an entry, or a reason why nothing is to be gained */
	int64_t gain, loops;
	size_t entries;
	int advised;   /* the first entry's number of buffers; 0: it tells none */
	double replay; /* how far the replay of a loop as it was is from the recording, at most, as a share */
};

struct result {
	const char *class, *name;
	uint64_t seed;
	struct truth truth;
	struct estimate estimate;
	double error; /* of the saving, as a share of it, or of PAYS of the loops' time if that is more; below 0 where
			 neither the truth nor the estimate pays: the verdict is all that counts */
};

struct options {
	long programs, from, seed, buffers;
	const char *class, *only, *keep;
	bool all;
};

struct results {
	struct result *items;
	int n, room;
};

/* ---- dbprof's estimate ---- */

/* The gains of loops in a list with two buffers. */
static int64_t gains_of(const json_t *list)
{
	int64_t sum = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		sum += (int64_t)json_number_value(json_object_get(json_array_get(list, i), "gain_ns"));
	return sum;
}

/* What docs/report-json.md calls `program.pays`: the gains of all loops with two buffers. Where there are such loops,
 * what the others gain counts too: each less than is listed, but the truth is of all loops. */
static struct estimate read_estimate(const json_t *tree)
{
	const json_t *recording = json_array_get(json_object_get(tree, "recordings"), 0);
	const json_t *program = json_object_get(recording, "program"), *pays = json_object_get(program, "pays");
	const json_t *first = json_array_get(pays, 0);
	struct estimate estimate = {.there = json_array_size(pays) > 0, .entries = json_array_size(pays)};

	estimate.gain = estimate.there ? gains_of(pays) + gains_of(json_object_get(program, "other_loops")) : 0;
	estimate.advised = (int)json_integer_value(json_object_get(first, "advised_buffers"));
	for (size_t i = 0; i < estimate.entries; i++) {
		const json_t *entry = json_array_get(pays, i);
		double replay = fabs(json_number_value(json_object_get(entry, "replay_error")));

		estimate.loops += (int64_t)json_number_value(json_object_get(entry, "loop_ns"));
		estimate.replay = replay > estimate.replay ? replay : estimate.replay;
	}
	return estimate;
}

static struct estimate estimate_of(const char *file)
{
	const struct model_options options = {.files = &file, .nfiles = 1, .version = "1"};
	struct error err = {0};
	json_t *tree = model_build(&options, &err);
	struct estimate estimate = {0};

	if (tree)
		estimate = read_estimate(tree);
	else
		fprintf(stderr, "check: %s\n", err.text);
	json_decref(tree);
	return estimate;
}

/* ---- one program ---- */

static double share_of(const struct result *result, int64_t ns)
{
	return result->truth.loops > 0 ? (double)ns / (double)result->truth.loops : 0;
}

static double truth_share(const struct result *result)
{
	return share_of(result, result->truth.saving[2]);
}

static double claim_share(const struct result *result)
{
	if (result->truth.loops == 0)
		return (double)result->estimate.gain / (double)result->truth.span;
	return share_of(result, result->estimate.gain);
}

static bool is_right(const struct result *result)
{
	return (truth_share(result) >= PAYS) == (claim_share(result) >= PAYS);
}

static bool is_false_claim(const struct result *result)
{
	return claim_share(result) >= PAYS && truth_share(result) < NOTHING;
}

/* Whether no more time is told to be that of loops than is. */
static bool is_as_long(const struct result *result)
{
	return (double)result->estimate.loops <= (1 + MOST_LONGER) * (double)result->truth.loops;
}

/* What counts as the best number of buffers: 2 % of the loops' time more or less, and 1 % for what the estimate is off.
 */
static bool is_advised_well(const struct result *result)
{
	const int64_t *saving = result->truth.saving;
	int advised = result->estimate.advised;
	int64_t best = 0;

	if (result->estimate.entries != 1 || advised < LEAST_BUFFERS || advised > MOST_BUFFERS)
		return true;
	for (int k = LEAST_BUFFERS; k <= MOST_BUFFERS; k++)
		best = saving[k] > best ? saving[k] : best;
	for (int k = LEAST_BUFFERS; k < advised; k++)
		if (share_of(result, best - saving[k]) < PAYS - OFF)
			return false;
	return share_of(result, best - saving[advised]) <= PAYS + OFF;
}

static double error_of(const struct result *result)
{
	double truth = (double)result->truth.saving[2], least = PAYS * (double)result->truth.loops;

	if (result->truth.loops == 0)
		least = PAYS * (double)result->truth.span;
	if (truth_share(result) < PAYS && claim_share(result) < PAYS)
		return NO_ERROR;
	return fabs((double)result->estimate.gain - truth) / (truth > least ? truth : least);
}

static struct result check_program(const struct program *p, const char *file)
{
	struct run *run = simulate(p);
	struct result result = {.class = p->class, .name = p->name, .seed = p->seed, .truth = truth_of(p)};

	if (!export_run(p, run, file))
		exit(99);
	run_free(run);
	result.estimate = estimate_of(file);
	/* Where nothing pays, no entry is an answer. */
	result.estimate.there |= truth_share(&result) < PAYS;
	result.error = error_of(&result);
	return result;
}

/* ---- all of them ---- */

static void print_head(void)
{
	printf("%-12s %-24s %8s  %9s  %9s  %9s  %7s  %s\n", "class", "program", "seed", "loops ms", "true ms",
		"told ms", "error", "buffers");
}

static void print_result(const struct result *result)
{
	printf("%-12s %-24s %8" PRIu64 "  %9.3f  %9.3f  %9.3f  %6.1f%%  %d %d%s%s%s\n", result->class, result->name,
		result->seed, (double)result->truth.loops / MS, (double)result->truth.saving[2] / MS,
		(double)result->estimate.gain / MS, result->error < 0 ? 0 : 100 * result->error, result->truth.advised,
		result->estimate.advised, !is_right(result) ? "  WRONG" : "",
		is_advised_well(result) ? "" : "  BUFFERS", is_as_long(result) ? "" : "  LONGER");
}

static void add_result(struct results *results, struct result result)
{
	if (results->n == results->room) {
		results->room = results->room == 0 ? 64 : 2 * results->room;
		results->items = realloc(results->items, (size_t)results->room * sizeof(*results->items));
		if (!results->items)
			abort();
	}
	results->items[results->n++] = result;
}

static void keep_changed(const struct program *p, int k, const char *file)
{
	struct program *changed = change_buffers(p, k);
	struct run *run = simulate(changed);

	export_run(changed, run, file);
	run_free(run);
	program_free(changed);
}

static void check_recipe(struct results *results, const struct recipe *recipe, uint64_t seed,
	const struct options *options, const char *file)
{
	struct program *p = recipe->make(recipe, seed);

	if (seed > 0)
		program_luck(p);
	add_result(results, check_program(p, file));
	if (options->all)
		print_result(&results->items[results->n - 1]);
	if (options->keep && options->buffers >= LEAST_BUFFERS)
		keep_changed(p, (int)options->buffers, file);
	program_free(p);
}

static bool is_wanted(const struct recipe *recipe, const struct options *options)
{
	return (!options->class || strcmp(options->class, recipe->class) == 0) &&
	       (!options->only || strcmp(options->only, recipe->name) == 0);
}

static void check_named(struct results *results, const struct options *options, const char *file)
{
	for (const struct recipe *recipe = named_programs; recipe->class; recipe++)
		if (options->seed == 0 && is_wanted(recipe, options))
			check_recipe(results, recipe, 0, options, file);
}

/* A seed's number chooses the class. */
static const struct recipe *recipe_of(uint64_t seed)
{
	uint64_t n = 0;

	while (random_programs[n].class)
		n++;
	return n == 0 ? NULL : &random_programs[seed % n];
}

static void check_random(struct results *results, const struct options *options, const char *file)
{
	long from = options->seed > 0 ? options->seed : options->from;
	long n = options->seed > 0 ? 1 : options->programs;

	for (long i = 0; i < n && !options->only; i++) {
		const struct recipe *recipe = recipe_of((uint64_t)(from + i));

		if (recipe && is_wanted(recipe, options))
			check_recipe(results, recipe, (uint64_t)(from + i), options, file);
	}
}

/* ---- what is found ---- */

static int by_error(const void *a, const void *b)
{
	const struct result *one = a, *other = b;

	return (one->error > other->error) - (one->error < other->error);
}

static int by_class(const void *a, const void *b)
{
	const struct result *one = a, *other = b;
	int order = strcmp(one->class, other->class);

	return order != 0 ? order : by_error(a, b);
}

struct sums {
	int n, estimated, right, claims, advised, replayed, as_long;
	double median, p95;
};

/* Of results in the order of their errors. */
static struct sums sums_of(const struct result *results, int n)
{
	struct sums sums = {.n = n};

	for (int i = 0; i < n; i++) {
		sums.estimated += results[i].estimate.there;
		sums.right += is_right(&results[i]);
		sums.claims += is_false_claim(&results[i]);
		sums.advised += is_advised_well(&results[i]);
		sums.replayed += results[i].estimate.replay <= MOST_REPLAY;
		sums.as_long += is_as_long(&results[i]);
	}
	for (; n > 0 && results->error < 0; n--)
		results++;
	if (n > 0) {
		sums.median = results[(n - 1) / 2].error;
		sums.p95 = results[(n - 1) * 95 / 100].error;
	}
	return sums;
}

static void print_sums(const char *class, const struct sums *sums)
{
	printf("%-12s %8d  %9d  %6d  %7.1f%%  %7.1f%%  %6d  %7d  %7d  %6d\n", class, sums->n, sums->estimated,
		sums->n - sums->right, 100 * sums->median, 100 * sums->p95, sums->claims, sums->n - sums->advised,
		sums->n - sums->replayed, sums->n - sums->as_long);
}

static void print_table(struct results *results)
{
	struct sums sums;

	printf("\n%-12s %8s  %9s  %6s  %8s  %8s  %6s  %7s  %7s  %6s\n", "class", "programs", "estimated", "wrong",
		"median", "p95", "false", "buffers", "replays", "longer");
	qsort(results->items, (size_t)results->n, sizeof(*results->items), by_class);
	for (int i = 0, from = 0; i < results->n; i++) {
		if (i + 1 < results->n && strcmp(results->items[i].class, results->items[i + 1].class) == 0)
			continue;
		sums = sums_of(results->items + from, i + 1 - from);
		print_sums(results->items[i].class, &sums);
		from = i + 1;
	}
}

static void print_worst(const struct results *results)
{
	printf("\nworst:\n");
	print_head();
	for (int i = results->n - 1; i >= 0 && i >= results->n - 20; i--)
		print_result(&results->items[i]);
}

static bool hold(bool kept, const char *what)
{
	if (!kept)
		printf("LIMIT: %s\n", what);
	return kept;
}

/* Named programs have the seed 0 and a limit each. */
static bool keep_limits(const struct results *results)
{
	struct sums sums = sums_of(results->items, results->n);
	double n = results->n;
	bool kept = true;

	kept &= hold(sums.estimated >= LEAST_ESTIMATED * n, "too few programs have an estimate");
	kept &= hold(sums.right >= LEAST_RIGHT * n, "too many verdicts are wrong");
	kept &= hold(sums.median <= MOST_MEDIAN, "the median error is too large");
	kept &= hold(sums.p95 <= MOST_P95, "the 95th percentile of the errors is too large");
	kept &= hold(sums.advised >= LEAST_ADVISED * n, "too many numbers of buffers are wrong");
	kept &= hold(sums.replayed >= LEAST_REPLAYED * n, "too many replays are unlike the recording");
	kept &= hold(sums.as_long >= LEAST_LONG * n, "too many loops are told to be longer than they are");
	kept &= hold(sums.claims == 0, "a gain is claimed where there is none");
	for (int i = 0; i < results->n; i++)
		if (results->items[i].seed == 0 &&
			(results->items[i].error > MOST_NAMED || !is_as_long(&results->items[i])))
			kept &= hold(false, results->items[i].name);
	return kept;
}

static bool take_option(struct options *options, const char *arg)
{
	static const char *const names[] = {
		"--programs=", "--from=", "--seed=", "--buffers=", "--class=", "--only=", "--keep="};
	long *numbers[] = {&options->programs, &options->from, &options->seed, &options->buffers};
	const char **texts[] = {&options->class, &options->only, &options->keep};

	for (int i = 0; i < 7; i++) {
		if (strncmp(arg, names[i], strlen(names[i])) != 0)
			continue;
		if (i < 4)
			*numbers[i] = strtol(arg + strlen(names[i]), NULL, 10);
		else
			*texts[i - 4] = arg + strlen(names[i]);
		return true;
	}
	options->all |= strcmp(arg, "--all") == 0;
	return strcmp(arg, "--all") == 0;
}

int main(int argc, char **argv)
{
	struct options options = {.from = 1};
	struct results results = {0};
	char file[] = "cuda-sim-XXXXXX";
	const char *path = file;
	struct sums sums;
	bool kept;

	for (int i = 1; i < argc; i++) {
		if (!take_option(&options, argv[i])) {
			fprintf(stderr, "check: what is %s?\n", argv[i]);
			return 99;
		}
	}
	if (options.keep)
		path = options.keep;
	else
		close(mkstemp(file));
	if (options.all)
		print_head();
	check_named(&results, &options, path);
	check_random(&results, &options, path);
	if (!options.keep)
		remove(file);
	print_table(&results);
	qsort(results.items, (size_t)results.n, sizeof(*results.items), by_error);
	sums = sums_of(results.items, results.n);
	print_sums("all", &sums);
	print_worst(&results);
	kept = keep_limits(&results);
	free(results.items);
	return kept ? 0 : 1;
}
