/* program.c: see program.h. */
#include "model/trace/program.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/close.h"
#include "model/trace/comm/comm.h"
#include "model/trace/overlap.h"
#include "model/trace/pays/pays.h"
#include "model/trace/processes.h"
#include "model/trace/timeline.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

/* Work of one kind: kernels of one name, or copies of one direction and memory. */
struct kind {
	uint64_t key;
	uint32_t example; /* a piece of it */
	size_t first, count;
	int64_t total_ns, bytes;
	double median_ns; /* of kernels */
};

/* All kinds of a sort of work. */
struct kinds {
	const struct trace *trace;
	/* Whether it is of that sort; equal keys are one kind. */
	bool (*key_of)(const struct trace *trace, size_t i, uint64_t *key);
	/* What decides between kinds of the same time. */
	int (*order)(const struct trace *trace, const struct kind *a, const struct kind *b);
	struct kind *kind;
	size_t n, room;
	uint32_t *slots; /* hash table: a place plus one; 0: free */
	size_t nslots;
};

static bool kernel_key(const struct trace *trace, size_t i, uint64_t *key)
{
	*key = trace->what[i];
	return work_lane(trace, i)->cls == WORK_KERNEL;
}

static int kernel_order(const struct trace *trace, const struct kind *a, const struct kind *b)
{
	return strcmp(
		texts_text(trace->texts, trace->what[a->example]), texts_text(trace->texts, trace->what[b->example]));
}

static bool copy_key(const struct trace *trace, size_t i, uint64_t *key)
{
	const struct work_copy *copy = work_copy(trace, i);

	if (!copy || copy->kind == COPY_KIND_NONE)
		return false;
	/* Both are small; a memory that nobody knows is -1. */
	*key = (uint64_t)copy->kind << 32 | (uint64_t)(copy_memory_kind(copy->kind, copy->source, copy->target) + 1);
	return true;
}

static int program_copy_order(const struct trace *trace, const struct kind *a, const struct kind *b)
{
	(void)trace;
	return (a->key > b->key) - (a->key < b->key);
}

static size_t kind_slot(const struct kinds *kinds, uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
	size_t slot = (size_t)(hash >> 24) & (kinds->nslots - 1);

	while (kinds->slots[slot] && kinds->kind[kinds->slots[slot] - 1].key != key)
		slot = (slot + 1) & (kinds->nslots - 1);
	return slot;
}

/* The table is at most half full. */
static void kinds_grow(struct kinds *kinds)
{
	free(kinds->slots);
	kinds->nslots = kinds->nslots ? kinds->nslots * 2 : 256;
	kinds->slots = xcalloc(kinds->nslots, sizeof(*kinds->slots));
	for (size_t i = 0; i < kinds->n; i++)
		kinds->slots[kind_slot(kinds, kinds->kind[i].key)] = (uint32_t)i + 1;
}

static struct kind *kind_of(struct kinds *kinds, uint64_t key, size_t i)
{
	size_t slot;

	if (kinds->n * 2 >= kinds->nslots)
		kinds_grow(kinds);
	slot = kind_slot(kinds, key);
	if (!kinds->slots[slot]) {
		xgrow(&kinds->kind, kinds->n, &kinds->room, sizeof(*kinds->kind));
		kinds->kind[kinds->n++] = (struct kind){.key = key, .example = (uint32_t)i};
		kinds->slots[slot] = (uint32_t)kinds->n;
	}
	return &kinds->kind[kinds->slots[slot] - 1];
}

static void find_kinds(struct kinds *kinds)
{
	const struct trace *trace = kinds->trace;

	for (size_t i = 0; i < trace->nwork; i++) {
		const struct work_copy *copy = work_copy(trace, i);
		struct kind *kind;
		uint64_t key;

		if (!kinds->key_of(trace, i, &key))
			continue;
		kind = kind_of(kinds, key, i);
		kind->count++;
		kind->total_ns = int64_sum(kind->total_ns, trace->end[i] - trace->start[i]);
		kind->bytes = int64_sum(kind->bytes, copy ? copy->bytes : -1);
	}
}

static int by_total(const void *left, const void *right, void *user)
{
	const struct kind *a = left, *b = right;
	const struct kinds *kinds = user;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return kinds->order(kinds->trace, a, b);
}

/* ---- medians ---- */

/* The durations of all work of the kinds, by kind. */
static double *durations_by_kind(struct kinds *kinds)
{
	const struct trace *trace = kinds->trace;
	size_t *next = xcalloc(kinds->n + 1, sizeof(*next)), n = 0;
	double *ns;

	for (size_t k = 0; k < kinds->n; k++) {
		kinds->kind[k].first = next[k] = n;
		n += kinds->kind[k].count;
	}
	ns = xreallocarray(NULL, n + 1, sizeof(*ns));
	for (size_t i = 0; i < trace->nwork; i++) {
		uint64_t key;

		if (kinds->key_of(trace, i, &key))
			ns[next[kind_of(kinds, key, i) - kinds->kind]++] = (double)(trace->end[i] - trace->start[i]);
	}
	free(next);
	return ns;
}

