/* extent-rows.c: see extent-rows.h. */
#include "contrast/extent-rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analyze/thresholds.h"

/* Graphs that were traced as a whole, in the steady steps. */
static void put_graphs(const struct launches *launches, struct value row[BLOCK_NUMBER])
{
	double graphs = 0, ns = 0, steps = (double)launches->nsteady;

	for (size_t i = 0; i < launches->nsteps; i++) {
		const struct launch_step *step = &launches->steps[i];

		for (size_t c = 0; c < step->ncells && step->left_out == LEFT_NOTHING; c++) {
			const struct launch_cell *cell = &launches->cells[step->first_cell + c];
			bool is_graph = launches->kernels[cell->kernel].is_graph;

			graphs += is_graph ? cell->launches : 0;
			ns += is_graph ? cell->ns : 0;
		}
	}
	row[BLOCK_graphs] = VALUE_OF_REAL(graphs / steps);
	row[BLOCK_graphNs] = VALUE_OF_REAL(ns / steps);
}

static int64_t scaled_ns(int64_t ns, double scale)
{
	return (int64_t)((double)ns * scale);
}

/* What ran is known of all steps together, and a step's host time of as many first ones in all runs. Where these two
 * take about as long, each part is made that of the first ones, so that no part is longer than the step. NaN where they
 * do not: then the parts are those of other steps. */
static double work_scale(const struct step_work *work, double step_ns)
{
	double all = (double)work->overlap.span, apart = fabs(all - step_ns);

	if (apart < 1) /* of whole nanoseconds */
		return 1;
	return apart <= step_parts_apart * fmin(all, step_ns) ? step_ns / all : NAN;
}

void put_step_work(const struct step_work *work, double step_ns, struct value row[BLOCK_NUMBER])
{
	const struct overlap *o = &work->overlap;
	double scale = work->known ? work_scale(work, step_ns) : NAN;

	for (int i = BLOCK_h2dNs; i < BLOCK_NUMBER; i++)
		row[i] = (struct value){.kind = VALUE_NULL};
	if (isnan(scale))
		return;
	row[BLOCK_h2dNs] = VALUE_OF_INT(scaled_ns(o->busy[WORK_H2D], scale));
	row[BLOCK_d2hNs] = VALUE_OF_INT(scaled_ns(o->busy[WORK_D2H], scale));
	row[BLOCK_kernelNs] = VALUE_OF_INT(scaled_ns(o->busy[WORK_KERNEL], scale));
	row[BLOCK_otherNs] = VALUE_OF_INT(scaled_ns(o->busy[WORK_OTHER], scale));
	row[BLOCK_copyNs] = VALUE_OF_INT(scaled_ns(o->busy_copy, scale));
	row[BLOCK_busyNs] = VALUE_OF_INT(scaled_ns(o->busy_all, scale));
	row[BLOCK_overlapNs] = VALUE_OF_INT(scaled_ns(o->overlap, scale));
	row[BLOCK_exposedH2dNs] = VALUE_OF_INT(scaled_ns(o->exposed_h2d, scale));
	row[BLOCK_exposedD2hNs] = VALUE_OF_INT(scaled_ns(o->exposed_d2h, scale));
	row[BLOCK_duplexNs] = VALUE_OF_INT(scaled_ns(o->duplex, scale));
	row[BLOCK_copies] = VALUE_OF_REAL(work->copies);
	row[BLOCK_copyBytes] = VALUE_OF_REAL(work->copy_bytes);
	row[BLOCK_pageable] = VALUE_OF_INT(work->pageable);
	row[BLOCK_elsewhereNs] = VALUE_OF_INT(scaled_ns(work->elsewhere_ns, scale));
	row[BLOCK_communicationNs] = VALUE_OF_INT(scaled_ns(work->communication_ns, scale));
}

void put_extent(const struct launches *launches, char hash[EXTENT_HASH_BYTES], struct value row[BLOCK_NUMBER])
{
	for (int i = BLOCK_graphs; i <= BLOCK_emptyHostNs; i++)
		row[i] = (struct value){.kind = VALUE_NULL};
	if (launches && launches->nsteady > 0)
		put_graphs(launches, row);
	if (!launches || !launches->has_range)
		return;
	snprintf(hash, EXTENT_HASH_BYTES, "%016" PRIx64, launches->left_kernels);
	row[BLOCK_allSteps] = VALUE_OF_INT((int64_t)launches->nsteps);
	row[BLOCK_processes] = VALUE_OF_INT((int64_t)launches->step_processes);
	row[BLOCK_leftKernels] = VALUE_OF_TEXT(hash);
	row[BLOCK_spanSteps] = VALUE_OF_INT((int64_t)launches->span.steps);
	row[BLOCK_spanLeftSteps] = VALUE_OF_INT((int64_t)launches->span.left_steps);
	row[BLOCK_spanNs] = VALUE_OF_REAL(launches->span.ns);
	row[BLOCK_spanLeftNs] = VALUE_OF_REAL(launches->span.left_ns);
	row[BLOCK_spanOutsideNs] = VALUE_OF_REAL(launches->span.outside_ns);
	row[BLOCK_spanHostNs] = VALUE_OF_REAL(launches->span.host_ns);
	row[BLOCK_spanBetweenNs] = VALUE_OF_REAL(launches->span.between_ns);
	row[BLOCK_spanCopyNs] = VALUE_OF_REAL(launches->span.outside_copy_ns);
	row[BLOCK_spanLoopNs] = VALUE_OF_REAL(launches->span.loop_ns);
	row[BLOCK_outsideNs] = VALUE_OF_REAL(launches->outside_ns);
	row[BLOCK_emptySteps] = VALUE_OF_INT((int64_t)launches->empty.steps);
	row[BLOCK_emptyHostNs] = VALUE_OF_REAL(launches->empty.host_ns);
}
