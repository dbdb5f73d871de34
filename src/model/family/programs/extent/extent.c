/* extent.c: see extent.h. */
#include "model/family/programs/extent/extent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/programs/extent/between.h"
#include "model/family/programs/length.h"
#include "model/family/programs/match-rows.h"
#include "model/family/programs/not-counted.h"
#include "model/family/programs/runs.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* ---- numbers of a run ---- */

static double run_steps(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_allSteps);
}

static double run_processes(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_processes);
}

static double run_left_steps(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanLeftSteps) / row_real(runs, i, BLOCK_spanSteps);
}

static double run_left_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanLeftNs) / row_real(runs, i, BLOCK_spanNs);
}

static double run_kernels_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanNs) / row_real(runs, i, BLOCK_spanSteps);
}

static double run_host_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanHostNs) / row_real(runs, i, BLOCK_spanSteps);
}

static double run_outside_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanOutsideNs) / row_real(runs, i, BLOCK_spanSteps);
}

static double run_between_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanBetweenNs) / row_real(runs, i, BLOCK_spanSteps);
}

static double run_copy_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_spanCopyNs) / row_real(runs, i, BLOCK_spanSteps);
}

/* A host that runs ahead at first takes less: then the loop does not tell. */
static double run_pauses_ns(const struct rows *runs, size_t i)
{
	double more = row_real(runs, i, BLOCK_spanLoopNs) / row_real(runs, i, BLOCK_spanSteps) -
		      row_real(runs, i, BLOCK_stepNs);

	return more < 0 ? 0 : more;
}

static double run_outside_all_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_outsideNs);
}

static double run_empty_steps(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_emptySteps);
}

static double run_empty_host_ns(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_emptyHostNs) / run_empty_steps(runs, i);
}

static double run_placed(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_placedNs) / row_real(runs, i, BLOCK_stepNs);
}

/* Whether it is a traced run that tells: a warm-up gives no sample, and a trace is no run of a block. */
static bool tells_extent(const struct rows *runs, size_t i)
{
	return strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0 && !row_null(runs, i, BLOCK_allSteps);
}

/* The numbers of those runs that have one, into `out`; returns how many. */
static size_t over_runs(const struct rows *runs, double (*number_of)(const struct rows *runs, size_t i), double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++) {
		double one = tells_extent(runs, i) ? number_of(runs, i) : NAN;

		if (isfinite(one))
			out[n++] = one;
	}
	return n;
}

size_t runs_between_ns(const struct rows *runs, double *out)
{
	return over_runs(runs, run_between_ns, out);
}

size_t runs_outside_ns(const struct rows *runs, double *out)
{
	return over_runs(runs, run_outside_ns, out);
}

size_t runs_copy_ns(const struct rows *runs, double *out)
{
	return over_runs(runs, run_copy_ns, out);
}

size_t runs_pauses_ns(const struct rows *runs, double *out)
{
	return over_runs(runs, run_pauses_ns, out);
}

static double median_over_runs(const struct rows *runs, double (*number_of)(const struct rows *runs, size_t i))
{
	double *x = xcalloc(runs->count + 1, sizeof(*x)), median;
	size_t n = over_runs(runs, number_of, x);

	median = n ? median_of(x, n) : NAN;
	free(x);
	return median;
}

struct side_extent side_extent_of(const struct family_rows *f, const char *variant)
{
	struct rows runs = side_runs(f, variant);

	return (struct side_extent){
		.steps = median_over_runs(&runs, run_steps),
		.processes = median_over_runs(&runs, run_processes),
		.left_steps = median_over_runs(&runs, run_left_steps),
		.left_ns = median_over_runs(&runs, run_left_ns),
		.kernels_ns = median_over_runs(&runs, run_kernels_ns),
		.host_ns = median_over_runs(&runs, run_host_ns),
		.outside_ns = median_over_runs(&runs, run_outside_ns),
		.between_ns = median_over_runs(&runs, run_between_ns),
		.pauses_ns = median_over_runs(&runs, run_pauses_ns),
		.copy_ns = median_over_runs(&runs, run_copy_ns),
		.outside_all_ns = median_over_runs(&runs, run_outside_all_ns),
		.empty_steps = median_over_runs(&runs, run_empty_steps),
		.empty_host_ns = median_over_runs(&runs, run_empty_host_ns),
		.placed = median_over_runs(&runs, run_placed),
	};
}

