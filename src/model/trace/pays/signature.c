/* signature.c: which loops are the same, found in several stretches or behind each other. */
#include <stdlib.h>

#include "model/trace/calls.h"
#include "model/trace/pays/phasing.h"
#include "util/alloc.h"

/* What a call does. Sizes of copies are told apart by those of a stretch, so between stretches they do not count. */
static uint64_t call_does(const struct phasing *phasing, const struct replay_call *call, bool sampled)
{
	const struct trace *trace = &phasing->model->trace;
	size_t work;

	if (!sampled || call->count == 0)
		return call->token;
	work = phasing->program->work[call->first];
	if (work_copy(trace, work))
		return (uint64_t)work_lane(trace, work)->cls << 32 | (uint64_t)work_copy_kind(trace, work) << 40;
	return UINT64_C(1) << 63 | trace->what[work];
}

static int does_order(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The most rounds that are looked at: those in the middle. */
enum { ROUNDS_SEEN = 64 };

/* What is done as often as every second round, or more often; where a round begins does not matter. */
static uint64_t loop_signature(const struct phasing *phasing, const struct replay_loop *loop, bool sampled)
{
	size_t rounds = loop->rounds < ROUNDS_SEEN ? loop->rounds : ROUNDS_SEEN, from = 0;
	const uint32_t *first = loop->first + (loop->rounds - rounds) / 2;
	size_t n = first[rounds] - first[0];
	uint64_t *does = xcalloc(n + 1, sizeof(*does)), sum = loop->turns;

	for (size_t i = 0; i < n; i++)
		does[i] = call_does(phasing, phase_call(phasing, first[0] + (uint32_t)i), sampled);
	if (n > 1)
		qsort(does, n, sizeof(*does), does_order);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && does[i] == does[from])
			continue;
		if ((i - from) * 2 >= rounds) {
			uint64_t hash = (does[from] + 1) * 0x9E3779B97F4A7C15U;

			sum += (hash ^ hash >> 31) * 0xD6E8FEB86659FD93U;
		}
		from = i;
	}
	free(does);
	return sum;
}

uint64_t phase_signature(const struct phasing *phasing, const struct pays_phase *phase, bool sampled)
{
	uint64_t hash = (uint64_t)phase->range * 31 + (uint64_t)phase->domain * 7 + phase->within;

	for (size_t l = 0; l < phasing->nloops; l++)
		hash = (hash ^ loop_signature(phasing, &phasing->loop[l], sampled)) * 0x9E3779B97F4A7C15U;
	return hash ^ (uint64_t)phase->process * 0xBF58476D1CE4E5B9U ^ (uint64_t)phase->device;
}
