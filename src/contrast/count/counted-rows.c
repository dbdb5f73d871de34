/* counted-rows.c: see counted-rows.h. */
#include "contrast/count/counted-rows.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/occupancy.h"
#include "analyze/statistics/stats.h"
#include "contrast/count/limits.h"
#include "contrast/rows.h"
#include "contrast/sample-rows.h"
#include "record/cupti/metric-rows.h"
#include "util/alloc.h"

static struct value real_if_known(double value)
{
	if (!isfinite(value))
		return (struct value){.kind = VALUE_NULL};
	return VALUE_OF_REAL(value);
}

/* ---- resources ---- */

static struct value blocks_that_fit(const struct sm_limits *limits, const struct launch_kernel *kernel)
{
	const struct kernel_resources resources = {
		.threads = (int)(kernel->block[0] * kernel->block[1] * kernel->block[2]),
		.registers = (int)kernel->registers,
		.shared_bytes = kernel->static_shared + kernel->dynamic_shared,
	};
	struct occupancy occupancy;

	if (!limits)
		return (struct value){.kind = VALUE_NULL};
	occupancy_compute(limits, &resources, &occupancy);
	return VALUE_OF_INT(occupancy.blocks);
}

static int row_of_resources(struct recording *rec, const char *variant, const char *label,
	const struct launch_kernel *kernel, const struct sm_limits *limits, struct error *err)
{
	const struct value row[RESOURCE_NUMBER] = {
		[RESOURCE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[RESOURCE_variant] = VALUE_OF_TEXT(variant),
		[RESOURCE_caseLabel] = VALUE_OF_TEXT(label),
		[RESOURCE_symbol] = VALUE_OF_TEXT(kernel->places.symbol),
		[RESOURCE_gridX] = VALUE_OF_INT(kernel->grid[0]),
		[RESOURCE_gridY] = VALUE_OF_INT(kernel->grid[1]),
		[RESOURCE_gridZ] = VALUE_OF_INT(kernel->grid[2]),
		[RESOURCE_blockX] = VALUE_OF_INT(kernel->block[0]),
		[RESOURCE_blockY] = VALUE_OF_INT(kernel->block[1]),
		[RESOURCE_blockZ] = VALUE_OF_INT(kernel->block[2]),
		[RESOURCE_registers] = VALUE_OF_INT(kernel->registers),
		[RESOURCE_staticSmem] = VALUE_OF_INT(kernel->static_shared),
		[RESOURCE_dynamicSmem] = VALUE_OF_INT(kernel->dynamic_shared),
		[RESOURCE_localBytes] = VALUE_OF_INT(kernel->local_bytes),
		[RESOURCE_blocksPerSm] = blocks_that_fit(limits, kernel),
	};

	return recording_row(rec, TABLE_RESOURCE, row, err);
}

int rows_of_resources(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct measurement *measured, struct error *err)
{
	for (size_t i = 0; i < samples->ncases; i++) {
		const struct contrast_case *one = &samples->cases[i];

		for (size_t s = 0; s < samples->nsides && one->measure == MEASURES_KERNEL; s++) {
			const struct side_kernel *kernel = one->sides[s].kernel;
			struct gpu_limits limits;
			bool known = gpu_limits_of(seen_gpus_row(&measured->gpus, measured->sides[s].gpu), &limits);

			/* A graph has no resources of its own. */
			if (kernel && !kernel->kernel.is_graph &&
				row_of_resources(rec, options->sides[s].name, one->label, &kernel->kernel,
					known ? &limits.sm : NULL, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* ---- counters ---- */

/* What the rows of a kernel have in common. */
struct counted_of {
	const char *variant, *label;
	const struct counted_kernels *counted;
	const struct counted_case *one;
};

static int row_of_counted_metric(
	struct recording *rec, const struct counted_of *of, size_t place, size_t metric, struct error *err)
{
	const struct count_group *group = &of->counted->metering.groups[of->one->list->groups[place]].group;
	const struct value row[COUNTER_NUMBER] = {
		[COUNTER_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[COUNTER_variant] = VALUE_OF_TEXT(of->variant),
		[COUNTER_caseLabel] = VALUE_OF_TEXT(of->label),
		[COUNTER_scope] = VALUE_OF_TEXT(of->one->kernel->kernel.is_graph ? "range" : "kernel"),
		[COUNTER_ord] = VALUE_OF_INT(0),
		[COUNTER_metric] = VALUE_OF_TEXT(group->metrics[metric]),
		[COUNTER_value] = real_if_known(of->one->groups[place].values[metric]),
		[COUNTER_replays] = VALUE_OF_INT((int64_t)group->passes),
	};

	return recording_row(rec, TABLE_COUNTER, row, err);
}

/* Each metric once: the controls, which come first in each group, are those of the first group. */
static int rows_of_metrics_counted(struct recording *rec, const struct counted_of *of, struct error *err)
{
	const struct counted_case *one = of->one;
	bool has_controls = false;

	for (size_t place = 0; one->list && place < one->list->n; place++) {
		size_t metric = has_controls ? COUNT_CONTROLS : 0;

		if (!one->groups[place].values)
			continue;
		for (; metric < of->counted->metering.groups[one->list->groups[place]].group.nmetrics; metric++)
			if (row_of_counted_metric(rec, of, place, metric, err) < 0)
				return -1;
		has_controls = true;
	}
	return 0;
}

/* The least, the median and the greatest of a control over all groups, as often as they were counted: NaN without any.
 */
static void spread_of_control(const struct counted_case *one, size_t control, double out[3])
{
	double *values = xcalloc(one->list ? COUNTED_ROUNDS * one->list->n + 1 : 1, sizeof(*values));
	size_t n = 0;

	out[0] = out[1] = out[2] = NAN;
	for (size_t i = 0; one->list && i < one->list->n; i++)
		for (size_t round = 0; round < one->groups[i].n; round++)
			if (isfinite(one->groups[i].round[round][control]))
				values[n++] = one->groups[i].round[round][control];
	for (size_t i = 0; i < n; i++) {
		out[0] = fmin(out[0], values[i]);
		out[2] = fmax(out[2], values[i]);
	}
	if (n > 0)
		out[1] = median_of(values, n);
	free(values);
}

static int row_of_counter_run(struct recording *rec, const struct counted_of *of, struct error *err)
{
	const struct counted_case *one = of->one;
	double instructions[3], cycles[3];
	struct value row[COUNTERRUN_NUMBER] = {
		[COUNTERRUN_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[COUNTERRUN_variant] = VALUE_OF_TEXT(of->variant),
		[COUNTERRUN_caseLabel] = VALUE_OF_TEXT(of->label),
		[COUNTERRUN_launches] = VALUE_OF_INT((int64_t)one->launches),
		[COUNTERRUN_runs] = VALUE_OF_INT((int64_t)one->runs),
		[COUNTERRUN_reason] = VALUE_OF_TEXT(one->reason[0] == '\0' ? NULL : one->reason),
	};

	if (one->kernel->kernel.is_graph)
		row[COUNTERRUN_graphLaunches] = VALUE_OF_REAL(one->kernel->launches);
	spread_of_control(one, 0, instructions);
	spread_of_control(one, 1, cycles);
	for (int i = 0; i < 3; i++) {
		row[COUNTERRUN_instructionsLow + i] = real_if_known(instructions[i]);
		row[COUNTERRUN_cyclesLow + i] = real_if_known(cycles[i]);
	}
	return recording_row(rec, TABLE_COUNTERRUN, row, err);
}

static int rows_of_counted_side(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct counted_kernels *counted, size_t side, struct error *err)
{
	for (size_t i = 0; i < counted->sides[side].n; i++) {
		const struct counted_case *one = &counted->sides[side].cases[i];
		const struct counted_of of = {
			options->sides[side].name, samples->cases[one->place].label, counted, one};

		if (row_of_counter_run(rec, &of, err) < 0 || rows_of_metrics_counted(rec, &of, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- the pass ---- */

int rows_of_counted(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct counted_kernels *counted, struct error *err)
{
	if (!counted->status)
		return 0;
	if (row_of_pass(rec,
		    &(struct pass_row){"counters", counted->status, &counted->reason, counted->start, counted->end},
		    err) < 0)
		return -1;
	if (counted->is_metering && metric_sets_write(rec, counted->metering.sets, counted->metering.nsets, err) < 0)
		return -1;
	for (size_t s = 0; s < counted->nsides; s++)
		if (rows_of_counted_side(rec, options, samples, counted, s, err) < 0)
			return -1;
	return 0;
}
