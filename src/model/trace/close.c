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

/* A passage holds CLOSE_COPIES copies. It is typical of CLOSE_NEAR copies before the example and as many after it. */
enum { CLOSE_UPS = 3, CLOSE_COPIES = 5, CLOSE_NEAR = 16 };

/* The group of copies that costs an entry the most time, and where one of these copies is. */
struct place {
	const char *cls;
	int64_t process; /* pid */
	int64_t stream;  /* -1: any */
	int64_t example; /* start of a copy, as in the trace */
	int device;
};

/* From one copy to a later one. */
struct passage {
	int64_t start, end;
};

static struct place close_place_of(const struct trace *trace, const json_t *pay)
{
	const json_t *copies = json_array_get(json_object_get(pay, "copies"), 0);

	return (struct place){
		.cls = tree_text(copies, "class"),
		.process = json_integer_value(json_object_get(pay, "process")),
		.stream = tree_has(copies, "stream") ? json_integer_value(json_object_get(copies, "stream")) : -1,
		.example = json_integer_value(json_object_get(copies, "example_ns")) +
			   (trace->nwork ? trace->start[0] : 0),
		.device = (int)json_integer_value(json_object_get(pay, "device")),
	};
}

static bool is_here(const struct place *place, const struct work_lane *lane)
{
	return lane->device == place->device && pid_of(lane->process) == place->process;
}

static bool is_copy_of(const struct place *place, const struct work_lane *lane)
{
	return is_here(place, lane) && strcmp(class_key((enum work_class)lane->cls), place->cls) == 0 &&
	       (place->stream < 0 || lane->stream == place->stream);
}

/* The copies around the example, by start, into `out` with room for 2 * CLOSE_NEAR + CLOSE_COPIES. */
static size_t copies_near(const struct trace *trace, const struct place *place, uint32_t *out)
{
	size_t first = trace_first_from(trace, place->example), n = 0, before = 0;

	for (; first > 0 && before < CLOSE_NEAR; first--)
		before += is_copy_of(place, work_lane(trace, first - 1));
	for (size_t i = first; i < trace->nwork && n < before + CLOSE_NEAR + CLOSE_COPIES; i++) {
		if (is_copy_of(place, work_lane(trace, i)))
			out[n++] = (uint32_t)i;
	}
	return n;
}

static int close_by_length(const void *left, const void *right)
{
	const struct passage *a = left, *b = right;
	int order = int64_order(a->end - a->start, b->end - b->start);

	return order ? order : int64_order(a->start, b->start);
}

/* The passage of a few copies, with the time from one to the next added behind the last: work that follows it belongs
 * to it. */
static struct passage whole_passage(const struct trace *trace, const struct work_list *copies)
{
	int64_t start = trace->start[copies->item[0]], last = trace->start[copies->item[copies->n - 1]];
	int64_t length = trace->end[copies->item[copies->n - 1]] - last;
	int64_t pitch = length < TIME_LIMIT / 4 ? 3 * length : length;

	if (copies->n > 1)
		pitch = (last - start) / (int64_t)(copies->n - 1);
	return (struct passage){start, last + pitch};
}

/* A passage lasts from the start of a copy to the start of the fifth after it. The one of median length is typical: the
 * first may hold the set-up, and some reach from one pass of a loop to the next. */
static struct passage typical_passage(const struct trace *trace, const struct work_list *copies)
{
	size_t n = copies->n - CLOSE_COPIES;
	struct passage *all, typical;

	if (copies->n <= CLOSE_COPIES)
		return whole_passage(trace, copies);
	all = xcalloc(n, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		all[i] = (struct passage){trace->start[copies->item[i]], trace->start[copies->item[i + CLOSE_COPIES]]};
	qsort(all, n, sizeof(*all), close_by_length);
	typical = all[(n - 1) / 2];
	free(all);
	return typical;
}

/* The process's work on the GPU during a passage, for free(out->item). */
static void work_during(
	const struct trace *trace, const struct place *place, const struct passage *passage, struct work_list *out)
{
	size_t end = trace_first_from(trace, passage->end), room = 0;

	*out = (struct work_list){0};
	for (size_t i = 0; i < end; i++) {
		if (trace->end[i] <= passage->start || !is_here(place, work_lane(trace, i)))
			continue;
		xgrow(&out->item, out->n, &room, sizeof(*out->item));
		out->item[out->n++] = (uint32_t)i;
	}
}

static size_t ranges_during(
	const struct trace *trace, const struct place *place, const struct passage *passage, const struct range **out)
{
	size_t n = 0;

	for (size_t i = 0; i < trace->nranges; i++) {
		const struct range *range = &trace->ranges[i];

		if (range->start >= passage->end || range->end <= passage->start ||
			(place->process != 0 && pid_of(range_thread(trace, range)) != place->process))
			continue;
		if (out)
			out[n] = range;
		n++;
	}
	return n;
}

/* What reaches far out of the passage is cut: one long kernel would make all the rest narrow. */
static json_t *passage_timeline(
	const struct model *model, const struct place *place, const struct passage *passage, int64_t *zero)
{
	const struct trace *trace = &model->trace;
	int64_t margin = (passage->end - passage->start) / 4;
	const struct stretch stretch = {passage->start - margin, passage->end + margin, false, false};
	size_t nranges = ranges_during(trace, place, passage, NULL);
	const struct range **ranges = xcalloc(nranges + 1, sizeof(*ranges));
	struct work_list work;
	json_t *timeline;

	work_during(trace, place, passage, &work);
	ranges_during(trace, place, passage, ranges);
	*zero = passage->start;
	for (size_t i = 0; i < work.n; i++) {
		int64_t start = trace->start[work.item[i]];

		start = start < stretch.from ? stretch.from : start;
		*zero = start < *zero ? start : *zero;
	}
	timeline = timeline_json(model, &work, &stretch, ranges, nranges);
	free(work.item);
	free(ranges);
	return timeline;
}

static json_t *close_json(const struct model *model, const struct place *place, const struct work_list *copies)
{
	const struct passage passage = typical_passage(&model->trace, copies);
	json_t *close = json_object();
	int64_t zero;
	json_t *timeline = passage_timeline(model, place, &passage, &zero);

	put_json(close, "start_ns", json_integer(zero - model->trace.start[0]));
	put_json(close, "class", text_json(place->cls));
	put_json(close, "copies", json_integer(copies->n < CLOSE_COPIES ? (json_int_t)copies->n : CLOSE_COPIES));
	put_json(close, "timeline", timeline);
	return close;
}

static json_t *close_of(const struct model *model, const json_t *pay)
{
	const struct place place = close_place_of(&model->trace, pay);
	uint32_t near[2 * CLOSE_NEAR + CLOSE_COPIES];
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
