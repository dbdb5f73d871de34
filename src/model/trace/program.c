/* program.c: see program.h. */
#include "model/trace/program.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/close.h"
#include "model/trace/overlap.h"
#include "model/trace/pays.h"
#include "model/trace/processes.h"
#include "model/trace/timeline.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/number.h"
#include "util/alloc.h"

/* Work of one kind: work[first .. first + count) of a sorted list. */
struct kind {
	size_t first, count;
	int64_t total_ns, bytes;
};

/* How a list of kinds is made. */
struct listing {
	bool (*wanted)(const struct activity *work);
	int (*order)(const struct activity *a, const struct activity *b); /* 0: the same kind */
	int (*compare)(const void *left, const void *right);              /* for qsort: by kind */
	json_t *(*entry)(const struct work_list *work, const struct kind *kind);
};

static bool is_kernel(const struct activity *work)
{
	return work->cls == WORK_KERNEL;
}

static bool is_copy(const struct activity *work)
{
	return work->copy_kind != COPY_KIND_NONE;
}

static int kernel_order(const struct activity *a, const struct activity *b)
{
	return a->name == b->name ? 0 : strcmp(a->name, b->name);
}

static int program_copy_order(const struct activity *a, const struct activity *b)
{
	int memory_a = copy_memory(a), memory_b = copy_memory(b);

	if (a->copy_kind != b->copy_kind)
		return a->copy_kind < b->copy_kind ? -1 : 1;
	return (memory_a > memory_b) - (memory_a < memory_b);
}

static int compare_kernels(const void *left, const void *right)
{
	return kernel_order(*(const struct activity *const *)left, *(const struct activity *const *)right);
}

static int compare_copies(const void *left, const void *right)
{
	return program_copy_order(*(const struct activity *const *)left, *(const struct activity *const *)right);
}

static int by_total(const void *left, const void *right)
{
	const struct kind *a = left, *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static json_t *median_json(const struct work_list *work, const struct kind *kind)
{
	double *ns = xcalloc(kind->count, sizeof(*ns));
	struct summary summary;

	for (size_t i = 0; i < kind->count; i++)
		ns[i] = (double)(work->item[kind->first + i]->end - work->item[kind->first + i]->start);
	summarize(ns, kind->count, &summary);
	free(ns);
	return real_json(summary.median);
}

static json_t *kernel_json(const struct work_list *work, const struct kind *kind)
{
	json_t *entry = json_object();

	put_json(entry, "name", text_json(work->item[kind->first]->name));
	put_json(entry, "count", json_integer((json_int_t)kind->count));
	put_json(entry, "total_ns", json_integer(kind->total_ns));
	put_json(entry, "median_ns", median_json(work, kind));
	return entry;
}

static json_t *copy_json(const struct work_list *work, const struct kind *kind)
{
	const struct activity *copy = work->item[kind->first];
	json_t *entry = json_object();
	char direction[64], memory[64];

	direction_words(copy->copy_kind, direction, sizeof(direction));
	memory_words(copy_memory(copy), memory, sizeof(memory));
	put_json(entry, "kind", text_json(direction));
	put_json(entry, "memory", text_json(memory[0] ? memory : NULL));
	put_json(entry, "count", json_integer((json_int_t)kind->count));
	put_json(entry, "bytes", json_integer(kind->bytes));
	put_json(entry, "total_ns", json_integer(kind->total_ns));
	return entry;
}

static size_t find_kinds(const struct listing *listing, const struct work_list *work, struct kind *kinds)
{
	size_t n = 0;

	for (size_t i = 0; i < work->n; i++) {
		const struct activity *item = work->item[i];

		if (i == 0 || listing->order(work->item[kinds[n - 1].first], item) != 0)
			kinds[n++] = (struct kind){.first = i};
		kinds[n - 1].count++;
		kinds[n - 1].total_ns = int64_sum(kinds[n - 1].total_ns, item->end - item->start);
		kinds[n - 1].bytes = int64_sum(kinds[n - 1].bytes, item->bytes);
	}
	if (n > 1)
		qsort(kinds, n, sizeof(*kinds), by_total);
	return n;
}

/* The most kinds in a list: those with the most time. Some programs give each launch a name of its own. */
enum { KINDS_TOLD = 5000 };

static void note_kinds(const struct model *model, size_t n)
{
	model_note_facts(model, json_pack("{s:s, s:I, s:i}", "id", "kernel-names-left-out", "names", (json_int_t)n,
					"told", KINDS_TOLD));
}

static json_t *listing_json(const struct model *model, const struct work_list *all, const struct listing *listing)
{
	struct work_list work = {.item = xcalloc(all->n + 1, sizeof(*work.item))};
	struct kind *kinds = xcalloc(all->n + 1, sizeof(*kinds));
	json_t *list = json_array();
	size_t n;

	for (size_t i = 0; i < all->n; i++) {
		if (listing->wanted(all->item[i]))
			work.item[work.n++] = all->item[i];
	}
	if (work.n > 1)
		qsort(work.item, work.n, sizeof(*work.item), listing->compare);
	n = find_kinds(listing, &work, kinds);
	if (n > KINDS_TOLD) {
		note_kinds(model, n);
		n = KINDS_TOLD;
	}
	for (size_t i = 0; i < n; i++)
		append_json(list, listing->entry(&work, &kinds[i]));
	free(work.item);
	free(kinds);
	return list;
}

static json_t *program_timeline(const struct model *model, const struct work_list *work)
{
	size_t n = model->trace.nranges;
	const struct range **ranges = xcalloc(n + 1, sizeof(*ranges));
	json_t *timeline;

	for (size_t i = 0; i < n; i++)
		ranges[i] = &model->trace.ranges[i];
	timeline = timeline_json(model, work, ranges, n);
	free(ranges);
	return timeline;
}

json_t *program_json(const struct model *model)
{
	static const struct listing kernels = {is_kernel, kernel_order, compare_kernels, kernel_json};
	static const struct listing copies = {is_copy, program_copy_order, compare_copies, copy_json};
	struct work_list work;
	json_t *program, *pays;

	if (model->table[TABLE_FAMILY].nrows)
		return json_null();
	program = json_object();
	work_all(model, &work);
	put_json(program, "timeline", program_timeline(model, &work));
	put_json(program, "kernels", listing_json(model, &work, &kernels));
	put_json(program, "copies", listing_json(model, &work, &copies));
	put_json(program, "processes", processes_json(model));
	free(work.item); /* before more is needed */
	pays = pays_json(model);
	if (!pays) {
		json_decref(program);
		return NULL;
	}
	close_ups(model, pays);
	put_json(program, "pays", pays);
	return program;
}
