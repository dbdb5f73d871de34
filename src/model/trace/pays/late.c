/* late.c: time in which a GPU has nothing to do because the host has asked for nothing: how much of a loop it is, what
 * the host did then, and what a thread that prepares rounds ahead would hide. */
#include <stdlib.h>

#include "analyze/prefetch.h"
#include "model/recording.h"
#include "model/trace/pays/phasing.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/numbering.h"

/* Work before a loop that may still be under way when it begins: so many pieces are looked at. */
enum { PIECES_BEFORE = 256 };

/* From when on the GPU had something to do, and until when. */
struct asked {
	int64_t start, end;
	uint32_t thread; /* that asked: place in trace.threads */
};

struct lateness {
	const struct phasing *phasing;
	const struct trace *trace;
	struct pays_late *late;
	int64_t from, to;       /* of the loops */
	uint32_t thread;        /* of the first loop */
	double *host, *gpu;     /* by round of the first loop: what prefetch_rounds() takes */
	size_t room;            /* of late->part */
	struct numbering parts; /* kind and name of each of late->part */
};

static int asked_by_start(const void *left, const void *right)
{
	const struct asked *a = left, *b = right;

	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

/* When the GPU had work to do while the loops ran, whoever asked for it; for free(). */
static struct asked *asked_times(const struct lateness *lateness, int device, size_t *count)
{
	const struct trace *trace = lateness->trace;
	size_t i = trace_first_from(trace, lateness->from), n = 0, room = 0;
	struct asked *list = NULL;

	i = i > PIECES_BEFORE ? i - PIECES_BEFORE : 0;
	for (; i < trace->nwork && trace->start[i] < lateness->to; i++) {
		if (work_lane(trace, i)->device != device)
			continue;
		xgrow(&list, n, &room, sizeof(*list));
		/* Work that runs was asked for, whatever a clock that is read apart says. */
		list[n++] = (struct asked){
			pays_issue(trace, i) < trace->start[i] ? pays_issue(trace, i) : within_limit(trace->start[i]),
			within_limit(trace->end[i]), call_known(trace, i) ? trace->thread[i] - 1 : lateness->thread};
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), asked_by_start);
	*count = n;
	return list;
}

/* ---- what the host did ---- */

static void late_part(struct lateness *lateness, enum pays_late_kind kind, uint32_t name, int64_t time)
{
	struct pays_late *late = lateness->late;
	size_t place = numbering_place(&lateness->parts, (int64_t)kind << 32 | name);

	if (place < late->n) {
		late->part[place].time += time;
		return;
	}
	xgrow(&late->part, late->n, &lateness->room, sizeof(*late->part));
	late->part[late->n] = (struct pays_late_part){time, name, late->n, kind};
	late->n++;
}

/* A stretch of a thread outside of calls: by the innermost range. */
static void late_in_ranges(struct lateness *lateness, uint32_t thread, int64_t from, int64_t to)
{
	const struct trace *trace = lateness->trace;

	while (from < to) {
		size_t next;
		int range = phase_range_around(trace, thread, from, &next);
		int64_t until = to;

		if (range >= 0 && trace->ranges[range].end < until)
			until = trace->ranges[range].end;
		if (next < trace->nranges && trace->ranges[next].thread == thread && trace->ranges[next].start < until)
			until = trace->ranges[next].start;
		late_part(lateness, range >= 0 ? PAYS_LATE_RANGE : PAYS_LATE_OWN,
			range >= 0 ? trace->ranges[range].text : 0, until - from);
		from = until;
	}
}

