/* rates.c: see rates.h. */
#include "export/trace/rates.h"

#include "export/state.h"
#include "export/trace/form.h"
#include "store/copies.h"

static void put_rate(struct export *ex, const struct group *group, int direction, int64_t time)
{
	static const char *const names[RATES] = {"copies, host to device", "copies, device to host"};

	trace_of(ex)->form->counter(
		ex, group, names[direction], "GB/s", group->rate[direction].sum, time + trace_of(ex)->shift);
}

/* Writes the rate at each end of a copy before `until`. */
static void close_until(struct export *ex, struct group *group, int direction, int64_t until)
{
	int64_t time;

	while (running_next(&group->rate[direction], until, &time)) {
		if (time < until)
			put_rate(ex, group, direction, time);
	}
}

void rates_copy(struct export *ex, struct group *group, const struct export_work *copy)
{
	enum copy_way way = copy_way(copy->copy_kind);
	int direction = way == COPY_OUT;

	if (way == COPY_ELSEWHERE || copy->bytes < 0 || copy->end <= copy->start)
		return;
	close_until(ex, group, direction, copy->start);
	/* Bytes per ns are GB/s. */
	running_add(&group->rate[direction], copy->end, (double)copy->bytes / (double)(copy->end - copy->start));
	put_rate(ex, group, direction, copy->start);
}

void rates_end(struct export *ex, struct tracks *tracks)
{
	struct group *group;

	for (size_t at = 0; (group = tracks_next_group(tracks, &at));) {
		for (int direction = 0; direction < RATES; direction++)
			close_until(ex, group, direction, INT64_MAX);
	}
}