static void find_medians(struct kinds *kinds)
{
	double *ns = durations_by_kind(kinds);

	for (size_t k = 0; k < kinds->n; k++)
		kinds->kind[k].median_ns = median_of(ns + kinds->kind[k].first, kinds->kind[k].count);
	free(ns);
}

/* ---- JSON ---- */

static json_t *kernel_json(const struct trace *trace, const struct kind *kind)
{
	json_t *entry = json_object();

	put_json(entry, "name", text_json(texts_text(trace->texts, trace->what[kind->example])));
	put_json(entry, "count", json_integer((json_int_t)kind->count));
	put_json(entry, "total_ns", json_integer(kind->total_ns));
	put_json(entry, "median_ns", real_json(kind->median_ns));
	return entry;
}

static json_t *copy_json(const struct trace *trace, const struct kind *kind)
{
	json_t *entry = json_object();
	char direction[64], memory[64];
	struct activity copy;

	trace_activity(trace, kind->example, &copy);
	direction_words(copy.copy_kind, direction, sizeof(direction));
	memory_words(copy_memory(&copy), memory, sizeof(memory));
	put_json(entry, "kind", text_json(direction));
	put_json(entry, "memory", text_json(memory[0] ? memory : NULL));
	put_json(entry, "count", json_integer((json_int_t)kind->count));
	put_json(entry, "bytes", json_integer(kind->bytes));
	put_json(entry, "total_ns", json_integer(kind->total_ns));
	return entry;
}

/* The most kinds in a list: those with the most time. Some programs give each launch a name of its own. */
enum { KINDS_TOLD = 5000 };

static void note_kinds(const struct model *model, size_t n)
{
	model_note_facts(model, json_pack("{s:s, s:I, s:i}", "id", "kernel-names-left-out", "names", (json_int_t)n,
					"told", KINDS_TOLD));
}

/* What the list of kinds leaves out: the sum of those from KINDS_TOLD on; NULL if it has all. */
static json_t *kinds_left_json(const struct kinds *kinds)
{
	size_t count = 0;
	int64_t total = 0;

	if (kinds->n <= KINDS_TOLD)
		return NULL;
	for (size_t i = KINDS_TOLD; i < kinds->n; i++) {
		count += kinds->kind[i].count;
		total = int64_sum(total, kinds->kind[i].total_ns);
	}
	return json_pack("{s:I, s:I, s:I}", "names", (json_int_t)(kinds->n - KINDS_TOLD), "count", (json_int_t)count,
		"total_ns", (json_int_t)total);
}

/* The kinds with the most time; *left_out is what the others have, or NULL. Frees them. */
static json_t *kinds_json(const struct model *model, struct kinds *kinds,
	json_t *(*entry)(const struct trace *trace, const struct kind *kind), json_t **left_out)
{
	json_t *list = json_array();

	if (kinds->n > 1)
		qsort_r(kinds->kind, kinds->n, sizeof(*kinds->kind), by_total, kinds);
	if (kinds->n > KINDS_TOLD)
		note_kinds(model, kinds->n);
	for (size_t i = 0; i < kinds->n && i < KINDS_TOLD; i++)
		append_json(list, entry(kinds->trace, &kinds->kind[i]));
	*left_out = kinds_left_json(kinds);
	free(kinds->kind);
	free(kinds->slots);
	return list;
}

static void put_program_kernels(json_t *program, const struct model *model)
{
	struct kinds kinds = {.trace = &model->trace, .key_of = kernel_key, .order = kernel_order};
	json_t *left_out;

	find_kinds(&kinds);
	find_medians(&kinds);
	put_json(program, "kernels", kinds_json(model, &kinds, kernel_json, &left_out));
	if (left_out)
		put_json(program, "kernels_left_out", left_out);
}

/* Directions and memories are so few that none is left out. */
static void put_program_copies(json_t *program, const struct model *model)
{
	struct kinds kinds = {.trace = &model->trace, .key_of = copy_key, .order = program_copy_order};
	json_t *left_out;

	find_kinds(&kinds);
	put_json(program, "copies", kinds_json(model, &kinds, copy_json, &left_out));
	json_decref(left_out);
}

json_t *program_json(const struct model *model)
{
	json_t *program, *pays;

	if (model->table[TABLE_FAMILY].nrows)
		return json_null();
	program = json_object();
	put_json(program, "timeline", timeline_json(model, NULL, NULL, NULL, 0));
	put_program_kernels(program, model);
	put_program_copies(program, model);
	processes_put(model, program);
	put_json(program, "communication", communication_json(model));
	pays = pays_json(model);
	if (!pays) {
		json_decref(program);
		return NULL;
	}
	close_ups(model, pays);
	put_json(program, "pays", pays);
	return program;
}
