/* pays-entry.c: what is told of a range in which double buffering would pay: its copies by kind and reason. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "model/trace/pays-parts.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/event.h"
#include "tree/json.h"
#include "util/format.h"

/* Groups of copies that a range tells of, and what share of the lost time makes a group's reasons the range's. */
enum { GROUPS_MOST = 16 };
static const double matters = 0.1;

/* Copies of one kind: copy[first .. first + count) of a sorted list. */
struct copy_group {
	size_t first, count;
	int64_t bytes, time, lost;
	unsigned reasons;
	double gain;
};

/* For qsort(), which has no room for it: the lane that the numbers are of. */
struct sorted_copy {
	const struct pays_work *work;
	uint32_t item;
};

static int pays_entry_copy_order(const struct pays_work *work, uint32_t a, uint32_t b)
{
	const struct pays_item *left = &work->lane.item[a], *right = &work->lane.item[b];
	const struct copy_call *call_a = call_of_item(work, a), *call_b = call_of_item(work, b);
	int memory_a = copy_memory(work->work[a]), memory_b = copy_memory(work->work[b]);

	if (left->cls != right->cls)
		return left->cls < right->cls ? -1 : 1;
	if (work->reasons[a] != work->reasons[b])
		return work->reasons[a] < work->reasons[b] ? -1 : 1;
	if (memory_a != memory_b)
		return memory_a < memory_b ? -1 : 1;
	if (!call_a || !call_b)
		return (call_a != NULL) - (call_b != NULL);
	return strcmp(call_a->name, call_b->name);
}

static int pays_entry_by_kind(const void *left, const void *right)
{
	const struct sorted_copy *a = left, *b = right;
	int order = pays_entry_copy_order(a->work, a->item, b->item);

	return order ? order : (a->item > b->item) - (a->item < b->item);
}

