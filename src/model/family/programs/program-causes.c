/* program-causes.c: see program-causes.h. A traced run stands where a family's pair has a traced launch: its mean step
 * consists of the same terms. */
#include "model/family/programs/program-causes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/contrast/cause.h"
#include "model/family/contrast/contrast.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/programs/judging.h"
#include "model/family/programs/runs.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* Whether a run tells where the time of its steps went: a traced one of a block. A trace (`is_trace`) has no block.
 * Recordings of older versions may tell it of other steps than the step's time: then the GPU may be busy for longer. */
static bool tells_of_steps(const struct rows *runs, size_t i, bool is_trace)
{
	return strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0 &&
	       (is_trace || !row_null(runs, i, BLOCK_block)) && !row_null(runs, i, BLOCK_stepNs) &&
	       !row_null(runs, i, BLOCK_busyNs) &&
	       row_int(runs, i, BLOCK_busyNs) <= (int64_t)row_real(runs, i, BLOCK_stepNs);
}

static struct overlap overlap_of_run(const struct rows *runs, size_t i)
{
	struct overlap out = {
		.span = (int64_t)row_real(runs, i, BLOCK_stepNs),
		.busy = {[WORK_H2D] = row_int(runs, i, BLOCK_h2dNs),
			[WORK_D2H] = row_int(runs, i, BLOCK_d2hNs),
			[WORK_KERNEL] = row_int(runs, i, BLOCK_kernelNs),
			[WORK_OTHER] = row_int(runs, i, BLOCK_otherNs)},
		.busy_copy = row_int(runs, i, BLOCK_copyNs),
		.busy_all = row_int(runs, i, BLOCK_busyNs),
		.overlap = row_int(runs, i, BLOCK_overlapNs),
		.exposed_h2d = row_int(runs, i, BLOCK_exposedH2dNs),
		.exposed_d2h = row_int(runs, i, BLOCK_exposedD2hNs),
		.duplex = row_int(runs, i, BLOCK_duplexNs),
	};

	out.idle = out.span - out.busy_all;
	out.exposed_copy = out.busy_copy - out.overlap;
	return out;
}

/* Of a step in which a copy is asked for now and then, the mean counts. */
static size_t copies_of_run(const struct rows *runs, size_t i)
{
	double copies = row_real(runs, i, BLOCK_copies);

	return copies > 0 ? (size_t)(copies + 0.5) : 0;
}

/* Older recordings do not tell it. Means may be off by 1 ns: the part is not longer than the whole. */
static int64_t elsewhere_of_run(const struct rows *runs, size_t i)
{
	int64_t elsewhere = row_null(runs, i, BLOCK_elsewhereNs) ? 0 : row_int(runs, i, BLOCK_elsewhereNs);
	int64_t idle = overlap_of_run(runs, i).idle;

	elsewhere = elsewhere < idle ? elsewhere : idle;
	return elsewhere > 0 ? elsewhere : 0;
}

/* The side's program, with its traced runs as if they were launches. For free() of its runs. */
static struct measured stepped(const struct judged_side *side, bool is_trace)
{
	struct measured out = *side->measured;
	const struct rows *runs = &side->runs;

	out.runs = xcalloc(runs->count, sizeof(*out.runs));
	out.nspans = 0;
	for (size_t i = 0; i < runs->count; i++) {
		if (!tells_of_steps(runs, i, is_trace))
			continue;
		out.runs[out.nspans++] = (struct traced_run){
			.overlap = overlap_of_run(runs, i),
			.copies = copies_of_run(runs, i),
			.copy_bytes = (int64_t)row_real(runs, i, BLOCK_copyBytes),
			.pageable = row_int(runs, i, BLOCK_pageable) == 1,
			.elsewhere_ns = elsewhere_of_run(runs, i),
			.communication_ns = row_real(runs, i, BLOCK_communicationNs),
		};
	}
	if (out.nspans)
		out.overlap = out.runs[out.nspans / 2].overlap;
	return out;
}

static struct timed_side timed_step(const struct judged_side *side)
{
	return (struct timed_side){.median = side->median, .counted = side->median, .mhz = side->mhz, .launches = 1};
}

void program_causes_put(json_t *object, const struct judging *j)
{
	bool is_trace = is_of_traces(j->f);
	struct measured sides[] = {stepped(&j->side[0], is_trace), stepped(&j->side[1], is_trace)};
	struct contrast c = {
		.model = j->f->model,
		.file = "",
		.single = &sides[0],
		.dbl = &sides[1],
		.timed = {timed_step(&j->side[0]), timed_step(&j->side[1])},
		.ratio = j->ratio,
		.verdict = j->verdict,
		.run_allowance = judging_allowance(j),
		.of_programs = true,
	};

	if (judging_has_range(j) && sides[0].nspans && sides[1].nspans) {
		contrast_find_causes(&c);
		contrast_put_causes(object, &c);
		put_json(object, "called", judging_called_json(j));
	}
	free(sides[0].runs);
	free(sides[1].runs);
}
