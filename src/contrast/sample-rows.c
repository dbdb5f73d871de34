/* sample-rows.c: see sample-rows.h. */
#include "contrast/sample-rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "store/enums.h"

static int row_of_case(struct recording *rec, const struct contrast_sides *sides, const struct contrast_case *c,
	size_t ord, struct error *err)
{
	const struct value row[CASE_NUMBER] = {
		[CASE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[CASE_label] = VALUE_OF_TEXT(c->label),
		[CASE_ord] = VALUE_OF_INT((int64_t)ord),
		[CASE_verifyOnly] = VALUE_OF_INT(0),
		[CASE_measures] = VALUE_OF_TEXT(contrast_measure_word(c->measure)),
		[CASE_stepTime] = VALUE_OF_TEXT(c->measure == MEASURES_PROGRAM ? sides->step_time : NULL),
	};

	return recording_row(rec, TABLE_CASE, row, err);
}

static int row_of_sample(struct recording *rec, const struct contrast_sides *sides, const struct contrast_samples *all,
	const struct contrast_sample *sample, struct error *err)
{
	double mhz = sides->mhz ? sides->mhz[sample->process] : NAN;
	const struct value row[SAMPLE_NUMBER] = {
		[SAMPLE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[SAMPLE_variant] = VALUE_OF_TEXT(sides->names[sample->side]),
		[SAMPLE_caseLabel] = VALUE_OF_TEXT(all->cases[sample->case_number].label),
		[SAMPLE_block] = VALUE_OF_INT(sample->block),
		[SAMPLE_position] = VALUE_OF_INT(sample->position),
		[SAMPLE_launches] = VALUE_OF_INT((int64_t)sample->launches),
		[SAMPLE_ns] = VALUE_OF_REAL(sample->ns),
		[SAMPLE_smClockMhz] = VALUE_OF_INT_IF(isnan(mhz) ? 0 : llround(mhz), !isnan(mhz)),
		[SAMPLE_run] = VALUE_OF_INT(sample->process),
	};

	return recording_row(rec, TABLE_SAMPLE, row, err);
}

static struct value resource_value(int64_t resource)
{
	return VALUE_OF_INT_IF(resource, resource != RESOURCE_UNKNOWN);
}

static struct value extent_value(int64_t extent)
{
	return VALUE_OF_INT_IF(extent, extent != EXTENT_SEVERAL);
}

static struct value cooperative_value(int64_t launch_type)
{
	return VALUE_OF_INT_IF(launch_type == LAUNCH_COOPERATIVE || launch_type == LAUNCH_COOPERATIVE_DEVICES,
		launch_type != RESOURCE_UNKNOWN && launch_type != LAUNCH_UNKNOWN);
}

static int row_of_kernel(struct recording *rec, const struct contrast_sides *sides, const struct contrast_samples *all,
	size_t side, size_t number, struct error *err)
{
	const struct side_kernel *k = &all->sides[side].kernels.kernels[number];
	const struct launch_kernel *l = &k->kernel;
	char label[CONTRAST_LABEL_BYTES], code[17];
	bool is_matched = contrast_match_label(all, side, number, label);
	const struct value row[MATCH_NUMBER] = {
		[MATCH_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[MATCH_variant] = VALUE_OF_TEXT(sides->names[side]),
		[MATCH_caseLabel] = VALUE_OF_TEXT(is_matched ? label : NULL),
		[MATCH_ord] = VALUE_OF_INT((int64_t)number),
		[MATCH_name] = VALUE_OF_TEXT(l->name),
		[MATCH_shortName] = VALUE_OF_TEXT(l->base),
		[MATCH_how] = VALUE_OF_TEXT(match_how_word(all->sides[side].matches[number].how)),
		[MATCH_elsewhere] =
			VALUE_OF_INT_IF(all->sides[side].matches[number].elsewhere, !is_matched && all->nsides > 1),
		[MATCH_gridX] = extent_value(l->grid[0]),
		[MATCH_gridY] = extent_value(l->grid[1]),
		[MATCH_gridZ] = extent_value(l->grid[2]),
		[MATCH_blockX] = extent_value(l->block[0]),
		[MATCH_blockY] = extent_value(l->block[1]),
		[MATCH_blockZ] = extent_value(l->block[2]),
		[MATCH_registers] = resource_value(l->registers),
		[MATCH_staticSmem] = resource_value(l->static_shared),
		[MATCH_dynamicSmem] = resource_value(l->dynamic_shared),
		[MATCH_localBytes] = resource_value(l->local_bytes),
		[MATCH_launches] = VALUE_OF_REAL(k->all_launches),
		[MATCH_ns] = VALUE_OF_REAL(k->ns),
		[MATCH_share] = VALUE_OF_REAL(k->share),
		[MATCH_code] = VALUE_OF_TEXT(k->codes == CODES_ONE ? code : NULL),
		[MATCH_inGraphs] = VALUE_OF_INT(l->in_graphs),
		[MATCH_clusterX] = resource_value(l->cluster[0]),
		[MATCH_clusterY] = resource_value(l->cluster[1]),
		[MATCH_clusterZ] = resource_value(l->cluster[2]),
		[MATCH_cooperative] = cooperative_value(l->launch_type),
		[MATCH_codes] = VALUE_OF_INT_IF(k->codes, k->codes != CODES_NONE),
	};

	snprintf(code, sizeof(code), "%016" PRIx64, l->code);
	return recording_row(rec, TABLE_MATCH, row, err);
}

int rows_of_samples(struct recording *rec, const struct contrast_sides *sides, const struct contrast_samples *samples,
	struct error *err)
{
	for (size_t i = 0; i < samples->ncases; i++)
		if (row_of_case(rec, sides, &samples->cases[i], i, err) < 0)
			return -1;
	for (size_t i = 0; i < samples->nsamples; i++)
		if (row_of_sample(rec, sides, samples, &samples->samples[i], err) < 0)
			return -1;
	for (size_t side = 0; side < samples->nsides; side++)
		for (size_t i = 0; i < samples->sides[side].kernels.n; i++)
			if (row_of_kernel(rec, sides, samples, side, i, err) < 0)
				return -1;
	return 0;
}