static int by_lost(const void *left, const void *right)
{
	const struct copy_group *a = left, *b = right;
	bool lost_a = a->reasons & PAYS_HOPELESS, lost_b = b->reasons & PAYS_HOPELESS;

	if (lost_a != lost_b)
		return lost_a ? 1 : -1;
	if (a->lost != b->lost)
		return a->lost > b->lost ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Puts the copies of the range that lost time into looking->pick, by kind; returns how many there are. */
static int sort_copies(struct looking *looking, size_t *n)
{
	struct sorted_copy *copies = calloc(looking->n + 1, sizeof(*copies));

	*n = 0;
	if (!copies)
		return -1;
	for (size_t i = 0; i < looking->n; i++) {
		if (looking->work->reasons[looking->pick[i]])
			copies[(*n)++] = (struct sorted_copy){looking->work, looking->pick[i]};
	}
	if (*n > 1)
		qsort(copies, *n, sizeof(*copies), pays_entry_by_kind);
	for (size_t i = 0; i < *n; i++)
		looking->pick[i] = copies[i].item;
	free(copies);
	return 0;
}

/* What does not fit becomes the largest number. */
static void add_to(int64_t *sum, int64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = INT64_MAX;
}

static size_t find_groups(const struct looking *looking, size_t ncopies, struct copy_group *groups)
{
	const struct pays_work *work = looking->work;
	size_t n = 0;

	for (size_t i = 0; i < ncopies; i++) {
		uint32_t item = looking->pick[i];
		struct copy_group *group;

		if (i == 0 || pays_entry_copy_order(work, looking->pick[groups[n - 1].first], item) != 0)
			groups[n++] = (struct copy_group){.first = i, .reasons = work->reasons[item]};
		group = &groups[n - 1];
		group->count++;
		add_to(&group->bytes, work->work[item]->bytes);
		add_to(&group->time, work->lane.item[item].end - work->lane.item[item].start);
	}
	for (size_t g = 0; g < n; g++)
		groups[g].lost = lost_time(looking, looking->pick + groups[g].first, groups[g].count);
	if (n > 1)
		qsort(groups, n, sizeof(*groups), by_lost);
	return n;
}

/* What each group would gain alone. The waits go only with a group that they are in the way of. */
static int gains_alone(struct looking *looking, const uint32_t *range, size_t nrange, const struct estimate *estimate,
	struct copy_group *groups, size_t n)
{
	const unsigned waiting = 1U << PAYS_SYNCHRONOUS | 1U << PAYS_PAGEABLE;
	struct pays_replay *replay = pays_replay_new(&looking->work->lane, range, nrange);
	double before;

	if (!replay)
		return -1;
	before = fmin(pays_replay_run(replay, looking->work->free_as_is, true, looking->rate), (double)estimate->span);
	for (size_t i = 0; i < nrange; i++)
		looking->some[range[i]] = looking->work->free_as_is[range[i]];
	for (size_t g = 0; g < n; g++) {
		const uint32_t *copies = looking->pick + groups[g].first;
		double after;

		for (size_t i = 0; i < groups[g].count; i++)
			looking->some[copies[i]] = true;
		after = pays_replay_run(replay, looking->some, !(groups[g].reasons & waiting), looking->rate);
		groups[g].gain = fmin(clipped_gain(before - after, (double)groups[g].lost), estimate->gain);
		for (size_t i = 0; i < groups[g].count; i++)
			looking->some[copies[i]] = looking->work->free_as_is[copies[i]];
	}
	pays_replay_free(replay);
	return 0;
}

/* ---- JSON ---- */

static json_t *stream_json(const struct looking *looking, const struct copy_group *group)
{
	const struct activity **work = looking->work->work;
	const uint32_t *copies = looking->pick + group->first;

	for (size_t i = 1; i < group->count; i++) {
		if (work[copies[i]]->stream != work[copies[0]]->stream)
			return json_null();
	}
	return json_integer(work[copies[0]]->stream);
}

static json_t *also_json(unsigned reasons)
{
	json_t *list = json_array();
	int bad = 0;

	for (int r = (int)pays_first_reason(reasons) + 1; r < PAYS_REASONS; r++) {
		if (reasons & 1U << r)
			bad |= append_json(list, json_string(pays_reason_name((enum pays_reason)r)));
	}
	return built_json(list, bad);
}

/* Where the middle one of the copies starts, after the first device work of the recording: for those who want to see
 * what a copy of the group looks like. */
static json_t *example_json(const struct looking *looking, const struct copy_group *group)
{
	const struct activity *copy = looking->work->work[looking->pick[group->first + group->count / 2]];

	return json_integer(copy->start - looking->model->trace.work[0].start);
}

static json_t *pays_entry_group_json(const struct looking *looking, const struct copy_group *group)
{
	uint32_t item = looking->pick[group->first];
	const struct copy_call *call = call_of_item(looking->work, item);
	enum pays_reason reason = pays_first_reason(group->reasons);
	json_t *entry = json_object();
	struct advice advice = {0};
	char memory[64];
	int bad = 0;

	memory_words(copy_memory(looking->work->work[item]), memory, sizeof(memory));
	advice_add(&advice, group->reasons, call && call->blocking);
	bad |= put_json(entry, "class", json_string(class_key((enum work_class)looking->work->lane.item[item].cls)));
	bad |= put_json(entry, "memory", text_json(memory[0] ? memory : NULL));
	bad |= put_json(entry, "call", text_json(call ? call->name : NULL));
	bad |= put_json(entry, "stream", stream_json(looking, group));
	bad |= put_json(entry, "reason", json_string(pays_reason_name(reason)));
	bad |= put_json(entry, "also", also_json(group->reasons));
	bad |= put_json(entry, "why", json_string(reason_why(reason)));
	bad |= put_json(entry, "advice", json_string(advice.text));
	bad |= put_json(entry, "count", json_integer((json_int_t)group->count));
	bad |= put_json(entry, "bytes", json_integer(group->bytes));
	bad |= put_json(entry, "copy_ns", json_integer(group->time));
	bad |= put_json(entry, "lost_ns", json_integer(group->lost));
	bad |= put_json(entry, "gain_ns", json_integer(llround(group->gain)));
	bad |= put_json(entry, "example_ns", example_json(looking, group));
	return built_json(entry, bad);
}

/* What to do about the groups that lost a good part of the time, about the largest first. */
static void find_advice(const struct looking *looking, const struct estimate *estimate, const struct copy_group *groups,
	size_t n, struct advice *advice)
{
	for (size_t g = 0; g < n; g++) {
		const struct copy_call *call = call_of_item(looking->work, looking->pick[groups[g].first]);

		if ((double)groups[g].lost >= matters * (double)estimate->lost)
			advice_add(advice, groups[g].reasons & ~PAYS_HOPELESS, call && call->blocking);
	}
}

static int put_words(json_t *entry, const struct looking *looking, const struct estimate *estimate,
	const struct copy_group *groups, size_t n)
{
	char lost[FORMAT_SIZE], span[FORMAT_SIZE], why[4 * FORMAT_SIZE];
	struct advice advice = {0};
	int bad = 0;

	format_time_ns(lost, sizeof(lost), (double)estimate->lost);
	format_time_ns(span, sizeof(span), (double)estimate->span);
	snprintf(why, sizeof(why), "For %s of %s copies run with no kernel beside them. %s", lost, span,
		n ? reason_why(pays_first_reason(groups[0].reasons)) : "");
	find_advice(looking, estimate, groups, n, &advice);
	bad |= put_json(entry, "why", text_json(why));
	bad |= put_json(entry, "advice", text_json(advice.text));
	return bad;
}

static int pays_entry_put_place(json_t *entry, const struct looking *looking, size_t i)
{
	const struct pays_node *node = &looking->tree.node[i];
	const struct pays_work *work = looking->work;
	int bad = 0;

	bad |= put_json(entry, "range", text_json(node->text));
	bad |= put_json(entry, "domain", text_json(node->domain));
	bad |= put_json(entry, "within", text_json(i ? looking->tree.node[node->parent].text : NULL));
	bad |= put_json(entry, "process", work->process ? json_integer(pid_of(work->process)) : json_null());
	bad |= put_json(entry, "device", json_integer(work->device));
	bad |= put_json(entry, "count", i ? json_integer((json_int_t)node->entered) : json_null());
	return bad;
}

static int put_estimate(json_t *entry, const struct looking *looking, const struct estimate *estimate)
{
	double span = (double)estimate->span;
	int bad = 0;

	bad |= put_json(entry, "iterations", json_integer((json_int_t)estimate->rounds));
	bad |= put_json(entry, "span_ns", json_integer(estimate->span));
	bad |= put_json(entry, "floor_ns", json_integer(estimate->floor));
	bad |= put_json(entry, "lost_ns", json_integer(estimate->lost));
	bad |= put_json(entry, "gain_ns", json_integer(llround(estimate->gain)));
	bad |= put_json(entry, "gain_high_ns", json_integer(llround(estimate->gain_high)));
	bad |= put_json(entry, "duplex_rate", real_json(looking->rate));
	bad |= put_json(entry, "duplex_measured", json_boolean(!isnan(looking->work->duplex_rate)));
	bad |= put_json(entry, "speedup", real_json(span / (span - round(estimate->gain))));
	return bad;
}

static int put_groups(json_t *entry, const struct looking *looking, const struct copy_group *groups, size_t n)
{
	size_t shown = n < GROUPS_MOST ? n : GROUPS_MOST;
	json_t *list = json_array();
	int bad = 0;

	for (size_t g = 0; g < shown; g++)
		bad |= append_json(list, pays_entry_group_json(looking, &groups[g]));
	bad |= put_json(entry, "copies", built_json(list, bad));
	bad |= put_json(entry, "copies_left_out", json_integer((json_int_t)(n - shown)));
	return bad;
}

json_t *range_entry(struct looking *looking, size_t i)
{
	const struct estimate *estimate = &looking->estimate[i];
	uint32_t *range = calloc(looking->tree.node[i].count + 1, sizeof(*range));
	struct copy_group *groups = calloc(looking->tree.node[i].count + 1, sizeof(*groups));
	size_t nrange = looking->tree.node[i].count, ncopies, n = 0;
	json_t *entry = json_object();
	int bad = !range || !groups;

	pick_items(looking, i);
	if (!bad) {
		memcpy(range, looking->pick, nrange * sizeof(*range));
		bad |= sort_copies(looking, &ncopies);
	}
	if (!bad) {
		n = find_groups(looking, ncopies, groups);
		bad |= gains_alone(looking, range, nrange, estimate, groups, n < GROUPS_MOST ? n : GROUPS_MOST);
	}
	if (!bad) {
		bad |= pays_entry_put_place(entry, looking, i) | put_estimate(entry, looking, estimate);
		bad |= put_words(entry, looking, estimate, groups, n) | put_groups(entry, looking, groups, n);
	}
	free(range);
	free(groups);
	return built_json(entry, bad);
}
