/* lanes.c: lanes of a timeline, coarser. */
#include <math.h>
#include <stdlib.h>

#include "model/fit/lists.h"
#include "model/trace/unusual.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* A share of fewer slices than NARROW is coarser than the figure; of fewer than COARSEST it says little. A share of
 * NARROW takes no more than EVENTS_AS_SHARE events. */
enum { NARROW = 300, COARSEST = 75, EVENTS_AS_SHARE = 40, SHARE_PARTS = 10000 };

/* Twice as many as a figure has room for: rather than fewer, lanes get coarser. */
enum { LANES_LEAST = 64 };

static json_t *rounded_share(double share)
{
	return real_json(round(fmin(share, 1) * SHARE_PARTS) / SHARE_PARTS);
}

/* Of each two slices, one. Of an odd number, the last one is as long as two, but ends with the timeline. */
static void halve_share(json_t *lane)
{
	const json_t *share = json_object_get(lane, "share");
	size_t n = json_array_size(share);
	json_t *half = json_array();

	for (size_t i = 0; i + 1 < n; i += 2)
		append_json(half, rounded_share((json_number_value(json_array_get(share, i)) +
							json_number_value(json_array_get(share, i + 1))) /
						2));
	put_json(lane, "share", half);
}

/* The part of slice `i` that an event covers, in slices. */
static double covered(double start, double end, double i)
{
	return fmax(0, fmin(end, i + 1) - fmax(start, i));
}

/* Events of a lane come by start, and may overlap. */
static void cover_slices(double *share, double from, double to)
{
	for (size_t i = (size_t)fmin(fmax(from, 0), NARROW); i < NARROW && (double)i < to; i++)
		share[i] += covered(from, to, (double)i);
}

/* Tells events as a share. */
static void share_events(json_t *lane, double span)
{
	const json_t *events = json_object_get(lane, "events");
	double share[NARROW] = {0}, slice = span > 0 ? span / NARROW : 1, done = 0;
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(events); i++) {
		double start = tree_real(json_array_get(events, i), "start_ns") / slice,
		       end = tree_real(json_array_get(events, i), "end_ns") / slice;

		cover_slices(share, fmax(start, done), end);
		done = fmax(done, end);
	}
	for (size_t i = 0; i < NARROW; i++)
		append_json(list, rounded_share(share[i]));
	json_object_del(lane, "events");
	put_json(lane, "share", list);
}

/* The lanes, and what each of them takes. */
struct fit_lanes {
	json_t *list;
	size_t n, *size, sum, room, depth;
	double span;
};

static void measure_lane(struct fit_lanes *lanes, size_t i)
{
	lanes->sum -= lanes->size[i];
	lanes->size[i] = fit_size(json_array_get(lanes->list, i), lanes->depth + 1) + lanes->depth + 3;
	lanes->sum += lanes->size[i];
}

static void halve_shares(struct fit_lanes *lanes, size_t least)
{
	for (bool halved = true; halved && lanes->sum > lanes->room;) {
		halved = false;
		for (size_t i = 0; i < lanes->n; i++) {
			json_t *lane = json_array_get(lanes->list, i);

			if (json_array_size(json_object_get(lane, "share")) < 2 * least)
				continue;
			halve_share(lane);
			measure_lane(lanes, i);
			halved = true;
		}
	}
}

static size_t events_of(const struct fit_lanes *lanes, size_t i)
{
	return json_array_size(json_object_get(json_array_get(lanes->list, i), "events"));
}

/* Those with the most events first. */
static void share_lanes(struct fit_lanes *lanes)
{
	while (lanes->sum > lanes->room) {
		size_t most = 0;

		for (size_t i = 1; i < lanes->n; i++)
			most = events_of(lanes, i) > events_of(lanes, most) ? i : most;
		if (lanes->n == 0 || events_of(lanes, most) <= EVENTS_AS_SHARE)
			return;
		share_events(json_array_get(lanes->list, most), lanes->span);
		measure_lane(lanes, most);
	}
}

/* Work of the lane's process on its GPU: it is of little use to see half of that. */
static double work_beside(const json_t *lane, const json_t *recording)
{
	const json_t *timeline = json_object_get(json_object_get(recording, "program"), "timeline"),
		     *lanes = json_object_get(timeline, "lanes");
	double work = 0;

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		const json_t *other = json_array_get(lanes, i);

		if (json_equal(json_object_get(lane, "device"), json_object_get(other, "device")) &&
			json_equal(json_object_get(lane, "process"), json_object_get(other, "process")))
			work += tree_real(other, "count");
	}
	return work;
}

static double worth_of_lane(const json_t *lane, const json_t *recording)
{
	enum { UNUSUAL_FIRST = 1 << 30 };
	double unusual =
		gpu_unusual(json_object_get(recording, "gpus"), json_integer_value(json_object_get(lane, "device")));

	/* A GPU has less work than 2^32. */
	return unusual * 4 * UNUSUAL_FIRST + work_beside(lane, recording);
}

size_t fit_cut_lanes(json_t *timeline, size_t room, size_t depth, const json_t *recording)
{
	struct fit_lanes lanes = {.list = json_object_get(timeline, "lanes"),
		.room = room,
		.depth = depth,
		.span = tree_real(timeline, "span_ns")};

	lanes.n = json_array_size(lanes.list);
	lanes.size = xcalloc(lanes.n + 1, sizeof(*lanes.size));
	for (size_t i = 0; i < lanes.n; i++)
		measure_lane(&lanes, i);
	halve_shares(&lanes, NARROW);
	share_lanes(&lanes);
	if (lanes.sum > room && lanes.sum / lanes.n * LANES_LEAST > room)
		halve_shares(&lanes, COARSEST);
	free(lanes.size);
	return lanes.sum > room ? fit_keep_best(lanes.list, room, depth, recording, worth_of_lane, NULL, NULL) : 0;
}
