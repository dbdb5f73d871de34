/* step-lag.c: see step-lag.h. What the process has asked for before a step counts, in or outside of steps, by whatever
 * thread: the host may wait for all of it. */
#include "contrast/step/step-lag.h"

#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

/* Work is asked for, or a step begins. */
struct lag_event {
	int64_t process, at;
	int64_t end;              /* of the work on the GPU */
	struct launch_step *step; /* NULL: work */
};

static int by_process_and_time(const void *left, const void *right)
{
	const struct lag_event *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return a->at != b->at ? int64_order(a->at, b->at) : (a->step == NULL) - (b->step == NULL);
}

/* For free(). */
static struct lag_event *lag_events(const struct gather *gather, size_t *n)
{
	struct launches *run = gather->out;
	struct lag_event *events = xcalloc(gather->n + run->nsteps + 1, sizeof(*events));

	*n = 0;
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->call_start != CALL_UNKNOWN && work->call_start != CALL_AMBIGUOUS)
			events[(*n)++] =
				(struct lag_event){process_of(work->call_thread), work->call_start, work->end, NULL};
	}
	for (size_t i = 0; i < run->nsteps; i++) {
		struct launch_step *step = &run->steps[i];

		events[(*n)++] = (struct lag_event){process_of(step->thread), step->start, 0, step};
	}
	if (*n > 1)
		qsort(events, *n, sizeof(*events), by_process_and_time);
	return events;
}

static void find_lags(const struct gather *gather)
{
	size_t n;
	struct lag_event *events = lag_events(gather, &n);
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		const struct lag_event *event = &events[i];

		if (i > 0 && event->process != event[-1].process)
			last = INT64_MIN;
		if (!event->step)
			last = event->end > last ? event->end : last;
		else if (last > event->at)
			event->step->lag = last - event->at;
	}
	free(events);
}

void step_lag_sum_up(struct gather *gather)
{
	if (!gather->out->has_range)
		return;
	find_lags(gather);
	launches_find_pace(gather->out, PAUSE_UNKNOWN);
}
