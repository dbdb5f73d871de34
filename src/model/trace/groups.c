/* groups.c: the NVTX ranges of the model: all of one name together, with the device work that belongs to them. */
#include "model/trace/groups.h"

#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "model/trace/calls.h"
#include "model/trace/overlap.h"
#include "model/trace/trace.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

/* Some profilers number the names of their ranges: a report of a million ranges helps nobody. */
enum { GROUPS_SHOWN = 2000 };

/* All ranges of one name: order[first .. first + count). */
struct group {
	size_t first, count;
	int64_t start; /* of the earliest */
	int64_t total; /* time of all together */
};

struct groups {
	const struct range **order; /* by name, then by thread and start */
	size_t n, ngroups;
	struct group *group; /* by first start */
};

static int groups_by_name(const struct range *a, const struct range *b)
{
	int order = a->text == b->text ? 0 : strcmp(a->text, b->text);

	return order ? order : strcmp(a->domain ? a->domain : "", b->domain ? b->domain : "");
}

static int by_name_and_place(const void *left, const void *right)
{
	const struct range *a = *(const struct range *const *)left, *b = *(const struct range *const *)right;
	int order = groups_by_name(a, b);

	return order ? order : (a > b) - (a < b);
}

static int by_first_start(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int by_longest(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static void groups_free(struct groups *groups)
{
	free(groups->order);
	free(groups->group);
}

/* Without the iterations of families: these stand at their variants, and their names repeat from variant to variant. */
static void select_ranges(struct groups *groups, const struct model *model)
{
	for (size_t i = 0; i < model->trace.nranges; i++) {
		if (!model->trace.ranges[i].iteration)
			groups->order[groups->n++] = &model->trace.ranges[i];
	}
	if (groups->n > 1)
		qsort(groups->order, groups->n, sizeof(*groups->order), by_name_and_place);
}

/* If there are too many groups, leaves out those with the least time and notes it. */
static void drop_groups(struct groups *groups, const struct model *model)
{
	if (groups->ngroups <= GROUPS_SHOWN)
		return;
	model_note_facts(model, json_pack("{s:s, s:I, s:i}", "id", "range-names-left-out", "names",
					(json_int_t)groups->ngroups, "told", GROUPS_SHOWN));
	qsort(groups->group, groups->ngroups, sizeof(*groups->group), by_longest);
	groups->ngroups = GROUPS_SHOWN;
}

static void groups_make(struct groups *groups, const struct model *model)
{
	size_t room = model->trace.nranges ? model->trace.nranges : 1;

	*groups = (struct groups){
		.order = xcalloc(room, sizeof(*groups->order)),
		.group = xcalloc(room, sizeof(*groups->group)),
	};
	select_ranges(groups, model);
	for (size_t i = 0; i < groups->n; i++) {
		const struct range *range = groups->order[i];
		struct group *last;

		if (groups->ngroups == 0 ||
			groups_by_name(groups->order[groups->group[groups->ngroups - 1].first], range) != 0)
			groups->group[groups->ngroups++] = (struct group){.first = i, .start = range->start};
		last = &groups->group[groups->ngroups - 1];
		last->count++;
		if (range->end > range->start)
			last->total = int64_sum(last->total, range->end - range->start);
		if (range->start < last->start)
			last->start = range->start;
	}
	drop_groups(groups, model);
	if (groups->ngroups > 1)
		qsort(groups->group, groups->ngroups, sizeof(*groups->group), by_first_start);
}

/* Puts the work of all ranges of the group into `out`; returns the number of pieces, also if `out` is NULL. Ranges of
 * one name may lie in each other: each piece is taken once. */
static size_t groups_take_work(
	const struct model *model, const struct groups *groups, const struct group *group, const struct activity **out)
{
	const struct trace *trace = &model->trace;
	size_t taken = 0, n = 0;

	for (size_t i = 0; i < group->count; i++) {
		size_t first, count, end;

		range_work(trace, groups->order[group->first + i], &first, &count);
		end = first + count;
		for (size_t k = first > taken ? first : taken; k < end; k++, n++) {
			if (out)
				out[n] = trace->by_call[k];
		}
		if (end > taken)
			taken = end;
	}
	return n;
}

static void group_work(
	const struct model *model, const struct groups *groups, const struct group *group, struct work_list *out)
{
	out->n = groups_take_work(model, groups, group, NULL);
	out->item = xcalloc(out->n + 1, sizeof(*out->item));
	groups_take_work(model, groups, group, out->item);
}

/* Adds the number of its pieces of work to *told. */
static json_t *groups_group_json(
	const struct model *model, const struct groups *groups, const struct group *group, size_t *told)
{
	const struct range *range = groups->order[group->first];
	struct work_list work;
	json_t *object = json_object();

	group_work(model, groups, group, &work);
	put_json(object, "name", text_json(range->text));
	put_json(object, "domain", text_json(range->domain));
	put_json(object, "count", json_integer((json_int_t)group->count));
	put_json(object, "gpus", gpus_json(model, &work));
	*told += work.n;
	free(work.item);
	return object;
}

static void note_told(const struct model *model, size_t told, size_t all)
{
	model_note_facts(model, json_pack("{s:s, s:I, s:I}", "id", "ranges-left-out", "names", (json_int_t)all, "told",
					(json_int_t)told));
}

/* Nested ranges share their work: each of a few thousand in each other would have all of it. So the sum is limited. */
json_t *ranges_json(const struct model *model)
{
	enum { NESTED_MOST = 100, FEW = 100000 };
	size_t gpus = 0, work = 0, work_most = FEW + NESTED_MOST * model->trace.nwork;
	struct groups groups;
	json_t *ranges = json_array();

	groups_make(&groups, model);
	for (size_t i = 0; i < groups.ngroups; i++) {
		json_t *entry;

		if (gpus >= GPUS_TOLD || work > work_most) {
			note_told(model, i, groups.ngroups);
			break;
		}
		entry = groups_group_json(model, &groups, &groups.group[i], &work);
		gpus += json_array_size(json_object_get(entry, "gpus"));
		append_json(ranges, entry);
	}
	groups_free(&groups);
	return ranges;
}
