/* entry.c: the entry of a loop in which double buffering would pay: its copies by kind and reason. */
#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/host-calls.h"
#include "model/trace/pays/parts.h"
#include "store/copies.h"
#include "store/event.h"
#include "tree/json.h"

enum { GROUPS_MOST = 16, LATE_PARTS_MOST = 4 }; /* in an entry */

/* An entry while it is made. */
struct entry_making {
	const struct trace *trace;
	const struct pays_phase *phase;
	double scale;
};

static json_t *scaled_json(const struct entry_making *making, double sum)
{
	sum = making->scale > 1 ? sum * making->scale : sum;
	return json_integer(sum >= 0x1p63 ? INT64_MAX : (json_int_t)llround(sum));
}

static json_t *scaled_count(const struct entry_making *making, int64_t sum)
{
	return making->scale > 1 ? scaled_json(making, (double)sum) : json_integer(sum);
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

/* An action is told once. */
static void add_action(json_t *actions, const char *id)
{
	for (size_t i = 0; i < json_array_size(actions); i++) {
		if (strcmp(json_string_value(json_array_get(actions, i)), id) == 0)
			return;
	}
	append_json(actions, json_string(id));
}

/* What takes a reason away: it has the reason's name, but for streams of rounds with several kernels. */
static const char *action_against(const struct entry_making *making, enum pays_reason reason)
{
	bool streams = reason == PAYS_SAME_STREAM || reason == PAYS_DEFAULT_STREAM;

	return streams && phase_has_kernels(making->phase) ? "copy-streams" : pays_reason_name(reason);
}

/* Adds what to do about some reasons of a group. "async" is for a call that copies synchronously. */
static void add_actions(
	json_t *actions, const struct entry_making *making, const struct pays_group *group, unsigned reasons)
{
	const struct work_copy *copy = work_copy(making->trace, group->example);

	for (int r = 0; r < PAYS_REASONS; r++) {
		if (!(reasons & 1U << r))
			continue;
		if (r == PAYS_SYNCHRONOUS && copy->call && copy->blocking)
			add_action(actions, "async");
		add_action(actions, action_against(making, (enum pays_reason)r));
	}
}

static json_t *group_actions(const struct entry_making *making, const struct pays_group *group)
{
	json_t *actions = json_array();

	add_actions(actions, making, group, group->reasons);
	return actions;
}

/* What to do about the groups that lost a good part of the time, the largest first. */
static json_t *phase_actions(const struct entry_making *making)
{
	const struct pays_phase *phase = making->phase;
	json_t *actions = json_array();

	for (size_t g = 0; g < phase->ngroups; g++) {
		if ((double)phase->group[g].lost >= group_matters * (double)phase->lost)
			add_actions(actions, making, &phase->group[g], phase->group[g].reasons & ~PAYS_HOPELESS);
	}
	/* Where nothing keeps a copy from a kernel, rounds of their own streams are what gains. */
	if (json_array_size(actions) == 0)
		add_action(actions, action_against(making, PAYS_SAME_STREAM));
	if (memory_matters(phase))
		add_action(actions, "memory");
	return actions;
}

static json_t *entry_group_json(const struct entry_making *making, const struct pays_group *group)
{
	const struct trace *trace = making->trace;
	const struct work_copy *copy = work_copy(trace, group->example);
	enum pays_reason reason = pays_first_reason(group->reasons);
	json_t *entry = json_object();
	char memory[64];

	memory_words(copy_memory_kind(copy->kind, copy->source, copy->target), memory, sizeof(memory));
	put_json(entry, "class", json_string(class_key((enum work_class)work_lane(trace, group->example)->cls)));
	put_json(entry, "memory", text_json(memory[0] ? memory : NULL));
	put_json(entry, "call", text_json(copy->call ? texts_text(trace->texts, copy->call) : NULL));
	put_json(entry, "stream",
		group->one_stream ? json_integer(work_lane(trace, group->example)->stream) : json_null());
	put_json(entry, "reason", json_string(pays_reason_name(reason)));
	put_json(entry, "also", also_reasons_json(group->reasons));
	put_json(entry, "actions", group_actions(making, group));
	put_json(entry, "count", scaled_count(making, (int64_t)group->count));
	put_json(entry, "bytes", scaled_count(making, group->bytes));
	put_json(entry, "copy_ns", scaled_count(making, group->time));
	put_json(entry, "lost_ns", scaled_count(making, group->lost));
	put_json(entry, "gain_ns", group->replayed ? scaled_json(making, group->gain) : json_null());
	put_json(entry, "example_ns", json_integer(trace->start[group->example] - trace->start[0]));
	return entry;
}

static void put_phase_place(json_t *entry, const struct entry_making *making)
{
	const struct pays_phase *phase = making->phase;
	const struct trace *trace = making->trace;

	put_json(entry, "range", text_json(texts_text(trace->texts, phase->range)));
	put_json(entry, "domain", text_json(texts_text(trace->texts, phase->domain)));
	put_json(entry, "within", text_json(texts_text(trace->texts, phase->within)));
	put_json(entry, "process", phase->process ? json_integer(pid_of(phase->process)) : json_null());
	put_json(entry, "device", json_integer(phase->device));
	/* The range around all was entered once, however much of it was looked at. */
	if (phase->range && phase->entered > 1)
		put_json(entry, "count", scaled_count(making, (int64_t)phase->entered));
	else
		put_json(entry, "count", phase->range ? json_integer((json_int_t)phase->entered) : json_null());
}

/* The fewest buffers that gain nearly as much as the best number of them. */
static int advised_buffers(const struct pays_phase *phase)
{
	double best = 0;
	int k = PAYS_BUFFERS_LEAST;

	for (int i = PAYS_BUFFERS_LEAST; i <= PAYS_BUFFERS_MOST; i++)
		best = fmax(best, phase->gain[i]);
	while (phase->gain[k] < best - buffers_as_good * phase->loop)
		k++;
	return k;
}

static json_t *buffers_json(const struct entry_making *making)
{
	const struct pays_phase *phase = making->phase;
	json_t *list = json_array();

	for (int k = PAYS_BUFFERS_LEAST; k <= PAYS_BUFFERS_MOST; k++) {
		json_t *item = json_object();

		put_json(item, "buffers", json_integer(k));
		put_json(item, "gain_ns", scaled_json(making, phase->gain[k]));
		put_json(item, "share", real_json(round(phase->gain[k]) / phase->loop));
		append_json(list, item);
	}
	return list;
}

/* What the host did while the GPU waited for it; the kinds of enum pays_late_kind. */
static json_t *late_parts_json(const struct entry_making *making)
{
	static const char *const kinds[] = {"call", "range", "own"};
	const struct pays_late *late = &making->phase->late;
	json_t *list = json_array();

	for (size_t i = 0; i < late->n && i < LATE_PARTS_MOST; i++) {
		const char *name = texts_text(making->trace->texts, late->part[i].name);
		json_t *part = json_object();
		char plain[128];

		if (name && late->part[i].kind == PAYS_LATE_CALL)
			name = host_call_plain(name, plain, sizeof(plain));
		put_json(part, "kind", json_string(kinds[late->part[i].kind]));
		put_json(part, "name", text_json(name));
		put_json(part, "ns", scaled_count(making, late->part[i].time));
		append_json(list, part);
	}
	return list;
}

static json_t *late_json(const struct entry_making *making)
{
	const struct pays_late *late = &making->phase->late;
	json_t *object;

	if (!late->known)
		return json_null();
	object = json_object();
	put_json(object, "ns", scaled_count(making, late->time));
	put_json(object, "share", real_json((double)late->time / making->phase->loop));
	put_json(object, "matters", json_boolean((double)late->time >= late_least * making->phase->loop));
	put_json(object, "round_ns", real_json((double)late->time / (double)making->phase->rounds));
	put_json(object, "depth", json_integer(late->depth));
	put_json(object, "workers", json_integer(late->workers));
	put_json(object, "hidden_ns", scaled_json(making, late->hidden));
	put_json(object, "during", late_parts_json(making));
	return object;
}

/* Migrations that belong to the loop but are not in its replay; null without any. */
static json_t *managed_json(const struct entry_making *making)
{
	const struct pays_managed *managed = &making->phase->managed;
	json_t *object;

	if (managed->count == 0)
		return json_null();
	object = json_object();
	put_json(object, "count", scaled_count(making, (int64_t)managed->count));
	put_json(object, "bytes", scaled_count(making, managed->bytes));
	put_json(object, "copy_ns", scaled_count(making, managed->time));
	put_json(object, "lost_ns", scaled_count(making, managed->lost));
	put_json(object, "share", real_json((double)managed->lost / making->phase->loop));
	put_json(object, "matters", json_boolean((double)managed->lost >= managed_least * making->phase->loop));
	put_json(object, "gain_most_ns", scaled_json(making, managed->most));
	return object;
}

/* Calls that make and free memory in the rounds; null where the gain does not count that they go. */
static json_t *memory_json(const struct entry_making *making)
{
	const struct pays_memory *memory = &making->phase->memory;
	json_t *object, *calls = json_array();
	size_t count = 0;

	for (size_t i = 0; i < memory->n; i++) {
		const char *name = texts_text(making->trace->texts, memory->call[i].name);
		json_t *call = json_object();
		char plain[128];

		put_json(call, "name", text_json(host_call_plain(name, plain, sizeof(plain))));
		put_json(call, "count", scaled_count(making, (int64_t)memory->call[i].count));
		append_json(calls, call);
		count += memory->call[i].count;
	}
	object = json_object();
	put_json(object, "calls", calls);
	put_json(object, "round_calls", real_json((double)count / (double)making->phase->rounds));
	put_json(object, "buffers", json_integer(memory_buffers(making->phase)));
	put_json(object, "gain_ns", scaled_json(making, memory->gain));
	return object;
}

/* The loop as it was. */
static void put_loop(json_t *entry, const struct entry_making *making)
{
	const struct pays_phase *phase = making->phase;

	put_json(entry, "looked_at", making->scale > 1 ? real_json(1 / making->scale) : json_null());
	put_json(entry, "iterations", scaled_count(making, (int64_t)phase->rounds));
	put_json(entry, "threads", json_integer((json_int_t)phase->threads));
	put_json(entry, "loop_ns", scaled_json(making, phase->loop));
	put_json(entry, "round_ns", real_json(phase->loop / (double)phase->rounds));
	put_json(entry, "span_ns", scaled_count(making, phase->span));
	put_json(entry, "floor_ns", scaled_count(making, phase->floor));
	put_json(entry, "duplex_ns", scaled_count(making, phase->duplex));
	put_json(entry, "host_late", late_json(making));
	put_json(entry, "managed", managed_json(making));
}

/* What of the gain belongs to no group that is told. */
static double rest_of_gain(const struct pays_phase *phase)
{
	double rest = phase->rest;

	for (size_t g = GROUPS_MOST; g < phase->ngroups; g++)
		rest += phase->group[g].gain;
	return rest;
}

static void put_estimate(json_t *entry, const struct entry_making *making)
{
	const struct pays_phase *phase = making->phase;
	int advised = advised_buffers(phase);

	put_json(entry, "share", real_json(round(phase->gain[2]) / phase->loop));
	put_json(entry, "round_gain_ns", real_json(phase->gain[2] / (double)phase->rounds));
	put_json(entry, "lost_ns", scaled_count(making, phase->lost));
	put_json(entry, "gain_ns", scaled_json(making, phase->gain[2]));
	put_json(entry, "gain_high_ns", scaled_json(making, phase->gain_high));
	put_json(entry, "gain_both_ways_ns", scaled_json(making, phase->gain_both));
	put_json(entry, "gain_rest_ns", scaled_json(making, rest_of_gain(phase)));
	put_json(entry, "replay_error", real_json(phase->replay / phase->loop - 1));
	put_json(entry, "replay_unlike", json_boolean(phase_unlike(phase)));
	put_json(entry, "duplex_rate", real_json((phase->rate.in + phase->rate.out) / 2));
	put_json(entry, "duplex_measured", json_boolean(phase->rate_measured));
	put_json(entry, "speedup", real_json(phase->loop / (phase->loop - round(phase->gain[2]))));
	put_json(entry, "advised_buffers", json_integer(advised));
	put_json(entry, "advised_gain_ns", scaled_json(making, phase->gain[advised]));
	put_json(entry, "needs_more", json_boolean(phase->gain[2] < pays_least * phase->loop));
	put_json(entry, "advised_share", real_json(round(phase->gain[advised]) / phase->loop));
	put_json(entry, "buffers", buffers_json(making));
}

static void put_groups(json_t *entry, const struct entry_making *making)
{
	const struct pays_phase *phase = making->phase;
	size_t shown = phase->ngroups < GROUPS_MOST ? phase->ngroups : GROUPS_MOST;
	json_t *list = json_array();

	for (size_t g = 0; g < shown; g++)
		append_json(list, entry_group_json(making, &phase->group[g]));
	put_json(entry, "copies", list);
	put_json(entry, "copies_left_out", json_integer((json_int_t)(phase->ngroups - shown)));
}

json_t *phase_entry(const struct model *model, const struct pays_phase *phase, double scale, bool gains)
{
	struct entry_making making = {&model->trace, phase, scale};
	json_t *entry = json_object();

	put_phase_place(entry, &making);
	put_loop(entry, &making);
	if (phase->can_gain)
		put_estimate(entry, &making);
	if (gains) {
		put_json(entry, "memory", memory_matters(phase) ? memory_json(&making) : json_null());
		put_json(entry, "actions", phase_actions(&making));
		put_groups(entry, &making);
	}
	return entry;
}

json_t *outside_json(const struct pays_outside *outside, double scale)
{
	const struct entry_making making = {.scale = scale};
	json_t *object = json_object();

	put_json(object, "copies", scaled_count(&making, (int64_t)outside->copies));
	put_json(object, "bytes", scaled_count(&making, outside->bytes));
	put_json(object, "copy_ns", scaled_count(&making, outside->copy_time));
	put_json(object, "kernels", scaled_count(&making, (int64_t)outside->kernels));
	put_json(object, "kernel_ns", scaled_count(&making, outside->kernel_time));
	return object;
}
