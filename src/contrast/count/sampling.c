/* sampling.c: see sampling.h. */
#include "contrast/count/sampling.h"

#include <stdlib.h>
#include <string.h>

#include "contrast/count/results.h"
#include "contrast/count/sample-table.h"
#include "util/clock.h"

/* A kernel gets no more launches when sampling it has taken so long: reading samples may take far longer than a launch.
 */
static const int64_t kernel_time_ns = INT64_C(2000000000);

/* What is known of a kernel of the plan. */
struct sampled_kernel {
	uint32_t launches;
	struct count_samples sums;
	int64_t spent_ns;
	CUcontext warm; /* a launch of it ran there since PC sampling was opened */
	bool is_done;   /* it is told */
};

static struct {
	const struct count_plan *plan;
	struct sampled_kernel *kernels;
	size_t ndone;
	struct pc_session pc;
	struct sample_table table;
	size_t functions_told, reasons_told;
	size_t kernel;              /* that is being sampled */
	uint64_t patience, refused; /* see is_awaited() */
	int64_t begun_ns;           /* clock_monotonic() */
} sampling;

int sampling_prepare(const struct cupti *cupti, const struct count_plan *plan, struct error *err)
{
	sampling.plan = plan;
	sampling.patience = 1;
	if (pc_session_prepare(&sampling.pc, cupti, err) < 0)
		return -1;
	sampling.kernels = calloc(plan->nkernels + 1, sizeof(*sampling.kernels));
	if (sampling.kernels && sample_table_make(&sampling.table))
		return 0;
	return error_system(err, "the program has no memory left for PC samples");
}

/* ---- what is told ---- */

static void tell_name(enum count_result kind, size_t number, const void *bytes, size_t size)
{
	const struct count_record head = {
		.magic = COUNT_RECORD_MAGIC, .kind = kind, .group = (uint32_t)number, .size = size};

	count_results_append(&head, bytes);
}

/* Module and name are one record, which needs room for both. */
static void tell_function(size_t number)
{
	const char *name = sampling.table.functions[number];
	struct count_function function = {.module = sampling.table.modules[number]};
	size_t size = strlen(name) + 1;
	char *bytes = malloc(sizeof(function) + size);

	if (!bytes)
		return;
	memcpy(bytes, &function, sizeof(function));
	memcpy(bytes + sizeof(function), name, size);
	tell_name(COUNT_FUNCTION, number, bytes, sizeof(function) + size);
	free(bytes);
}

/* Those that are new. Names come before what has their numbers. */
static void tell_names(void)
{
	for (; sampling.functions_told < sampling.table.nfunctions; sampling.functions_told++)
		tell_function(sampling.functions_told);
	for (; sampling.reasons_told < sampling.table.nreasons; sampling.reasons_told++) {
		const char *reason = sampling.table.reasons[sampling.reasons_told];

		tell_name(COUNT_REASON, sampling.reasons_told, reason, strlen(reason));
	}
}

static void tell_part(size_t kernel, enum count_result kind, size_t part, const void *bytes, size_t size)
{
	const struct count_record head = {.magic = COUNT_RECORD_MAGIC,
		.kind = kind,
		.kernel = (uint32_t)kernel,
		.group = (uint32_t)part,
		.launches = sampling.kernels[kernel].launches,
		.size = size};

	count_results_append(&head, bytes);
}

/* So many rows are one record. */
enum { ROWS_TOLD = 256 };

static void tell_rows(size_t kernel)
{
	struct count_sample part[ROWS_TOLD];
	size_t n = 0, parts = 0;

	for (size_t i = 0; i < SAMPLE_ROWS; i++) {
		const struct sample_row *row = &sampling.table.rows[i];

		if (!row->is_used || row->kernel != kernel)
			continue;
		part[n++] = row->sample;
		if (n < ROWS_TOLD)
			continue;
		tell_part(kernel, COUNT_SAMPLES, parts++, part, sizeof(part));
		n = 0;
	}
	if (n > 0)
		tell_part(kernel, COUNT_SAMPLES, parts, part, n * sizeof(part[0]));
}

/* Nothing more is sampled of the kernel. */
static void end_kernel(size_t kernel)
{
	struct sampled_kernel *k = &sampling.kernels[kernel];

	if (k->is_done)
		return;
	k->is_done = true;
	sampling.ndone++;
	if (k->launches == 0)
		return;
	tell_names();
	tell_rows(kernel);
	tell_part(kernel, COUNT_SAMPLED, 0, &k->sums, sizeof(k->sums));
}

