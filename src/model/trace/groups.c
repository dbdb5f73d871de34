/* groups.c: the NVTX ranges of the model: all of one name together, with the device work that belongs to them. */
#include "model/trace/groups.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/sort.h"
#include "model/recording.h"
#include "model/trace/group-batch.h"
#include "model/trace/overlap.h"
#include "model/trace/trace.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

/* Some profilers number the names of their ranges: a report of a million ranges helps nobody. */
enum { GROUPS_SHOWN = 2000 };

static size_t group_slot(const struct groups *groups, uint32_t text, uint32_t domain)
{
	uint64_t hash = ((uint64_t)domain << 32 | text) * UINT64_C(0x9E3779B97F4A7C15);
	size_t slot = (size_t)(hash >> 24) & (groups->nslots - 1);

	for (; groups->slots[slot]; slot = (slot + 1) & (groups->nslots - 1)) {
		const struct group *group = &groups->group[groups->slots[slot] - 1];

		if (group->text == text && group->domain == domain)
			break;
	}
	return slot;
}

/* The table is at most half full. */
static void groups_grow(struct groups *groups)
{
	free(groups->slots);
	groups->nslots = groups->nslots ? groups->nslots * 2 : 256;
	groups->slots = xcalloc(groups->nslots, sizeof(*groups->slots));
	for (size_t i = 0; i < groups->n; i++)
		groups->slots[group_slot(groups, groups->group[i].text, groups->group[i].domain)] = (uint32_t)i + 1;
}

/* The place of the range's group, which is made if it is the first of its name. */
static size_t place_of_group(struct groups *groups, const struct range *range)
{
	size_t slot;

	if (groups->n * 2 >= groups->nslots)
		groups_grow(groups);
	slot = group_slot(groups, range->text, range->domain);
	if (!groups->slots[slot]) {
		xgrow(&groups->group, groups->n, &groups->room, sizeof(*groups->group));
		groups->group[groups->n++] =
			(struct group){.start = range->start, .text = range->text, .domain = range->domain};
		groups->slots[slot] = (uint32_t)groups->n;
	}
	return groups->slots[slot] - 1;
}

static void count_range(struct group *group, const struct range *range)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was just found or made */
	group->count++;
	if (range->end > range->start)
		group->total = int64_sum(group->total, range->end - range->start);
	if (range->start < group->start)
		group->start = range->start;
}

/* Without the iterations of families: these stand at their variants, and their names repeat from variant to variant. */
static bool group_shows(const struct range *range)
{
	return !range->iteration;
}

/* Puts the ranges by group. */
static void group_ranges(struct groups *groups)
{
	const struct trace *trace = groups->trace;
	size_t *next = xcalloc(groups->n + 1, sizeof(*next)), n = 0;

	for (size_t g = 0; g < groups->n; g++) {
		groups->group[g].first = next[g] = n;
		n += groups->group[g].count;
	}
	groups->range = xreallocarray(NULL, n + 1, sizeof(*groups->range));
	for (size_t i = 0; i < trace->nranges; i++) {
		if (group_shows(&trace->ranges[i]))
			groups->range[next[place_of_group(groups, &trace->ranges[i])]++] = (uint32_t)i;
	}
	free(next);
}

/* By name: what decides where nothing else does. */
static int by_group_name(const struct group *a, const struct group *b, const struct trace *trace)
{
	const char *domain_a = texts_text(trace->texts, a->domain), *domain_b = texts_text(trace->texts, b->domain);
	int order =
		a->text == b->text ? 0 : strcmp(texts_text(trace->texts, a->text), texts_text(trace->texts, b->text));

	return order ? order : strcmp(domain_a ? domain_a : "", domain_b ? domain_b : "");
}

static int by_first_start(const void *left, const void *right, void *trace)
{
	const struct group *a = left, *b = right;

	return a->start != b->start ? int64_order(a->start, b->start) : by_group_name(a, b, trace);
}

