/* stalls.c: at which source line and instruction the warps of each variant's kernels were stalled, and why. */
#include "record/pass/steps.h"
#include "record/worker/worker.h"

#include <stdlib.h>

#include "record/cupti/pc/pc-sampling.h"
#include "record/pass/launch.h"
#include "record/worker/nvtx.h"
#include "util/alloc.h"

enum { MAX_LAUNCHES = 64 };

/* Short kernels run several times, so that a line's share means something. */
static const int64_t SAMPLED_NS = 1000000;

struct stalls {
	struct cupti cupti;
	struct pc_sampling pc;
};

/* ---- opening and closing ---- */

/* CUPTI was started, so it stays loaded. */
static void pass_stalls_close(struct worker *w)
{
	if (w->stalls)
		pc_sampling_close(&w->stalls->pc);
	free(w->stalls);
	w->stalls = NULL;
}

static bool pass_stalls_open(struct worker *w)
{
	struct stalls *stalls = xcalloc(1, sizeof(*stalls));

	w->stalls = stalls;
	if (cupti_open(&stalls->cupti, &w->skipped) == 0 &&
		pc_sampling_open(&stalls->pc, &stalls->cupti, &w->skipped) == 0)
		return true;
	pass_stalls_close(w);
	return false;
}

/* ---- rows ---- */

static void stalls_write_run(const struct launch *launch, int launches)
{
	const struct pc_session *pc = &launch->w->stalls->pc.session;
	const struct value row[STALLRUN_NUMBER] = {
		[STALLRUN_family] = VALUE_OF_TEXT(launch->w->family->name),
		[STALLRUN_variant] = VALUE_OF_TEXT(launch->variant->name),
		[STALLRUN_caseLabel] = VALUE_OF_TEXT(launch->size->label),
		[STALLRUN_launches] = VALUE_OF_INT(launches),
		[STALLRUN_period] = VALUE_OF_INT((int64_t)1 << PC_PERIOD),
		[STALLRUN_total] = VALUE_OF_INT((int64_t)pc->total),
		[STALLRUN_dropped] = VALUE_OF_INT((int64_t)pc->dropped),
		[STALLRUN_foreign] = VALUE_OF_INT((int64_t)pc->foreign),
	};

	worker_row(launch->w, TABLE_STALLRUN, row);
}

static void stalls_write_count(const struct launch *launch, const struct pc_count *count, const char *file, int line)
{
	struct value row[STALL_NUMBER] = {
		[STALL_family] = VALUE_OF_TEXT(launch->w->family->name),
		[STALL_variant] = VALUE_OF_TEXT(launch->variant->name),
		[STALL_caseLabel] = VALUE_OF_TEXT(launch->size->label),
		[STALL_symbol] = VALUE_OF_TEXT(count->function),
		[STALL_offset] = VALUE_OF_INT((int64_t)count->offset),
		[STALL_reason] = VALUE_OF_TEXT(count->reason),
		[STALL_samples] = VALUE_OF_INT((int64_t)count->samples[0]),
		[STALL_notIssued] = VALUE_OF_INT((int64_t)count->samples[1]),
	};

	if (file) {
		row[STALL_file] = VALUE_OF_TEXT(file);
		row[STALL_line] = VALUE_OF_INT(line);
	}
	worker_row(launch->w, TABLE_STALL, row);
}

static void write_counts(const struct launch *launch)
{
	const struct pc_sampling *pc = &launch->w->stalls->pc;

	for (size_t i = 0; i < pc->ncounts; i++) {
		int line;
		char *file = pc_sampling_source(pc, &pc->counts[i], &line);

		stalls_write_count(launch, &pc->counts[i], file, line);
		free(file);
	}
}

/* ---- one variant ---- */

/* -1 with `err` if CUPTI refuses, or with the problem noted. */
static int stalls_sample(const struct launch *launch, int launches, struct error *err)
{
	struct pc_sampling *pc = &launch->w->stalls->pc;
	struct error after = {0}; /* of a failed launch */
	int result = 0;

	if (pc_sampling_start(pc, err) < 0)
		return -1;
	nvtx_push_variant(launch->w->family, launch->variant);
	for (int i = 0; i < launches && result == 0; i++) {
		nvtx_push_iteration(PASS_STALLS, launch->variant, launch->size->label, i);
		result = launch_once(launch, NULL);
		nvtx_pop();
	}
	nvtx_pop();
	return pc_sampling_stop(pc, result < 0 ? &after : err) < 0 || result < 0 ? -1 : 0;
}

/* -1 ends the pass. */
static int stalls_sample_variant(const struct launch *launch)
{
	struct error err = {0};
	int64_t ns, launches;

	worker_at(launch->w, launch->variant, launch->size);
	if (launch_warm_up(launch, &ns) < 0)
		return -1;
	launches = SAMPLED_NS / (ns > 0 ? ns : 1) + 1;
	if (launches > MAX_LAUNCHES)
		launches = MAX_LAUNCHES;
	if (stalls_sample(launch, (int)launches, &err) < 0)
		return launch_refused(launch, &err);
	if (launch->w->stalls->pc.session.full)
		worker_note(launch->w, SEVERITY_WARNING, "%s/%s, case %s: the buffer of PC sampling ran over",
			launch->w->family->name, launch->variant->name, launch->size->label);
	stalls_write_run(launch, (int)launches);
	write_counts(launch);
	worker_flush(launch->w);
	return 0;
}

/* A reference's kernels come from a library and have no lines. */
static bool stalls_wanted(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	return launch_wanted(w, variant, size) && variant->config;
}

static void sample_variants(struct worker *w, struct launch *launch)
{
	const struct family *f = w->family;
	int result = 0;

	for (int i = 0; i < f->nvariants && result == 0; i++) {
		launch->variant = &f->variants[i];
		if (stalls_wanted(w, launch->variant, launch->size))
			result = stalls_sample_variant(launch);
	}
}

static void pass_stalls_run(struct worker *w)
{
	const struct family *f = w->family;
	struct launch launch = {.w = w, .size = &w->cases[0]};
	int left = 0;

	for (int i = 0; i < f->nvariants; i++)
		left += stalls_wanted(w, &f->variants[i], launch.size);
	if (left == 0) {
		error_set(&w->skipped, "nothing to sample: no variant is chosen, supported here and right");
		return;
	}
	/* Before anything is launched, because the context must be idle. */
	if (pc_sampling_enable(&w->stalls->pc, PC_PERIOD, &w->skipped) < 0)
		return;
	worker_at(w, NULL, launch.size);
	if (worker_set_up(w, launch.size, &launch.state) < 0)
		return;
	sample_variants(w, &launch);
	f->tear_down(launch.state);
}

const struct pass_steps pass_stalls = {pass_stalls_open, pass_stalls_run, pass_stalls_close};
