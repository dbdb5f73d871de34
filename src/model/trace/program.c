/* program.c: see program.h. */
#include "model/trace/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/sort.h"
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
#include "util/machine/parallel.h"

/* Work of one kind: kernels of one name, or copies of one direction and memory. */
struct kind {
	uint32_t key;
	uint32_t example; /* a piece of it */
	size_t first, count;
	int64_t total_ns, bytes;
	bool is_long;     /* a piece takes 2^32 ns or more */
	double median_ns; /* of kernels */
};

/* All kinds of a sort of work. */
struct kinds {
	const struct trace *trace;
	/* Whether it is of that sort; equal keys are one kind. */
	bool (*key_of)(const struct trace *trace, size_t i, uint32_t *key);
	/* What decides between kinds of the same time. */
	int (*order)(const struct trace *trace, const struct kind *a, const struct kind *b);
	struct kind *kind;
	size_t n, room;
	uint32_t *slots; /* by key: a place plus one; 0: there is no such kind yet */
	size_t nslots;
};

static bool kernel_key(const struct trace *trace, size_t i, uint32_t *key)
{
	*key = trace->what[i];
	return work_lane(trace, i)->cls == WORK_KERNEL;
}

static int kernel_order(const struct trace *trace, const struct kind *a, const struct kind *b)
{
	return strcmp(
		texts_text(trace->texts, trace->what[a->example]), texts_text(trace->texts, trace->what[b->example]));
}

static bool copy_key(const struct trace *trace, size_t i, uint32_t *key)
{
	const struct work_copy *copy = work_copy(trace, i);

	if (!copy || copy->kind == COPY_KIND_NONE)
		return false;
	/* A memory that nobody knows is -1; no kind of memory or copy is beyond 127. */
	*key = (uint32_t)copy->kind << 8 | (uint32_t)(copy_memory_kind(copy->kind, copy->source, copy->target) + 1);
	return true;
}

static int program_copy_order(const struct trace *trace, const struct kind *a, const struct kind *b)
{
	(void)trace;
	return (a->key > b->key) - (a->key < b->key);
}

/* Keys are small, so each has a slot of its own. */
static void slots_grow(struct kinds *kinds, size_t key)
{
	size_t n = 2 * key + 256;

	kinds->slots = xreallocarray(kinds->slots, n, sizeof(*kinds->slots));
	memset(kinds->slots + kinds->nslots, 0, (n - kinds->nslots) * sizeof(*kinds->slots));
	kinds->nslots = n;
}

static struct kind *kind_of(struct kinds *kinds, uint32_t key, size_t i)
{
	if (key >= kinds->nslots)
		slots_grow(kinds, key);
	if (!kinds->slots[key]) {
		xgrow(&kinds->kind, kinds->n, &kinds->room, sizeof(*kinds->kind));
		kinds->kind[kinds->n++] = (struct kind){.key = key, .example = (uint32_t)i};
		kinds->slots[key] = (uint32_t)kinds->n;
	}
	return &kinds->kind[kinds->slots[key] - 1];
}

