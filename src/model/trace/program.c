/* program.c: the program object: what a recording without families (any traced program, an export) shows. */
#include "model/trace/program.h"

#include <stdio.h>
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
	double *ns = malloc(kind->count * sizeof(*ns));
	struct summary summary;
	int result;

	if (!ns)
		return NULL;
	for (size_t i = 0; i < kind->count; i++)
		ns[i] = (double)(work->item[kind->first + i]->end - work->item[kind->first + i]->start);
	result = summarize(ns, kind->count, &summary);
	free(ns);
	return result < 0 ? NULL : real_json(summary.median);
}

static json_t *kernel_json(const struct work_list *work, const struct kind *kind)
{
	json_t *entry = json_object();
	int bad = 0;

	bad |= put_json(entry, "name", text_json(work->item[kind->first]->name));
	bad |= put_json(entry, "count", json_integer((json_int_t)kind->count));
	bad |= put_json(entry, "total_ns", json_integer(kind->total_ns));
	bad |= put_json(entry, "median_ns", median_json(work, kind));
	return built_json(entry, bad);
}

static json_t *copy_json(const struct work_list *work, const struct kind *kind)
{
	const struct activity *copy = work->item[kind->first];
	json_t *entry = json_object();
	char direction[64], memory[64];
	int bad = 0;

	direction_words(copy->copy_kind, direction, sizeof(direction));
	memory_words(copy_memory(copy), memory, sizeof(memory));
	bad |= put_json(entry, "kind", text_json(direction));
	bad |= put_json(entry, "memory", text_json(memory[0] ? memory : NULL));
	bad |= put_json(entry, "count", json_integer((json_int_t)kind->count));
	bad |= put_json(entry, "bytes", json_integer(kind->bytes));
	bad |= put_json(entry, "total_ns", json_integer(kind->total_ns));
	return built_json(entry, bad);
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

/* Those with the most time; of a name for each launch nobody reads more. */
enum { KINDS_TOLD = 5000 };

static int note_kinds(const struct model *model, size_t n)
{
	char text[160];

	snprintf(text, sizeof(text), "there are kernels of %zu names: the %d with the most time are told", n,
		KINDS_TOLD);
	return model_note(model, text);
}

static json_t *listing_json(const struct model *model, const struct work_list *all, const struct listing *listing)
{
	struct work_list work = {.item = calloc(all->n + 1, sizeof(*work.item))};
	struct kind *kinds = calloc(all->n + 1, sizeof(*kinds));
	json_t *list = json_array();
	int bad = !work.item || !kinds;
	size_t n = 0;

	for (size_t i = 0; i < all->n && !bad; i++) {
		if (listing->wanted(all->item[i]))
			work.item[work.n++] = all->item[i];
	}
	if (work.n > 1)
		qsort(work.item, work.n, sizeof(*work.item), listing->compare);
	if (!bad)
		n = find_kinds(listing, &work, kinds);
	if (n > KINDS_TOLD) {
		bad |= note_kinds(model, n);
		n = KINDS_TOLD;
	}
	for (size_t i = 0; i < n; i++)
		bad |= append_json(list, listing->entry(&work, &kinds[i]));
	free(work.item);
	free(kinds);
	return built_json(list, bad);
}

static json_t *program_timeline(const struct model *model, const struct work_list *work)
{
	size_t n = model->trace.nranges;
	const struct range **ranges = calloc(n + 1, sizeof(*ranges));
	json_t *timeline;

	if (!ranges)
		return NULL;
	for (size_t i = 0; i < n; i++)
		ranges[i] = &model->trace.ranges[i];
	timeline = timeline_json(model, work, ranges, n);
	free(ranges);
	return timeline;
}

/* The places where double buffering would pay, with a close-up of the first ones. */
static json_t *program_pays(const struct model *model)
{
	json_t *pays = pays_json(model);

	if (pays && close_ups(model, pays) == 0)
		return pays;
	json_decref(pays);
	return NULL;
}

json_t *program_json(const struct model *model)
{
	static const struct listing kernels = {is_kernel, kernel_order, compare_kernels, kernel_json};
	static const struct listing copies = {is_copy, program_copy_order, compare_copies, copy_json};
	struct work_list work;
	json_t *program;
	int bad = 0;

	if (model->table[TABLE_FAMILY].nrows)
		return json_null();
	if (work_all(model, &work) < 0)
		return NULL;
	program = json_object();
	bad |= put_json(program, "timeline", program_timeline(model, &work));
	bad |= put_json(program, "kernels", listing_json(model, &work, &kernels));
	bad |= put_json(program, "copies", listing_json(model, &work, &copies));
	bad |= put_json(program, "processes", processes_json(model));
	free(work.item); /* before more is needed */
	bad |= put_json(program, "pays", program_pays(model));
	return built_json(program, bad);
}