/* ---- sampling ---- */

/* Whether a kernel has some of its launches. */
static bool is_under_way(void)
{
	for (size_t i = 0; i < sampling.plan->nkernels; i++)
		if (sampling.kernels[i].launches > 0 && !sampling.kernels[i].is_done)
			return true;
	return false;
}

/* Whether a kernel that has no samples yet was met in the context that is open: its next launch there may be sampled.
 */
static bool is_met(void)
{
	for (size_t i = 0; i < sampling.plan->nkernels; i++)
		if (sampling.kernels[i].warm == sampling.pc.context && !sampling.kernels[i].is_done)
			return true;
	return false;
}

/* Whether such a launch is waited for, rather than to open another context, where the first launch is spared again. In
 * a program that goes from context to context none would be sampled otherwise. One that does not come back gives way
 * after a number of launches in others. That number doubles each time, until it is larger than that of contexts. */
static bool is_awaited(void)
{
	if (!is_met())
		return false;
	if (sampling.refused++ < sampling.patience)
		return true;
	sampling.patience *= 2;
	return false;
}

bool sampling_suits(size_t kernel, CUcontext context)
{
	if (sampling.kernels[kernel].is_done)
		return false;
	return !sampling.pc.context || sampling.pc.context == context || (!is_under_way() && !is_awaited());
}

/* The first launch behind the opening may find caches cold, and a kernel's own first one does. So it is not sampled,
 * unless a run has no other one. */
static bool spares_launch(size_t kernel, CUcontext context)
{
	const struct count_kernel *planned = &sampling.plan->kernels[kernel];
	bool is_cold = sampling.kernels[kernel].warm != context;

	sampling.kernels[kernel].warm = context;
	return is_cold && planned->end - planned->first > 1;
}

int sampling_begin(size_t kernel, CUcontext context, struct error *err)
{
	sampling.kernel = kernel;
	if (sampling.pc.context != context) {
		pc_session_close(&sampling.pc);
		sampling.refused = 0;
	}
	if (!sampling.pc.context && pc_session_open(&sampling.pc, context, (unsigned)sampling.plan->period, err) < 0)
		return -1;
	if (spares_launch(kernel, context))
		return 1;
	sampling.begun_ns = clock_monotonic();
	return pc_session_start(&sampling.pc, err);
}

static void take_samples(void *user, const CUpti_PCSamplingPCData *at, const struct pc_reason *reason, uint32_t samples)
{
	const struct sample_place place = {at->functionName ? at->functionName : "", at->cubinCrc, at->pcOffset};

	(void)user;
	if (!sample_table_add(&sampling.table, sampling.kernel, &place, reason, samples) && !reason->not_issued)
		sampling.kernels[sampling.kernel].sums.lost += samples;
}

static void drop_samples(void *user, const CUpti_PCSamplingPCData *at, const struct pc_reason *reason, uint32_t samples)
{
	(void)user;
	(void)at;
	(void)reason;
	(void)samples;
}

/* Other launches then run as ever. */
static void close_if_done(void)
{
	if (sampling.ndone == sampling.plan->nkernels)
		pc_session_close(&sampling.pc);
}

int sampling_end(bool worked, struct error *err)
{
	struct sampled_kernel *k = &sampling.kernels[sampling.kernel];

	if (pc_session_stop(&sampling.pc, worked ? take_samples : drop_samples, NULL, err) < 0)
		return -1;
	if (!worked) {
		end_kernel(sampling.kernel);
		close_if_done();
		return 1;
	}
	k->launches++;
	k->sums.total += sampling.pc.total;
	k->sums.dropped += sampling.pc.dropped;
	k->sums.foreign += sampling.pc.foreign;
	k->sums.full += sampling.pc.full;
	k->spent_ns += clock_monotonic() - sampling.begun_ns;
	if (k->launches < sampling.plan->kernels[sampling.kernel].launches && k->spent_ns < kernel_time_ns)
		return 0;
	end_kernel(sampling.kernel);
	close_if_done();
	return 1;
}

void sampling_leave(CUcontext context)
{
	if (context && sampling.pc.context != context)
		return;
	/* Those that were not met may be in another context. */
	for (size_t i = 0; sampling.kernels && i < sampling.plan->nkernels; i++)
		if (sampling.kernels[i].launches > 0)
			end_kernel(i);
	pc_session_close(&sampling.pc);
}
