/* close.c: a close-up of each of the first places where double buffering would pay: a typical stretch of it. */
#include "model/trace/close.h"

#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "model/recording.h"
#include "model/trace/timeline.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/number.h"

/* A stretch holds CLOSE_COPIES copies. It is typical of CLOSE_NEAR copies before the example and as many after it. */
enum { CLOSE_UPS = 3, CLOSE_COPIES = 5, CLOSE_NEAR = 16 };

/* The group of copies that costs an entry the most time, and where one of these copies is. */
struct place {
	const char *cls;
	int64_t process; /* pid */
	int64_t stream;  /* -1: any */
	int64_t example; /* start of a copy, as in the trace */
	int device;
};

/* A stretch of time. */
struct stretch {
	int64_t start, end;
	size_t first; /* of the copies in it */
};

static struct place close_place_of(const struct trace *trace, const json_t *pay)
{
	const json_t *copies = json_array_get(json_object_get(pay, "copies"), 0);

	return (struct place){
		.cls = tree_text(copies, "class"),
		.process = json_integer_value(json_object_get(pay, "process")),
		.stream = tree_has(copies, "stream") ? json_integer_value(json_object_get(copies, "stream")) : -1,
		.example = json_integer_value(json_object_get(copies, "example_ns")) +
			   (trace->nwork ? trace->work[0].start : 0),
		.device = (int)json_integer_value(json_object_get(pay, "device")),
	};
}

static bool is_here(const struct place *place, const struct activity *work)
{
	return work->device == place->device && pid_of(work->process) == place->process;
}

static bool is_copy_of(const struct place *place, const struct activity *work)
{
	return is_here(place, work) && strcmp(class_key(work->cls), place->cls) == 0 &&
	       (place->stream < 0 || work->stream == place->stream);
}

/* The copies around the example, by start, into `out` with room for 2 * CLOSE_NEAR + CLOSE_COPIES. */
static size_t copies_near(const struct trace *trace, const struct place *place, const struct activity **out)
{
	size_t at = 0, first, n = 0, before = 0;

	while (at < trace->nwork && trace->work[at].start < place->example)
		at++;
	for (first = at; first > 0 && before < CLOSE_NEAR; first--)
		before += is_copy_of(place, &trace->work[first - 1]);
	for (size_t i = first; i < trace->nwork && n < before + CLOSE_NEAR + CLOSE_COPIES; i++) {
		if (is_copy_of(place, &trace->work[i]))
			out[n++] = &trace->work[i];
	}
	return n;
}

static int close_by_length(const void *left, const void *right)
{
	const struct stretch *a = left, *b = right;
	int order = int64_order(a->end - a->start, b->end - b->start);

	return order ? order : int64_order(a->start, b->start);
}

/* The stretch of a few copies, with the time from one to the next added behind the last: work that follows it belongs
 * to it. */
static struct stretch whole_stretch(const struct work_list *copies)
{
	const struct activity *first = copies->item[0], *last = copies->item[copies->n - 1];
	int64_t length = last->end - last->start, pitch = length < TIME_LIMIT / 4 ? 3 * length : length;

	if (copies->n > 1)
		pitch = (last->start - first->start) / (int64_t)(copies->n - 1);

	return (struct stretch){first->start, last->start + pitch, 0};
}

/* A stretch lasts from the start of a copy to the start of the fifth after it. The one of median length is typical: the
 * first may hold the set-up, and some reach from one pass of a loop to the next. */
static struct stretch typical_stretch(const struct work_list *copies)
{
	size_t n = copies->n - CLOSE_COPIES;
	struct stretch *all, typical;

	if (copies->n <= CLOSE_COPIES)
		return whole_stretch(copies);
	all = xcalloc(n, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		all[i] = (struct stretch){copies->item[i]->start, copies->item[i + CLOSE_COPIES]->start, i};
	qsort(all, n, sizeof(*all), close_by_length);
	typical = all[(n - 1) / 2];
	free(all);
	return typical;
}

/* Copies the process's work on the GPU during a stretch into `room`; returns the number of pieces, also if `room` is
 * NULL. Cuts what reaches far out of the stretch: one long kernel would make all the rest narrow. */
static size_t work_during(
	const struct trace *trace, const struct place *place, const struct stretch *stretch, struct activity *room)
{
	int64_t margin = (stretch->end - stretch->start) / 4, from = stretch->start - margin,
		to = stretch->end + margin;
	size_t n = 0;

	for (size_t i = 0; i < trace->nwork && trace->work[i].start < stretch->end; i++) {
		const struct activity *work = &trace->work[i];

		if (work->end <= stretch->start || !is_here(place, work))
			continue;
		if (room) {
			room[n] = *work;
			room[n].start = work->start < from ? from : work->start;
			room[n].end = work->end > to ? to : work->end;
		}
		n++;
	}
	return n;
}

static size_t ranges_during(
	const struct trace *trace, const struct place *place, const struct stretch *stretch, const struct range **out)
{
	size_t n = 0;

	for (size_t i = 0; i < trace->nranges; i++) {
		const struct range *range = &trace->ranges[i];

		if (range->start < stretch->end && range->end > stretch->start &&
			(place->process == 0 || pid_of(process_of(range->thread)) == place->process))
			out[n++] = range;
	}
	return n;
}

static json_t *stretch_timeline(
	const struct model *model, const struct place *place, const struct stretch *stretch, int64_t *zero)
{
	const struct trace *trace = &model->trace;
	size_t n = work_during(trace, place, stretch, NULL);
	struct activity *room = xcalloc(n + 1, sizeof(*room));
	struct work_list work = {.item = xcalloc(n + 1, sizeof(*work.item)), .n = n};
	const struct range **ranges = xcalloc(trace->nranges + 1, sizeof(*ranges));
	json_t *timeline;

	work_during(trace, place, stretch, room);
	*zero = stretch->start;
	for (size_t i = 0; i < work.n; i++) {
		work.item[i] = &room[i];
		*zero = room[i].start < *zero ? room[i].start : *zero;
	}
	timeline = timeline_json(model, &work, ranges, ranges_during(trace, place, stretch, ranges));
	free(room);
	free(work.item);
	free(ranges);
	return timeline;
}

static json_t *close_json(const struct model *model, const struct place *place, const struct work_list *copies)
{
	const struct stretch stretch = typical_stretch(copies);
	json_t *close = json_object();
	int64_t zero;
	json_t *timeline = stretch_timeline(model, place, &stretch, &zero);

	put_json(close, "start_ns", json_integer(zero - model->trace.work[0].start));
	put_json(close, "class", text_json(place->cls));
	put_json(close, "copies", json_integer(copies->n < CLOSE_COPIES ? (json_int_t)copies->n : CLOSE_COPIES));
	put_json(close, "timeline", timeline);
	return close;
}

static json_t *close_of(const struct model *model, const json_t *pay)
{
	const struct place place = close_place_of(&model->trace, pay);
	const struct activity *near[2 * CLOSE_NEAR + CLOSE_COPIES];
	const struct work_list copies = {.item = near, .n = copies_near(&model->trace, &place, near)};

	return copies.n > 0 ? close_json(model, &place, &copies) : json_null();
}

void close_ups(const struct model *model, json_t *pays)
{
	for (size_t i = 0; i < json_array_size(pays); i++) {
		json_t *pay = json_array_get(pays, i);

		put_json(pay, "close_up", i < CLOSE_UPS ? close_of(model, pay) : json_null());
	}
}
