/* entry.c: the entry of a range in which double buffering would pay: its copies by kind and reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/event.h"
#include "tree/json.h"
#include "util/alloc.h"

/* The most groups in an entry, and the share of the lost time from which a group counts in the range's actions. */
enum { GROUPS_MOST = 16 };
static const double matters = 0.1;

/* Copies of one kind: copy[first .. first + count) of a sorted list. */
struct copy_group {
	size_t first, count;
	int64_t bytes, time, lost;
	unsigned reasons;
	double gain;
};

/* A copy and its lane, for qsort(). */
struct sorted_copy {
	const struct pays_work *work;
	uint32_t item;
};

static int memory_of_item(const struct pays_work *work, uint32_t i)
{
	const struct work_copy *copy = work_copy(work->trace, work->work[i]);

	return copy_memory_kind(copy->kind, copy->source, copy->target);
}

static const char *call_name(const struct pays_work *work, const struct work_copy *copy)
{
	return texts_text(work->trace->texts, copy->call);
}

static int pays_entry_copy_order(const struct pays_work *work, uint32_t a, uint32_t b)
{
	const struct pays_item *left = &work->lane.item[a], *right = &work->lane.item[b];
	const struct work_copy *call_a = call_of_item(work, a), *call_b = call_of_item(work, b);
	int memory_a = memory_of_item(work, a), memory_b = memory_of_item(work, b);

	if (left->cls != right->cls)
		return left->cls < right->cls ? -1 : 1;
	if (work->reasons[a] != work->reasons[b])
		return work->reasons[a] < work->reasons[b] ? -1 : 1;
	if (memory_a != memory_b)
		return memory_a < memory_b ? -1 : 1;
	if (!call_a || !call_b)
		return (call_a != NULL) - (call_b != NULL);
	return call_a->call == call_b->call ? 0 : strcmp(call_name(work, call_a), call_name(work, call_b));
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
static size_t sort_copies(struct looking *looking)
{
	struct sorted_copy *copies = xcalloc(looking->n + 1, sizeof(*copies));
	size_t n = 0;

	for (size_t i = 0; i < looking->n; i++) {
		if (looking->work->reasons[looking->pick[i]])
			copies[n++] = (struct sorted_copy){looking->work, looking->pick[i]};
	}
	if (n > 1)
		qsort(copies, n, sizeof(*copies), pays_entry_by_kind);
	for (size_t i = 0; i < n; i++)
		looking->pick[i] = copies[i].item;
	free(copies);
	return n;
}

/* A sum that does not fit becomes the largest number. */
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
		add_to(&group->bytes, work_copy(work->trace, work->work[item])->bytes);
		add_to(&group->time, work->lane.item[item].end - work->lane.item[item].start);
	}
	for (size_t g = 0; g < n; g++)
		groups[g].lost = lost_time(looking, looking->pick + groups[g].first, groups[g].count);
	if (n > 1)
		qsort(groups, n, sizeof(*groups), by_lost);
	return n;
}

/* Finds the gain of each group alone. Waits are dropped only for a group that they hold up. */
static void gains_alone(struct looking *looking, const uint32_t *range, size_t nrange, const struct estimate *estimate,
	struct copy_group *groups, size_t n)
{
	const unsigned waiting = 1U << PAYS_SYNCHRONOUS | 1U << PAYS_PAGEABLE;
	struct pays_replay *replay = pays_replay_new(&looking->work->lane, range, nrange);
	double before =
		fmin(pays_replay_run(replay, looking->work->free_as_is, true, looking->rate), (double)estimate->span);
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
}

/* ---- JSON ---- */

static json_t *stream_json(const struct looking *looking, const struct copy_group *group)
{
	const struct pays_work *work = looking->work;
	const uint32_t *copies = looking->pick + group->first;

	for (size_t i = 1; i < group->count; i++) {
		if (work->lane.item[copies[i]].stream != work->lane.item[copies[0]].stream)
			return json_null();
	}
	return json_integer(work_lane(work->trace, work->work[copies[0]])->stream);
}

static json_t *also_reasons_json(unsigned reasons)
{
	json_t *list = json_array();

	for (int r = (int)pays_first_reason(reasons) + 1; r < PAYS_REASONS; r++) {
		if (reasons & 1U << r)
			append_json(list, json_string(pays_reason_name((enum pays_reason)r)));
	}
	return list;
}

/* The start of the middle copy, counted from the first device work of the recording: an example of the group. */
static json_t *example_json(const struct looking *looking, const struct copy_group *group)
{
	const struct trace *trace = looking->work->trace;
	size_t copy = looking->work->work[looking->pick[group->first + group->count / 2]];

	return json_integer(trace->start[copy] - trace->start[0]);
}

/* An action is told once. */
static void add_action(json_t *actions, const char *id)
{
	for (size_t i = 0; i < json_array_size(actions); i++) {
		if (strcmp(json_string_value(json_array_get(actions, i)), id) == 0)
			return;
	}
	append_json(actions, json_string(id));
}

/* Adds what to do about some reasons of a group. An action has the name of the reason that it takes away; "async" is
 * for a call that copies synchronously. */
static void add_actions(
	json_t *actions, const struct looking *looking, const struct copy_group *group, unsigned reasons)
{
	const struct work_copy *call = call_of_item(looking->work, looking->pick[group->first]);

	for (int r = 0; r < PAYS_REASONS; r++) {
		if (!(reasons & 1U << r))
			continue;
		if (r == PAYS_SYNCHRONOUS && call && call->blocking)
			add_action(actions, "async");
		add_action(actions, pays_reason_name((enum pays_reason)r));
	}
}

