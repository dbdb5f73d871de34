/* timeline.c: the T objects of the model: device work in lanes, NVTX ranges above them. */
#include "model/trace/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/recording.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/rowset.h"
#include "model/trace/trace.h"
#include "model/trace/unusual.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/number.h"

/* All shares together have at most ALL_SLICES slices, and all lanes at most ALL_EVENTS events: a timeline of many lanes
 * shows each of them small. */
enum {
	LANE_EVENTS = 400,
	ALL_EVENTS = 24 * LANE_EVENTS,
	LANE_SLICES = 1200,
	ALL_SLICES = 24 * LANE_SLICES,
	TIMELINE_RANGES = 1000,
	TIMELINE_LANES = 200,
	TEXT_SIZE = 512,
	SHARE_PARTS = 10000 /* finer than anything that is drawn */
};

/* One lane of the timeline. */
struct shown_lane {
	uint32_t lane;             /* place in trace.lanes */
	size_t count, others;      /* others: of them, that are not the step's own */
	bool has_share;            /* too many events: they are told as how busy the lane is in each slice */
	struct interval busy;      /* the last stretch of a share that goes on */
	double share[LANE_SLICES]; /* valid if has_share */
	json_t *events;            /* else */
};

/* A timeline in the making. */
struct timeline {
	const struct model *model;
	const struct trace *trace;
	const struct work_list *work; /* NULL: all */
	size_t n;
	const struct stretch *stretch; /* what reaches out of it is cut; or NULL */
	int64_t zero, end;
	bool several_devices, several_processes;
	size_t *count, *others;   /* by lane of the trace */
	struct shown_lane *lanes; /* in order */
	size_t nlanes, slices;    /* how many slices a share has */
	uint32_t *place;          /* by lane of the trace: one more than its place in `lanes`; 0: it is not shown */
};

/* The k-th piece of work that is shown. */
static size_t timeline_item(const struct timeline *timeline, size_t k)
{
	return timeline->work ? timeline->work->item[k] : k;
}

/* When piece `i` ran, as it is shown. */
static struct interval timeline_interval(const struct timeline *timeline, size_t i)
{
	struct interval shown = {timeline->trace->start[i], timeline->trace->end[i]};

	if (timeline->stretch && shown.start < timeline->stretch->from)
		shown.start = timeline->stretch->from;
	if (timeline->stretch && shown.end > timeline->stretch->to)
		shown.end = timeline->stretch->to;
	return shown;
}

static bool is_others(const struct timeline *timeline, size_t i)
{
	return timeline->stretch && timeline->stretch->has_others && timeline->trace->thread[i] == 0;
}

static void timeline_make(struct timeline *timeline)
{
	const struct trace *trace = timeline->trace;
	const struct work_lane *first = NULL;

	timeline->n = timeline->work ? timeline->work->n : trace->nwork;
	timeline->zero = INT64_MAX;
	timeline->end = INT64_MIN;
	timeline->count = xcalloc(trace->nlanes + 1, sizeof(*timeline->count));
	timeline->others = xcalloc(trace->nlanes + 1, sizeof(*timeline->others));
	for (size_t k = 0; k < timeline->n; k++) {
		size_t i = timeline_item(timeline, k);
		struct interval shown = timeline_interval(timeline, i);

		timeline->count[trace->lane[i]]++;
		timeline->others[trace->lane[i]] += is_others(timeline, i);
		timeline->zero = shown.start < timeline->zero ? shown.start : timeline->zero;
		timeline->end = shown.end > timeline->end ? shown.end : timeline->end;
	}
	if (timeline->n == 0)
		timeline->zero = timeline->end = 0;
	if (timeline->stretch && timeline->stretch->whole) {
		timeline->zero = timeline->stretch->from;
		timeline->end = timeline->stretch->to;
	}
	for (size_t l = 0; l < trace->nlanes; l++) {
		if (timeline->count[l] == 0)
			continue;
		first = first ? first : &trace->lanes[l];
		timeline->several_devices |= trace->lanes[l].device != first->device;
		timeline->several_processes |= trace->lanes[l].process != first->process;
	}
}