static void find_kinds(struct kinds *kinds)
{
	const struct trace *trace = kinds->trace;

	for (size_t i = 0; i < trace->nwork; i++) {
		const struct work_copy *copy = work_copy(trace, i);
		struct kind *kind;
		uint32_t key;

		if (!kinds->key_of(trace, i, &key))
			continue;
		kind = kind_of(kinds, key, i);
		kind->count++;
		kind->is_long |= trace->end[i] - trace->start[i] > UINT32_MAX;
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

/* The durations of all work, by kind: those of kinds with long pieces apart, since most need four bytes each. */
struct durations {
	double *longs;
	uint32_t *shorts;
};

/* Where the durations of each kind go. */
static size_t *place_durations(struct kinds *kinds, struct durations *durations)
{
	size_t *next = xcalloc(kinds->n + 1, sizeof(*next)), n[2] = {0, 0};

	for (size_t k = 0; k < kinds->n; k++) {
		struct kind *kind = &kinds->kind[k];

		kind->first = next[k] = n[kind->is_long];
		n[kind->is_long] += kind->count;
	}
	durations->shorts = xreallocarray(NULL, n[false] + 1, sizeof(*durations->shorts));
	durations->longs = xreallocarray(NULL, n[true] + 1, sizeof(*durations->longs));
	return next;
}

static void take_durations(struct kinds *kinds, struct durations *durations)
{
	const struct trace *trace = kinds->trace;
	size_t *next = place_durations(kinds, durations);

	for (size_t i = 0; i < trace->nwork; i++) {
		int64_t ns = trace->end[i] - trace->start[i];
		struct kind *kind;
		uint32_t key;
		size_t place;

		if (!kinds->key_of(trace, i, &key))
			continue;
		kind = kind_of(kinds, key, i);
		place = next[kind - kinds->kind]++;
		if (kind->is_long)
			durations->longs[place] = (double)ns;
		else
			durations->shorts[place] = (uint32_t)ns;
	}
	free(next);
}

static void find_medians(struct kinds *kinds)
{
	struct durations durations;

	take_durations(kinds, &durations);
	for (size_t k = 0; k < kinds->n; k++) {
		struct kind *kind = &kinds->kind[k];

		kind->median_ns = kind->is_long ? median_of(durations.longs + kind->first, kind->count)
						: median_of_shorts(durations.shorts + kind->first, kind->count);
	}
	free(durations.longs);
	free(durations.shorts);
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

	sort_first(kinds->kind, kinds->n, KINDS_TOLD, sizeof(*kinds->kind), by_total, kinds);
	if (kinds->n > KINDS_TOLD)
		note_kinds(model, kinds->n);
	for (size_t i = 0; i < kinds->n && i < KINDS_TOLD; i++)
		append_json(list, entry(kinds->trace, &kinds->kind[i]));
	*left_out = kinds_left_json(kinds);
	free(kinds->kind);
	free(kinds->slots);
	return list;
}

/* ---- all work at once ---- */

/* What is found in passes over all work, each in a thread of its own. */
struct program_parts {
	const struct model *model;
	json_t *timeline, *communication;
	struct kinds kernels, copies;
	struct process_sweeps *processes;
};

enum { PART_KERNELS, PART_PROCESSES, PART_COMMUNICATION, PART_TIMELINE, PART_COPIES, PROGRAM_PARTS };

static void program_part(void *user, size_t part)
{
	struct program_parts *parts = user;

	switch (part) {
	case PART_KERNELS:
		find_kinds(&parts->kernels);
		find_medians(&parts->kernels);
		break;
	case PART_PROCESSES:
		parts->processes = process_sweeps_new(&parts->model->trace, parts->model->sweeps);
		break;
	case PART_COMMUNICATION:
		parts->communication = communication_json(parts->model);
		break;
	case PART_TIMELINE:
		/* The only one that may add a note. */
		parts->timeline = timeline_json(parts->model, NULL, NULL, NULL, 0);
		break;
	default:
		find_kinds(&parts->copies);
	}
}

static void program_parts_make(struct program_parts *parts, const struct model *model)
{
	const struct trace *trace = &model->trace;

	*parts = (struct program_parts){
		.model = model,
		.kernels = {.trace = trace, .key_of = kernel_key, .order = kernel_order},
		.copies = {.trace = trace, .key_of = copy_key, .order = program_copy_order},
	};
	parallel_run(trace_workers(trace, trace->nwork), PROGRAM_PARTS, program_part, parts);
}

/* Puts the kinds, and what their list leaves out if it does. */
static void put_program_kinds(json_t *program, const char *key, const struct model *model, struct kinds *kinds,
	json_t *(*entry)(const struct trace *trace, const struct kind *kind))
{
	json_t *left_out;
	char left_out_key[64];

	put_json(program, key, kinds_json(model, kinds, entry, &left_out));
	snprintf(left_out_key, sizeof(left_out_key), "%s_left_out", key);
	if (left_out)
		put_json(program, left_out_key, left_out);
}

json_t *program_json(const struct model *model)
{
	struct program_parts parts;
	json_t *program;

	if (model_has_families(model))
		return json_null();
	program = json_object();
	program_parts_make(&parts, model);
	put_json(program, "timeline", parts.timeline);
	put_program_kinds(program, "kernels", model, &parts.kernels, kernel_json);
	put_program_kinds(program, "copies", model, &parts.copies, copy_json);
	processes_put(model, parts.processes, program);
	process_sweeps_free(parts.processes);
	put_json(program, "communication", parts.communication);
	if (pays_put(model, program) < 0) {
		json_decref(program);
		return NULL;
	}
	close_ups(model, json_object_get(program, "pays"));
	return program;
}
