/* running.c: the sum of the intervals that are open, as a curve over time. */
#include "analyze/running.h"

#include <stdlib.h>

#include "util/alloc.h"

void running_free(struct running *running)
{
	free(running->open);
	*running = (struct running){0};
}

static void running_swap(struct running_part *a, struct running_part *b)
{
	struct running_part c = *a;

	*a = *b;
	*b = c;
}

/* `open` is a heap: the interval that ends first is at its top. */
static void sink(struct running *running)
{
	for (size_t i = 0, child; (child = 2 * i + 1) < running->n; i = child) {
		if (child + 1 < running->n && running->open[child + 1].end < running->open[child].end)
			child++;
		if (running->open[i].end <= running->open[child].end)
			return;
		running_swap(&running->open[i], &running->open[child]);
	}
}

static void rise(struct running *running, size_t i)
{
	for (; i > 0 && running->open[i].end < running->open[(i - 1) / 2].end; i = (i - 1) / 2)
		running_swap(&running->open[i], &running->open[(i - 1) / 2]);
}

int running_next(struct running *running, int64_t until, int64_t *time)
{
	if (running->n == 0 || running->open[0].end > until)
		return 0;
	*time = running->open[0].end;
	while (running->n > 0 && running->open[0].end == *time) {
		running->sum -= running->open[0].value;
		running->open[0] = running->open[--running->n];
		sink(running);
	}
	if (running->n == 0)
		running->sum = 0; /* not what rounding left */
	return 1;
}

void running_add(struct running *running, int64_t end, double value)
{
	xgrow(&running->open, running->n, &running->room, sizeof(*running->open));
	running->open[running->n] = (struct running_part){end, value};
	rise(running, running->n++);
	running->sum += value;
}