size_t late_first_call(const struct pays_host *host, uint32_t thread, int64_t time)
{
	size_t low = 0, high = host->ncalls;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pays_host_call *call = &host->call[middle];

		if (call->thread < thread || (call->thread == thread && call->end <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void late_doing(struct lateness *lateness, uint32_t thread, int64_t from, int64_t to)
{
	const struct pays_host *host = lateness->phasing->program->host;
	size_t i = late_first_call(host, thread, from);

	for (; i < host->ncalls && host->call[i].thread == thread && host->call[i].start < to; i++) {
		const struct pays_host_call *call = &host->call[i];
		int64_t start = call->start > from ? call->start : from, end = call->end < to ? call->end : to;

		late_in_ranges(lateness, thread, from, start);
		if (end > start)
			late_part(lateness, PAYS_LATE_CALL, call->name, end - start);
		from = end > from ? end : from;
	}
	late_in_ranges(lateness, thread, from, to);
}

/* ---- rounds ---- */

static int64_t late_round_start(const struct lateness *lateness, size_t round)
{
	const struct phasing *phasing = lateness->phasing;

	return phase_call(phasing, phasing->loop->first[round])->start;
}

/* The last round that has begun by a time; 0 before all. */
static size_t late_round(const struct lateness *lateness, int64_t time)
{
	size_t low = 0, high = lateness->phasing->loop->rounds;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (late_round_start(lateness, middle) <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The host is late from `from` to `to`, when it asks for the work of a round. */
static void take_late(struct lateness *lateness, uint32_t thread, int64_t from, int64_t to)
{
	if (to <= from)
		return;
	lateness->late->time += to - from;
	lateness->host[late_round(lateness, to)] += (double)(to - from);
	lateness->gpu[late_round(lateness, from)] -= (double)(to - from);
	late_doing(lateness, thread, from, to);
}

static void find_late_times(struct lateness *lateness, int device)
{
	size_t n;
	struct asked *asked = asked_times(lateness, device, &n);
	int64_t reach = lateness->from;

	for (size_t i = 0; i < n; i++) {
		int64_t until = asked[i].start < lateness->to ? asked[i].start : lateness->to;

		take_late(lateness, asked[i].thread, reach, until);
		reach = asked[i].end > reach ? asked[i].end : reach;
	}
	take_late(lateness, lateness->thread, reach, lateness->to);
	free(asked);
}

static void find_prefetch(struct lateness *lateness)
{
	size_t rounds = lateness->phasing->loop->rounds;
	struct prefetch prefetch;

	for (size_t r = 0; r < rounds; r++) {
		int64_t end = r + 1 < rounds ? late_round_start(lateness, r + 1) : lateness->to;

		lateness->gpu[r] += (double)(end - (r > 0 ? late_round_start(lateness, r) : lateness->from));
		if (lateness->gpu[r] < 0)
			lateness->gpu[r] = 0;
	}
	prefetch_rounds(lateness->host, lateness->gpu, rounds, &prefetch);
	lateness->late->depth = prefetch.depth;
	lateness->late->workers = prefetch.workers;
	lateness->late->hidden = prefetch.hidden;
}

static int late_by_time(const void *left, const void *right)
{
	const struct pays_late_part *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Puts the parts in order. */
static void late_settle(struct pays_late *late)
{
	if (late->n > 1)
		qsort(late->part, late->n, sizeof(*late->part), late_by_time);
}

void find_late(const struct phasing *phasing, int device, int64_t from, int64_t to, struct pays_late *late)
{
	struct lateness lateness = {.phasing = phasing, .trace = &phasing->model->trace, .late = late};
	size_t rounds = phasing->loop->rounds;

	*late = (struct pays_late){0};
	/* Without calls nobody knows when the host asked. */
	if (phasing->model->trace.no_calls || phasing->program->host->ncalls == 0)
		return;
	lateness.from = from;
	lateness.to = to;
	lateness.thread = phasing->program->thread[phasing->loop->thread];
	lateness.host = xcalloc(rounds + 1, sizeof(double));
	lateness.gpu = xcalloc(rounds + 1, sizeof(double));
	late->known = true;
	find_late_times(&lateness, device);
	find_prefetch(&lateness);
	late_settle(late);
	numbering_free(&lateness.parts);
	free(lateness.host);
	free(lateness.gpu);
}

void late_join(struct pays_late *into, const struct pays_late *more)
{
	struct lateness lateness = {.late = into, .room = into->n};

	into->time += more->time;
	into->hidden += more->hidden;
	into->depth = more->depth > into->depth ? more->depth : into->depth;
	into->workers = more->workers > into->workers ? more->workers : into->workers;
	for (size_t i = 0; i < into->n; i++)
		numbering_place(&lateness.parts, (int64_t)into->part[i].kind << 32 | into->part[i].name);
	for (size_t i = 0; i < more->n; i++)
		late_part(&lateness, more->part[i].kind, more->part[i].name, more->part[i].time);
	late_settle(into);
	numbering_free(&lateness.parts);
	free(more->part);
}