/* runs_median() leaves out zeros. */
static double zero_if_unknown(double median)
{
	return isnan(median) ? 0 : median;
}

struct side_graphs side_graphs_of(const struct family_rows *f, const char *variant)
{
	struct rows runs = side_runs(f, variant);

	return (struct side_graphs){
		.number = zero_if_unknown(runs_median(&runs, "traced", BLOCK_graphs)),
		.share = zero_if_unknown(
			runs_median(&runs, "traced", BLOCK_graphNs) / runs_median(&runs, "traced", BLOCK_kernelSumNs)),
	};
}

json_t *side_extent_json(const struct family_rows *f, const char *variant)
{
	struct side_extent extent = side_extent_of(f, variant);
	json_t *object;

	if (isnan(extent.steps))
		return json_null();
	object = json_object();
	put_json(object, "steps", real_json(extent.steps));
	put_json(object, "processes", real_json(extent.processes));
	put_json(object, "left_steps", real_json(extent.left_steps));
	put_json(object, "left_ns", real_json(extent.left_ns));
	put_json(object, "kernels_ns", real_json(extent.kernels_ns));
	put_json(object, "host_ns", real_json(extent.host_ns));
	put_json(object, "outside_ns", real_json(extent.outside_ns));
	put_json(object, "between_ns", real_json(extent.between_ns));
	put_json(object, "copy_ns", real_json(extent.copy_ns));
	return object;
}

/* ---- what differs besides the steps that count ---- */

/* The share of all kernel time that does not count, but for warm-up and what nobody chose. */
static double left_share(const struct family_rows *f, const char *variant)
{
	static const char *const expected[] = {"first-step", "first-launch", "not-chosen"};
	json_t *all = not_counted_json(f, variant);
	const json_t *reasons = json_object_get(all, "reasons");
	double share = 0;

	for (size_t i = 0; i < json_array_size(reasons); i++) {
		const json_t *reason = json_array_get(reasons, i);
		bool counts = true;

		for (size_t k = 0; k < sizeof(expected) / sizeof(expected[0]); k++)
			counts = counts && strcmp(tree_text(reason, "reason"), expected[k]) != 0;
		share += counts ? tree_real(reason, "share") : 0;
	}
	json_decref(all);
	return share;
}

static void add_difference(json_t *list, const char *what, double single, double other)
{
	json_t *object = json_object();

	put_json(object, "what", json_string(what));
	put_json(object, "single", real_json(single));
	put_json(object, "other", real_json(other));
	append_json(list, object);
}

static bool is_another(double a, double b)
{
	return a < b || a > b;
}

bool copies_differ(const struct side_extent *single, const struct side_extent *other)
{
	return fabs(single->copy_ns - other->copy_ns) > program_left_part * fmin(single->host_ns, other->host_ns);
}

bool outside_differs(const struct side_extent *single, const struct side_extent *other)
{
	return fabs(single->outside_ns - other->outside_ns) >
	       program_left_part * fmin(single->kernels_ns, other->kernels_ns);
}

/* From the first steady step to the last: the share of kernel time that does not count, outside of steps, too. */
static double steady_left_share(const struct side_extent *extent)
{
	return (extent->left_ns * extent->kernels_ns + extent->outside_ns) / (extent->kernels_ns + extent->outside_ns);
}

/* What runs before the first steady step, once for a run, has another share in a run of more steps. */
static void add_kernels(
	json_t *list, const struct side_extent *first, const struct side_extent *second, const double left[2])
{
	if (fabs(first->left_ns - second->left_ns) > program_left_part || outside_differs(first, second))
		add_difference(list, "kernels", steady_left_share(first), steady_left_share(second));
	else if (fabs(left[0] - left[1]) > program_left_part)
		add_difference(list, "kernels-around", left[0], left[1]);
}