static json_t *lane_label(const struct timeline *timeline, const struct work_lane *lane)
{
	char text[TEXT_SIZE] = "";

	if (timeline->several_processes)
		clip_append(text, sizeof(text), "process %lld · ", (long long)pid_of(lane->process));
	if (timeline->several_devices)
		clip_append(text, sizeof(text), "GPU %d · ", lane->device);
	clip_append(text, sizeof(text), "stream %lld · %s", (long long)lane->stream, class_words(lane->cls));
	return text_json(text);
}

/* Whether the lane's stream is the default one of its process on its GPU; null where the recording does not say. */
static json_t *default_json(const struct timeline *timeline, const struct work_lane *lane)
{
	const struct rows contexts =
		rows_numbered(&timeline->model->table[TABLE_CONTEXT], CONTEXT_processId, pid_of(lane->process));
	bool known = false;

	for (size_t i = 0; i < contexts.count; i++) {
		if (row_null(&contexts, i, CONTEXT_nullStreamId) ||
			device_of(&timeline->trace->devices, lane->process, row_int(&contexts, i, CONTEXT_deviceId)) !=
				lane->device)
			continue;
		known = true;
		if (row_int(&contexts, i, CONTEXT_nullStreamId) == lane->stream)
			return json_true();
	}
	return known ? json_false() : json_null();
}

static json_t *timeline_event_json(const struct timeline *timeline, size_t i)
{
	struct interval shown = timeline_interval(timeline, i);
	json_t *event = json_object();
	struct activity work;
	char text[TEXT_SIZE];

	trace_activity(timeline->trace, i, &work);
	activity_words(&work, text, sizeof(text));
	put_json(event, "start_ns", json_integer(shown.start - timeline->zero));
	put_json(event, "end_ns", json_integer(shown.end - timeline->zero));
	put_json(event, "text", text_json(text));
	put_json(event, "bytes", work.bytes < 0 ? json_null() : json_integer(work.bytes));
	if (is_others(timeline, i))
		put_json(event, "own", json_false());
	return event;
}

/* ---- lanes ---- */

/* Ends the stretch in which the lane was busy. */
static void close_busy(const struct timeline *timeline, struct shown_lane *lane)
{
	intervals_add_share(&lane->busy, timeline->zero, timeline->end, lane->share, timeline->slices);
}

static void show_item(const struct timeline *timeline, struct shown_lane *lane, size_t i)
{
	struct interval shown = timeline_interval(timeline, i);

	if (!lane->has_share) {
		append_json(lane->events, timeline_event_json(timeline, i));
		return;
	}
	if (shown.start >= shown.end)
		return;
	if (shown.start > lane->busy.end || lane->busy.start >= lane->busy.end) {
		close_busy(timeline, lane);
		lane->busy = shown;
	} else if (shown.end > lane->busy.end) {
		lane->busy.end = shown.end;
	}
}

static void show_items(struct timeline *timeline)
{
	for (size_t k = 0; k < timeline->n; k++) {
		size_t i = timeline_item(timeline, k);
		uint32_t place = timeline->place[timeline->trace->lane[i]];

		if (place)
			show_item(timeline, &timeline->lanes[place - 1], i);
	}
	for (size_t l = 0; l < timeline->nlanes; l++) {
		if (timeline->lanes[l].has_share)
			close_busy(timeline, &timeline->lanes[l]);
	}
}

static json_t *share_json(const struct timeline *timeline, const struct shown_lane *lane)
{
	json_t *list = json_array();

	for (size_t i = 0; i < timeline->slices; i++)
		append_json(list, real_json(round(fmin(lane->share[i], 1) * SHARE_PARTS) / SHARE_PARTS));
	return list;
}

static json_t *lane_json(const struct timeline *timeline, struct shown_lane *shown)
{
	const struct work_lane *work = &timeline->trace->lanes[shown->lane];
	double unusual = gpu_unusual(timeline->model->gpus, work->device);
	json_t *lane = json_object();

	put_json(lane, "label", lane_label(timeline, work));
	put_json(lane, "class", text_json(class_key(work->cls)));
	put_json(lane, "stream", json_integer(work->stream));
	put_json(lane, "default_stream", default_json(timeline, work));
	put_json(lane, "device", json_integer(work->device));
	put_json(lane, "process", json_integer(pid_of(work->process)));
	put_json(lane, "count", json_integer((json_int_t)shown->count));
	if (shown->others)
		put_json(lane, "others", json_integer((json_int_t)shown->others));
	if (unusual > 0)
		put_json(lane, "unusual", real_json(unusual));
	if (shown->has_share)
		put_json(lane, "share", share_json(timeline, shown));
	else
		put_json(lane, "events", shown->events);
	return lane;
}