static json_t *group_actions(const struct looking *looking, const struct copy_group *group)
{
	json_t *actions = json_array();

	add_actions(actions, looking, group, group->reasons);
	return actions;
}

/* What to do about the groups that lost a good part of the time, the largest first. */
static json_t *range_actions(
	const struct looking *looking, const struct estimate *estimate, const struct copy_group *groups, size_t n)
{
	json_t *actions = json_array();

	for (size_t g = 0; g < n; g++) {
		if ((double)groups[g].lost >= matters * (double)estimate->lost)
			add_actions(actions, looking, &groups[g], groups[g].reasons & ~PAYS_HOPELESS);
	}
	return actions;
}

static json_t *pays_entry_group_json(const struct looking *looking, const struct copy_group *group)
{
	uint32_t item = looking->pick[group->first];
	const struct work_copy *call = call_of_item(looking->work, item);
	enum pays_reason reason = pays_first_reason(group->reasons);
	json_t *entry = json_object();
	char memory[64];

	memory_words(memory_of_item(looking->work, item), memory, sizeof(memory));
	put_json(entry, "class", json_string(class_key((enum work_class)looking->work->lane.item[item].cls)));
	put_json(entry, "memory", text_json(memory[0] ? memory : NULL));
	put_json(entry, "call", text_json(call ? call_name(looking->work, call) : NULL));
	put_json(entry, "stream", stream_json(looking, group));
	put_json(entry, "reason", json_string(pays_reason_name(reason)));
	put_json(entry, "also", also_reasons_json(group->reasons));
	put_json(entry, "actions", group_actions(looking, group));
	put_json(entry, "count", json_integer(pays_scaled(looking->work, (int64_t)group->count)));
	put_json(entry, "bytes", json_integer(pays_scaled(looking->work, group->bytes)));
	put_json(entry, "copy_ns", json_integer(pays_scaled(looking->work, group->time)));
	put_json(entry, "lost_ns", json_integer(pays_scaled(looking->work, group->lost)));
	put_json(entry, "gain_ns", json_integer(pays_scaled(looking->work, llround(group->gain))));
	put_json(entry, "example_ns", example_json(looking, group));
	return entry;
}

static void pays_entry_put_place(json_t *entry, const struct looking *looking, size_t i)
{
	const struct pays_node *node = &looking->tree.node[i];
	const struct pays_work *work = looking->work;

	put_json(entry, "range", text_json(texts_text(work->trace->texts, node->text)));
	put_json(entry, "domain", text_json(texts_text(work->trace->texts, node->domain)));
	put_json(entry, "within",
		text_json(i ? texts_text(work->trace->texts, looking->tree.node[node->parent].text) : NULL));
	put_json(entry, "process", work->process ? json_integer(pid_of(work->process)) : json_null());
	put_json(entry, "device", json_integer(work->device));
	put_json(entry, "count", i ? json_integer((json_int_t)node->entered) : json_null());
}

static void put_estimate(json_t *entry, const struct looking *looking, const struct estimate *estimate)
{
	double span = (double)estimate->span;

	put_json(entry, "looked_at", looking->work->scale > 1 ? real_json(1 / looking->work->scale) : json_null());
	put_json(entry, "iterations", json_integer(pays_scaled(looking->work, (int64_t)estimate->rounds)));
	put_json(entry, "span_ns", json_integer(pays_scaled(looking->work, estimate->span)));
	put_json(entry, "floor_ns", json_integer(pays_scaled(looking->work, estimate->floor)));
	put_json(entry, "lost_ns", json_integer(pays_scaled(looking->work, estimate->lost)));
	put_json(entry, "gain_ns", json_integer(pays_scaled(looking->work, llround(estimate->gain))));
	put_json(entry, "gain_high_ns", json_integer(pays_scaled(looking->work, llround(estimate->gain_high))));
	put_json(entry, "duplex_rate", real_json(looking->rate));
	put_json(entry, "duplex_measured", json_boolean(!isnan(looking->work->duplex_rate)));
	put_json(entry, "speedup", real_json(span / (span - round(estimate->gain))));
}

static void put_groups(json_t *entry, const struct looking *looking, const struct copy_group *groups, size_t n)
{
	size_t shown = n < GROUPS_MOST ? n : GROUPS_MOST;
	json_t *list = json_array();

	for (size_t g = 0; g < shown; g++)
		append_json(list, pays_entry_group_json(looking, &groups[g]));
	put_json(entry, "copies", list);
	put_json(entry, "copies_left_out", json_integer((json_int_t)(n - shown)));
}

json_t *range_entry(struct looking *looking, size_t i)
{
	const struct estimate *estimate = &looking->estimate[i];
	size_t nrange = looking->tree.node[i].count, ncopies, n;
	struct copy_group *groups = xcalloc(nrange + 1, sizeof(*groups));
	uint32_t *range;
	json_t *entry = json_object();

	pick_items(looking, i);
	range = xmemdup(looking->pick, nrange * sizeof(*range));
	ncopies = sort_copies(looking);
	n = find_groups(looking, ncopies, groups);
	gains_alone(looking, range, nrange, estimate, groups, n < GROUPS_MOST ? n : GROUPS_MOST);
	pays_entry_put_place(entry, looking, i);
	put_estimate(entry, looking, estimate);
	put_json(entry, "actions", range_actions(looking, estimate, groups, n));
	put_groups(entry, looking, groups, n);
	free(range);
	free(groups);
	return entry;
}
