/* timeline.c: the T objects of the model: device work in lanes, NVTX ranges above them. */
#include "model/trace/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/recording.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/rowset.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/number.h"

enum { LANE_EVENTS = 400, LANE_SLICES = 1200, TIMELINE_RANGES = 1000, TIMELINE_LANES = 200, TEXT_SIZE = 512 };

/* The order of lanes within a stream follows the data. */
static int class_rank(enum work_class cls)
{
	static const int rank[WORK_CLASSES] = {[WORK_H2D] = 0, [WORK_KERNEL] = 1, [WORK_D2H] = 2, [WORK_OTHER] = 3};

	return rank[cls];
}

static int timeline_lane_order(const struct activity *a, const struct activity *b)
{
	if (a->device != b->device)
		return int64_order(a->device, b->device);
	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->stream != b->stream)
		return int64_order(a->stream, b->stream);
	return int64_order(class_rank(a->cls), class_rank(b->cls));
}

/* The trace holds work by start: within a lane, addresses give the order. */
static int timeline_by_lane(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;
	int order = timeline_lane_order(a, b);

	return order ? order : (a > b) - (a < b);
}

/* A timeline in the making. */
struct timeline {
	const struct model *model;
	struct work_list work; /* sorted by lane; owned */
	int64_t zero, end;
	bool several_devices, several_processes;
};

static void timeline_make(struct timeline *timeline, const struct model *model, const struct work_list *work)
{
	*timeline = (struct timeline){.model = model, .zero = INT64_MAX, .end = INT64_MIN};
	timeline->work.item = xcalloc(work->n + 1, sizeof(*work->item));
	for (size_t i = 0; i < work->n; i++) {
		const struct activity *item = work->item[i];

		timeline->work.item[timeline->work.n++] = item;
		if (item->start < timeline->zero)
			timeline->zero = item->start;
		if (item->end > timeline->end)
			timeline->end = item->end;
		timeline->several_devices |= item->device != work->item[0]->device;
		timeline->several_processes |= item->process != work->item[0]->process;
	}
	if (work->n == 0)
		timeline->zero = timeline->end = 0;
	if (work->n > 1)
		qsort(timeline->work.item, work->n, sizeof(*work->item), timeline_by_lane);
}

static json_t *lane_label(const struct timeline *timeline, const struct activity *work)
{
	char text[TEXT_SIZE] = "";

	if (timeline->several_processes)
		clip_append(text, sizeof(text), "process %lld · ", (long long)pid_of(work->process));
	if (timeline->several_devices)
		clip_append(text, sizeof(text), "GPU %d · ", work->device);
	clip_append(text, sizeof(text), "stream %lld · %s", (long long)work->stream, class_words(work->cls));
	return text_json(text);
}

/* Whether the work's stream is the default one of its process on its GPU; null where the recording does not say. */
static json_t *default_json(const struct timeline *timeline, const struct activity *work)
{
	const struct rows contexts = rows_all(&timeline->model->table[TABLE_CONTEXT]);
	bool known = false;

	for (size_t i = 0; i < contexts.count; i++) {
		if (row_null(&contexts, i, CONTEXT_nullStreamId) ||
			row_int(&contexts, i, CONTEXT_processId) != pid_of(work->process) ||
			device_of(&timeline->model->trace.devices, work->process,
				row_int(&contexts, i, CONTEXT_deviceId)) != work->device)
			continue;
		known = true;
		if (row_int(&contexts, i, CONTEXT_nullStreamId) == work->stream)
			return json_true();
	}
	return known ? json_false() : json_null();
}

static json_t *timeline_event_json(const struct timeline *timeline, const struct activity *work)
{
	json_t *event = json_object();
	char text[TEXT_SIZE];

	activity_words(work, text, sizeof(text));
	put_json(event, "start_ns", json_integer(work->start - timeline->zero));
	put_json(event, "end_ns", json_integer(work->end - timeline->zero));
	put_json(event, "text", text_json(text));
	put_json(event, "bytes", work->bytes < 0 ? json_null() : json_integer(work->bytes));
	return event;
}

static json_t *timeline_events_json(const struct timeline *timeline, const struct activity *const *work, size_t n)
{
	json_t *events = json_array();

	for (size_t i = 0; i < n; i++)
		append_json(events, timeline_event_json(timeline, work[i]));
	return events;
}

static json_t *timeline_share_json(const struct timeline *timeline, const struct activity *const *work, size_t n)
{
	struct interval *busy = xcalloc(n, sizeof(*busy));
	double share[LANE_SLICES];
	json_t *list;

	for (size_t i = 0; i < n; i++)
		busy[i] = (struct interval){work[i]->start, work[i]->end};
	n = intervals_union(busy, n);
	intervals_share(busy, n, timeline->zero, timeline->end, share, LANE_SLICES);
	free(busy);
	list = json_array();
	for (int i = 0; i < LANE_SLICES; i++)
		append_json(list, real_json(share[i]));
	return list;
}