/* A lane and how much work it has. */
struct counted_lane {
	uint32_t lane;
	size_t count;
	double unusual; /* its GPU */
	size_t whole;   /* work of its process on its GPU */
	uint32_t first; /* the first lane of that: they stand together */
};

static int by_interest(const void *left, const void *right)
{
	const struct counted_lane *a = left, *b = right;

	if (a->unusual != b->unusual)
		return a->unusual > b->unusual ? -1 : 1;
	if (a->whole != b->whole)
		return a->whole > b->whole ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

static int lane_by_place(const void *left, const void *right)
{
	const struct counted_lane *a = left, *b = right;

	return (a->lane > b->lane) - (a->lane < b->lane);
}

static int by_event_count(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

/* How many events a lane may have that shows each: as many as all such lanes have room for. */
static size_t most_events(const struct counted_lane *lanes, size_t n)
{
	size_t *count = xcalloc(n + 1, sizeof(*count)), events = 0, i = 0;

	for (size_t l = 0; l < n; l++)
		count[l] = lanes[l].count;
	qsort(count, n, sizeof(*count), by_event_count);
	while (i < n && count[i] <= LANE_EVENTS && events + count[i] <= ALL_EVENTS)
		events += count[i++];
	/* Of lanes that are alike, all are shown in the same way. */
	events = i == n ? LANE_EVENTS : count[i] <= LANE_EVENTS ? count[i] - 1 : LANE_EVENTS;
	free(count);
	return events;
}

static bool same_owner(const struct work_lane *a, const struct work_lane *b)
{
	return a->device == b->device && a->process == b->process;
}

/* The work of a process on a GPU whose lanes begin with `first`. */
static size_t work_of_owner(const struct timeline *timeline, size_t first)
{
	const struct trace *trace = timeline->trace;
	size_t work = 0;

	for (size_t l = first; l < trace->nlanes && same_owner(&trace->lanes[first], &trace->lanes[l]); l++)
		work += timeline->count[l];
	return work;
}

static struct counted_lane *lanes_with_work(const struct timeline *timeline, size_t *n)
{
	const struct trace *trace = timeline->trace;
	struct counted_lane *lanes = xcalloc(trace->nlanes + 1, sizeof(*lanes));
	size_t whole = 0;
	double unusual = 0;

	*n = 0;
	for (size_t l = 0, first = 0; l < trace->nlanes; l++) {
		if (l == 0 || !same_owner(&trace->lanes[first], &trace->lanes[l])) {
			first = l;
			whole = work_of_owner(timeline, first);
			unusual = gpu_unusual(timeline->model->gpus, trace->lanes[l].device);
		}
		if (timeline->count[l])
			lanes[(*n)++] = (struct counted_lane){.lane = (uint32_t)l,
				.count = timeline->count[l],
				.unusual = unusual,
				.whole = whole,
				.first = (uint32_t)first};
	}
	return lanes;
}

/* Chooses the lanes of unusual GPUs, then those of GPUs with the most work; returns the number of the others. */
static size_t choose_lanes(struct timeline *timeline)
{
	size_t n, shown, events;
	struct counted_lane *lanes = lanes_with_work(timeline, &n);

	shown = n < TIMELINE_LANES ? n : TIMELINE_LANES;
	timeline->slices = shown * LANE_SLICES <= ALL_SLICES ? LANE_SLICES : ALL_SLICES / shown;
	if (n > shown) {
		qsort(lanes, n, sizeof(*lanes), by_interest);
		qsort(lanes, shown, sizeof(*lanes), lane_by_place);
	}
	events = most_events(lanes, shown);
	timeline->lanes = xcalloc(shown + 1, sizeof(*timeline->lanes));
	timeline->place = xcalloc(timeline->trace->nlanes + 1, sizeof(*timeline->place));
	for (timeline->nlanes = 0; timeline->nlanes < shown;) {
		struct shown_lane *lane = &timeline->lanes[timeline->nlanes];

		lane->lane = lanes[timeline->nlanes].lane;
		lane->count = lanes[timeline->nlanes].count;
		lane->others = timeline->others[lane->lane];
		lane->has_share = lane->count > events;
		lane->events = lane->has_share ? NULL : json_array();
		timeline->place[lane->lane] = (uint32_t)++timeline->nlanes;
	}
	free(lanes);
	return n - shown;
}

/* The chosen lanes, in their order; *left_out is the number of the others. */
static json_t *lanes_json(struct timeline *timeline, size_t *left_out)
{
	json_t *list = json_array();

	*left_out = choose_lanes(timeline);
	show_items(timeline);
	for (size_t l = 0; l < timeline->nlanes; l++)
		append_json(list, lane_json(timeline, &timeline->lanes[l]));
	return list;
}

/* ---- ranges ---- */

static json_t *color_json(const struct range *range)
{
	char text[8];

	if (!range->is_colored)
		return json_null();
	snprintf(text, sizeof(text), "#%06X", (unsigned)(range->color & 0xFFFFFF));
	return text_json(text);
}

static json_t *range_json(const struct timeline *timeline, const struct range *range)
{
	json_t *object = json_object();

	put_json(object, "start_ns", json_integer(range->start - timeline->zero));
	put_json(object, "end_ns", json_integer(range->end - timeline->zero));
	put_json(object, "text", text_json(trace_range_text(timeline->trace, range)));
	put_json(object, "depth", json_integer(range->depth));
	put_json(object, "color", color_json(range));
	put_json(object, "process", json_integer(pid_of(range_thread(timeline->trace, range))));
	put_json(object, "thread", json_integer(tid_of(range_thread(timeline->trace, range))));
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

/* The longest ranges so far; now and then the others are thrown away. */
struct longest {
	const struct range *range[2 * TIMELINE_RANGES];
	size_t n;
	const struct range *shortest; /* of those that were kept last; NULL: all were */
};

static void longest_keep(struct longest *longest)
{
	qsort(longest->range, longest->n, sizeof(const struct range *), timeline_by_length);
	if (longest->n < TIMELINE_RANGES)
		return;
	longest->n = TIMELINE_RANGES;
	longest->shortest = longest->range[TIMELINE_RANGES - 1];
}

static void longest_add(struct longest *longest, const struct range *range)
{
	if (longest->shortest && timeline_by_length(&longest->shortest, &range) < 0)
		return;
	if (longest->n == sizeof(longest->range) / sizeof(longest->range[0]))
		longest_keep(longest);
	longest->range[longest->n++] = range;
}

/* The longest of all ranges, or of `ranges`, by start. */
static json_t *shown_ranges_json(const struct timeline *timeline, const struct range *const *ranges, size_t n)
{
	struct longest longest = {.n = 0};
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		longest_add(&longest, ranges ? ranges[i] : &timeline->trace->ranges[i]);
	longest_keep(&longest);
	qsort(longest.range, longest.n, sizeof(const struct range *), by_range_start);
	for (size_t i = 0; i < longest.n; i++)
		append_json(list, range_json(timeline, longest.range[i]));
	return list;
}

static void note_left_out(const struct model *model, size_t left_out)
{
	if (left_out)
		model_note_facts(model, json_pack("{s:s, s:i, s:I}", "id", "lanes-left-out", "shown", TIMELINE_LANES,
						"left_out", (json_int_t)left_out));
}

static void timeline_free(struct timeline *timeline)
{
	free(timeline->count);
	free(timeline->others);
	free(timeline->lanes);
	free(timeline->place);
}

json_t *timeline_json(const struct model *model, const struct work_list *work, const struct stretch *stretch,
	const struct range *const *ranges, size_t nranges)
{
	struct timeline timeline = {.model = model, .trace = &model->trace, .work = work, .stretch = stretch};
	size_t left_out = 0;
	json_t *object = json_object();

	nranges = ranges || work ? nranges : model->trace.nranges;
	timeline_make(&timeline);
	put_json(object, "span_ns", json_integer(timeline.end - timeline.zero));
	put_json(object, "lanes", lanes_json(&timeline, &left_out));
	note_left_out(model, left_out);
	put_json(object, "lanes_left_out", json_integer((json_int_t)left_out));
	put_json(object, "ranges", shown_ranges_json(&timeline, ranges, nranges));
	put_json(object, "ranges_left_out",
		json_integer(nranges > TIMELINE_RANGES ? (json_int_t)(nranges - TIMELINE_RANGES) : 0));
	timeline_free(&timeline);
	return object;
}
