/* readings.h: readings of the GPU's state beside blocks of samples: throttling, heat, company. */
#ifndef DBPROF_MODEL_FAMILY_READINGS_H
#define DBPROF_MODEL_FAMILY_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"

struct model;

struct gpu_reading {
	const char *family, *label; /* borrowed */
	int64_t block, row;         /* SAMPLE_block that it was read after; where it stands in the table */
	double celsius, watts;      /* NaN if unknown */
	int64_t processes;          /* that compute on the GPU, -1 if unknown */
	int64_t throttle;           /* NVML's mask of reasons, -1 if unknown */
};

/* Fills model->readings. */
void readings_find(struct model *model);

/* Those of one case, by block; none in recordings that read the clocks without saying where. */
const struct gpu_reading *readings_of(const struct model *model, const char *family, const char *label, size_t *n);

bool reading_throttled(const struct gpu_reading *reading);

/* Whether more of a case's blocks ended at the power limit than may be set apart, and none throttled by anything else;
 * at least BLOCKS_NEEDED blocks (thresholds.h) were read. Variants take turns in each block, so the limit bears on all
 * of them: no samples are set apart. */
bool throttled_alike(const struct gpu_reading *readings, size_t n);

/* The median power at a case's readings (W); NaN if it was not read. */
double readings_watts(const struct gpu_reading *readings, size_t n);

/* Whether the samples of a block are set apart, since the GPU was throttled in it. A block may lack its reading. */
bool block_set_apart(const struct gpu_reading *readings, size_t n, int64_t block);

/* When the family's time pass ran; everything, if the recording does not say. */
struct interval time_pass(const struct model *model, const char *family);

#endif