static json_t *lane_json(const struct timeline *timeline, const struct activity *const *work, size_t n)
{
	json_t *lane = json_object();

	put_json(lane, "label", lane_label(timeline, work[0]));
	put_json(lane, "class", text_json(class_key(work[0]->cls)));
	put_json(lane, "stream", json_integer(work[0]->stream));
	put_json(lane, "default_stream", default_json(timeline, work[0]));
	put_json(lane, "device", json_integer(work[0]->device));
	put_json(lane, "process", json_integer(pid_of(work[0]->process)));
	put_json(lane, "count", json_integer((json_int_t)n));
	if (n > LANE_EVENTS)
		put_json(lane, "share", timeline_share_json(timeline, work, n));
	else
		put_json(lane, "events", timeline_events_json(timeline, work, n));
	return lane;
}

/* One lane: work.item[first .. first + count). */
struct lane {
	size_t first, count;
};

static int by_most_work(const void *left, const void *right)
{
	const struct lane *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int by_first(const void *left, const void *right)
{
	const struct lane *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Splits the work into `lanes`, which may be NULL; returns their number. */
static size_t find_lanes(const struct work_list *work, struct lane *lanes)
{
	size_t n = 0;

	for (size_t i = 0; i < work->n; i++) {
		if (i == 0 || timeline_lane_order(work->item[i - 1], work->item[i]) != 0) {
			if (lanes)
				lanes[n] = (struct lane){.first = i};
			n++;
		}
		if (lanes)
			lanes[n - 1].count++;
	}
	return n;
}

/* The lanes with the most work, in their order; *left_out is the number of the others. */
static json_t *lanes_json(const struct timeline *timeline, size_t *left_out)
{
	const struct work_list *work = &timeline->work;
	size_t n = find_lanes(work, NULL), shown = n < TIMELINE_LANES ? n : TIMELINE_LANES;
	struct lane *lanes = xcalloc(n + 1, sizeof(*lanes));
	json_t *list = json_array();

	if (find_lanes(work, lanes) > shown) {
		qsort(lanes, n, sizeof(*lanes), by_most_work);
		qsort(lanes, shown, sizeof(*lanes), by_first);
	}
	for (size_t i = 0; i < shown; i++)
		append_json(list, lane_json(timeline, work->item + lanes[i].first, lanes[i].count));
	free(lanes);
	*left_out = n - shown;
	return list;
}

static json_t *color_json(int64_t color)
{
	char text[8];

	if (color < 0)
		return json_null();
	snprintf(text, sizeof(text), "#%06X", (unsigned)(color & 0xFFFFFF));
	return text_json(text);
}

static json_t *range_json(const struct timeline *timeline, const struct range *range)
{
	json_t *object = json_object();

	put_json(object, "start_ns", json_integer(range->start - timeline->zero));
	put_json(object, "end_ns", json_integer(range->end - timeline->zero));
	put_json(object, "text", text_json(range->text));
	put_json(object, "depth", json_integer(range->depth));
	put_json(object, "color", color_json(range->color));
	put_json(object, "process", json_integer(pid_of(range->thread)));
	put_json(object, "thread", json_integer(range->thread & 0xFFFFFF));
	return object;
}

static int timeline_by_length(const void *left, const void *right)
{
	const struct range *a = *(const struct range *const *)left, *b = *(const struct range *const *)right;
	int order = int64_order(b->end - b->start, a->end - a->start);

	return order ? order : (a > b) - (a < b);
}

static int by_range_start(const void *left, const void *right)
{
	const struct range *a = *(const struct range *const *)left, *b = *(const struct range *const *)right;
	int order = int64_order(a->start, b->start);

	return order ? order : (a > b) - (a < b);
}

/* The longest ranges, by start. Sorts `ranges`. */
static json_t *shown_ranges_json(const struct timeline *timeline, const struct range **ranges, size_t n)
{
	json_t *list = json_array();

	if (n > TIMELINE_RANGES) {
		qsort(ranges, n, sizeof(*ranges), timeline_by_length);
		n = TIMELINE_RANGES;
	}
	if (n > 1)
		qsort(ranges, n, sizeof(*ranges), by_range_start);
	for (size_t i = 0; i < n; i++)
		append_json(list, range_json(timeline, ranges[i]));
	return list;
}

static void note_left_out(const struct model *model, size_t left_out)
{
	if (left_out)
		model_note_facts(model, json_pack("{s:s, s:i, s:I}", "id", "lanes-left-out", "shown", TIMELINE_LANES,
						"left_out", (json_int_t)left_out));
}

json_t *timeline_json(
	const struct model *model, const struct work_list *work, const struct range **ranges, size_t nranges)
{
	struct timeline timeline;
	size_t left_out = 0;
	json_t *object = json_object();

	timeline_make(&timeline, model, work);
	put_json(object, "span_ns", json_integer(timeline.end - timeline.zero));
	put_json(object, "lanes", lanes_json(&timeline, &left_out));
	note_left_out(model, left_out);
	put_json(object, "lanes_left_out", json_integer((json_int_t)left_out));
	put_json(object, "ranges", shown_ranges_json(&timeline, ranges, nranges));
	put_json(object, "ranges_left_out",
		json_integer(nranges > TIMELINE_RANGES ? (json_int_t)(nranges - TIMELINE_RANGES) : 0));
	free(timeline.work.item);
	return object;
}