/* What makes the verdict unclear is told by it. */
static void add_chosen(json_t *list, const struct family_rows *f, const char *single, const char *other)
{
	struct lone_kernels lone = {.share = {0, 0}};
	double most;

	if (kernels_are_chosen(f))
		lone = lone_kernels_of(f, single, other);
	most = fmax(lone.share[0], lone.share[1]);
	if (most > 0 && most <= program_unmatched_part)
		add_difference(list, "chosen", lone.share[0], lone.share[1]);
}

/* Of two commands without steps, where only kernels without a match tell how long a run is. */
static void add_length(json_t *list, const struct family_rows *f, const char *single, const char *other)
{
	const struct rows runs = side_runs(f, single);
	struct run_lengths lengths;

	if (is_of_traces(f) || runs_of_kind(&runs, "host") > 0)
		return;
	lengths = run_lengths_of(f, single, other, same_band);
	if (length_is_in_doubt(&lengths))
		add_difference(list, "length", lengths.unmatched_launches[0], lengths.unmatched_launches[1]);
}

json_t *beside_json(const struct family_rows *f, size_t single, size_t other)
{
	const char *a = row_string(&f->variants, single, VARIANT_name);
	const char *b = row_string(&f->variants, other, VARIANT_name);
	struct side_extent first = side_extent_of(f, a), second = side_extent_of(f, b);
	const double left[] = {left_share(f, a), left_share(f, b)};
	json_t *list = json_array();
	double between[2];

	if (single == other)
		return list;
	add_chosen(list, f, a, b);
	if (isnan(first.steps) || isnan(second.steps)) {
		add_length(list, f, a, b);
		return list;
	}
	if (is_another(first.steps, second.steps))
		add_difference(list, "steps", first.steps, second.steps);
	if (is_another(first.processes, second.processes))
		add_difference(list, "processes", first.processes, second.processes);
	add_kernels(list, &first, &second, left);
	if (copies_differ(&first, &second))
		add_difference(list, "copies", first.copy_ns, second.copy_ns);
	if (neighbours_differ(f, a, b, between))
		add_difference(list, "between", between[0], between[1]);
	return list;
}

/* ---- whether the rest of two sides is the same ---- */

/* The hash of the kernels that do not count, if it is the same in all runs; else NULL. */
static const char *left_kernels_of(const struct family_rows *f, const char *variant)
{
	struct rows runs = side_runs(f, variant);
	const char *first = NULL;

	for (size_t i = 0; i < runs.count; i++) {
		const char *hash = tells_extent(&runs, i) ? row_text(&runs, i, BLOCK_leftKernels) : NULL;

		if (!hash)
			continue;
		if (first && strcmp(first, hash) != 0)
			return NULL;
		first = hash;
	}
	return first;
}

/* As many steps and launches of each reason. Times differ by chance. */
static bool same_not_counted(const struct family_rows *f, const char *single, const char *other)
{
	json_t *both[] = {not_counted_json(f, single), not_counted_json(f, other)};
	const json_t *a = json_object_get(both[0], "reasons"), *b = json_object_get(both[1], "reasons");
	bool same = json_array_size(a) == json_array_size(b);

	for (size_t i = 0; same && i < json_array_size(a); i++) {
		static const char *const keys[] = {"reason", "steps", "launches"};

		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			same = same && json_equal(json_object_get(json_array_get(a, i), keys[k]),
					       json_object_get(json_array_get(b, i), keys[k]));
	}
	json_decref(both[0]);
	json_decref(both[1]);
	return same;
}

void same_rest_put(json_t *tree, const struct family_rows *f, size_t single, size_t other)
{
	const char *a = row_string(&f->variants, single, VARIANT_name);
	const char *b = row_string(&f->variants, other, VARIANT_name), *left_a, *left_b;
	json_t *beside;

	if (single == other || isnan(side_extent_of(f, a).steps) || isnan(side_extent_of(f, b).steps)) {
		put_json(tree, "same_rest", json_null());
		return;
	}
	left_a = left_kernels_of(f, a);
	left_b = left_kernels_of(f, b);
	beside = beside_json(f, single, other);
	put_json(tree, "same_rest",
		json_boolean(json_array_size(beside) == 0 && left_a && left_b && strcmp(left_a, left_b) == 0 &&
			     same_not_counted(f, a, b)));
	json_decref(beside);
}