static int by_longest(const void *left, const void *right, void *trace)
{
	const struct group *a = left, *b = right;

	return a->total != b->total ? int64_order(b->total, a->total) : by_group_name(a, b, trace);
}

/* Counts the groups from `first` on as left out. */
static void leave_out(struct groups *groups, size_t first)
{
	for (size_t g = first; g < groups->n; g++)
		groups->ranges_left += groups->group[g].count;
	groups->names_left += groups->n - first;
	groups->n = first;
}

/* If there are too many groups, leaves out those with the least time and notes it. */
static void drop_groups(struct groups *groups, const struct model *model)
{
	if (groups->n <= GROUPS_SHOWN)
		return;
	model_note_facts(model, json_pack("{s:s, s:I, s:i}", "id", "range-names-left-out", "names",
					(json_int_t)groups->n, "told", GROUPS_SHOWN));
	sort_first(groups->group, groups->n, GROUPS_SHOWN, sizeof(*groups->group), by_longest, (void *)groups->trace);
	leave_out(groups, GROUPS_SHOWN);
}

static void groups_make(struct groups *groups, const struct model *model)
{
	const struct trace *trace = &model->trace;

	*groups = (struct groups){.trace = trace};
	for (size_t i = 0; i < trace->nranges; i++) {
		const struct range *range = &trace->ranges[i];

		if (group_shows(range)) {
			size_t place = place_of_group(groups, range);

			count_range(&groups->group[place], range);
		}
	}
	group_ranges(groups);
	drop_groups(groups, model);
	if (groups->n > 1)
		qsort_r(groups->group, groups->n, sizeof(*groups->group), by_first_start, (void *)trace);
}

static void groups_free(struct groups *groups)
{
	free(groups->group);
	free(groups->slots);
	free(groups->range);
}

static json_t *groups_group_json(const struct model *model, const struct group *group, const struct gpu_sweeps *sweeps)
{
	json_t *object = json_object();

	put_json(object, "name", text_json(texts_text(model->trace.texts, group->text)));
	put_json(object, "domain", text_json(texts_text(model->trace.texts, group->domain)));
	put_json(object, "count", json_integer((json_int_t)group->count));
	put_json(object, "gpus", gpu_sweeps_json(sweeps, model));
	return object;
}

static void note_told(const struct model *model, size_t told, size_t all)
{
	model_note_facts(model, json_pack("{s:s, s:I, s:I}", "id", "ranges-left-out", "names", (json_int_t)all, "told",
					(json_int_t)told));
}

/* Nested ranges share their work: each of a few thousand in each other would have all of it. So the sum is limited. */
static void groups_json(const struct model *model, struct groups *groups, json_t *ranges)
{
	enum { NESTED_MOST = 100, FEW = 100000 };
	size_t gpus = 0, work = 0, work_most = FEW + NESTED_MOST * model->trace.nwork;
	struct group_batch *batch = group_batch_new(groups, model->sweeps);

	for (size_t i = 0; i < groups->n; i++) {
		size_t g = i % GROUPS_AT_ONCE;
		json_t *entry;

		if (gpus >= GPUS_TOLD || work > work_most) {
			note_told(model, i, groups->n);
			leave_out(groups, i);
			break;
		}
		if (g == 0)
			group_batch_take(batch, i);
		entry = groups_group_json(model, &groups->group[i], &batch->sweeps[g]);
		work += group_batch_pieces(batch, g);
		gpus += json_array_size(json_object_get(entry, "gpus"));
		append_json(ranges, entry);
	}
	group_batch_free(batch);
}

void ranges_put(const struct model *model, json_t *recording)
{
	struct groups groups;
	json_t *ranges = json_array();

	groups_make(&groups, model);
	groups_json(model, &groups, ranges);
	put_json(recording, "ranges", ranges);
	if (groups.names_left > 0)
		put_json(recording, "ranges_left_out",
			json_pack("{s:I, s:I}", "names", (json_int_t)groups.names_left, "count",
				(json_int_t)groups.ranges_left));
	groups_free(&groups);
}
