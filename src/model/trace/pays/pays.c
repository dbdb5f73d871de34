/* pays.c: finds the loops in which double buffering would pay. */
#include "model/trace/pays/pays.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"
#include "model/part/part.h"
#include "model/recording.h"
#include "model/trace/pays/lacks.h"
#include "model/trace/pays/parts.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/numbering.h"
#include "util/machine/parallel.h"

/* The most loops without a gain that are told. */
enum { OTHERS_MOST = 16 };
/* Of loops with more calls the rounds in the middle are replayed, so that all stretches of a sample have so many. */
enum { CALLS_REPLAYED = 1 << 14, STRIDE = 5 };

/* All that is looked at. */
struct pays_looking {
	const struct model *model;
	struct pays_host host;
	struct pays_sample sample;
	struct pays_phases phases;
	struct pays_lacks lacks;
};

/* ---- a process in a stretch ---- */

/* What several processes share. Owned. */
struct pays_looked {
	const struct pays_stretch *stretch;
	struct numbering processes; /* that have work somewhere, in the order of lanes */
	uint32_t *of_lane;          /* by lane: the place of its process */
	bool *copies;               /* by process: whether it copies in the stretch */
	uint32_t *work;             /* pieces of the stretch by process; those of a process by start */
	size_t *first;              /* by process: where its pieces begin; behind the last one: where they end */
	struct pays_kernels kernels;
};

static void find_processes_of_lanes(struct pays_looked *looked, const struct trace *trace)
{
	looked->of_lane = xcalloc(trace->nlanes + 1, sizeof(*looked->of_lane));
	for (size_t l = 0; l < trace->nlanes; l++)
		looked->of_lane[l] = (uint32_t)numbering_place(&looked->processes, trace->lanes[l].process);
}

/* Puts the work of the stretch by process: there may be as many processes as pieces. */
static void find_work_of_processes(struct pays_looked *looked, const struct trace *trace)
{
	const struct pays_stretch *stretch = looked->stretch;
	size_t n = looked->processes.n, *next;

	looked->copies = xcalloc(n + 1, sizeof(*looked->copies));
	looked->first = xcalloc(n + 1, sizeof(*looked->first));
	looked->work = xreallocarray(NULL, stretch->count + 1, sizeof(*looked->work));
	for (size_t i = stretch->first; i < stretch->first + stretch->count; i++) {
		uint32_t process = looked->of_lane[trace->lane[i]];
		uint8_t cls = work_lane(trace, i)->cls;

		looked->copies[process] |= cls == WORK_H2D || cls == WORK_D2H;
		looked->first[process + 1]++;
	}
	for (size_t p = 0; p < n; p++)
		looked->first[p + 1] += looked->first[p];
	next = xmemdup(looked->first, (n + 1) * sizeof(*next));
	for (size_t i = stretch->first; i < stretch->first + stretch->count; i++)
		looked->work[next[looked->of_lane[trace->lane[i]]]++] = (uint32_t)i;
	free(next);
}

/* What a process did in a stretch: first what is needed to find its loops, then the loops. */
struct pays_task {
	const struct pays_looking *looking;
	const struct pays_looked *looked; /* the stretch */
	size_t process;                   /* its place there */
	struct pays_program program;      /* owned, as all that follows */
	struct pays_findings *findings;
	struct pays_lacks lacks;
};

/* Tasks of a few stretches. */
struct pays_tasks {
	struct pays_task *item;
	size_t n, room;
};

static void find_loops_of_process(void *user, size_t i)
{
	struct pays_task *task = &((struct pays_tasks *)user)->item[i];
	const struct pays_looking *looking = task->looking;
	const struct pays_looked *looked = task->looked;
	size_t first = looked->first[task->process];
	const struct pays_source source = {looking->model, &looking->host, looked->stretch, &looked->kernels,
		looked->work + first, looked->first[task->process + 1] - first};

	pays_program_make(&task->program, &source, looked->processes.id[task->process], &task->lacks);
	task->findings = pays_find_loops(&looking->phases, looking->model, &task->program);
}

static void pays_task_free(struct pays_task *task)
{
	pays_findings_free(task->findings);
	pays_program_free(&task->program);
}

/* A task for each process of a stretch that copies. */
static void add_tasks(struct pays_tasks *tasks, const struct pays_looking *looking, const struct pays_looked *looked)
{
	for (size_t p = 0; p < looked->processes.n; p++) {
		if (!looked->copies[p])
			continue;
		xgrow(&tasks->item, tasks->n, &tasks->room, sizeof(*tasks->item));
		tasks->item[tasks->n++] = (struct pays_task){.looking = looking, .looked = looked, .process = p};
	}
}

/* Takes what the tasks have found, in their order. */
static void take_tasks(struct pays_looking *looking, const struct pays_tasks *tasks, size_t workers)
{
	struct pays_findings **findings = xcalloc(tasks->n + 1, sizeof(struct pays_findings *));

	for (size_t t = 0; t < tasks->n; t++) {
		const struct pays_lacks *lacks = &tasks->item[t].lacks;

		findings[t] = tasks->item[t].findings;
		looking->lacks.no_calls |= lacks->no_calls;
		looking->lacks.joins += lacks->joins;
		looking->lacks.waits += lacks->waits;
	}
	pays_take_findings(&looking->phases, findings, tasks->n, workers);
	free(findings);
}

/* The most stretches that are looked at at once: each takes some megabytes. */
enum { STRETCHES_AT_ONCE = 4 };

struct pays_round {
	const struct pays_looking *looking;
	struct pays_looked looked[STRETCHES_AT_ONCE];
};

static void look_at_stretch(void *user, size_t s)
{
	struct pays_round *round = user;
	const struct trace *trace = &round->looking->model->trace;
	struct pays_looked *looked = &round->looked[s];

	find_processes_of_lanes(looked, trace);
	find_work_of_processes(looked, trace);
	pays_kernels_make(&looked->kernels, trace, looked->stretch);
}

static void pays_looked_free(struct pays_looked *looked)
{
	numbering_free(&looked->processes);
	free(looked->of_lane);
	free(looked->copies);
	free(looked->work);
	free(looked->first);
	pays_kernels_free(&looked->kernels);
}

static void look_at_stretches(
	struct pays_looking *looking, const struct pays_stretch *const *stretch, size_t n, size_t workers)
{
	struct pays_round round = {.looking = looking};
	struct pays_tasks tasks = {0};

	for (size_t s = 0; s < n; s++)
		round.looked[s].stretch = stretch[s];
	parallel_run(workers, n, look_at_stretch, &round);
	for (size_t s = 0; s < n; s++)
		add_tasks(&tasks, looking, &round.looked[s]);
	parallel_run(workers, tasks.n, find_loops_of_process, &tasks);
	take_tasks(looking, &tasks, workers);
	for (size_t t = 0; t < tasks.n; t++)
		pays_task_free(&tasks.item[t]);
	free(tasks.item);
	for (size_t s = 0; s < n; s++)
		pays_looked_free(&round.looked[s]);
}

/* In an order in which the first few stretches lie far apart. */
static void look_at_sample(struct pays_looking *looking)
{
	const struct pays_sample *sample = &looking->sample;
	size_t workers = trace_workers(&looking->model->trace, looking->model->trace.nwork);
	size_t most = workers < STRETCHES_AT_ONCE ? workers : STRETCHES_AT_ONCE, n;

	for (size_t s = 0; s < sample->n; s += n) {
		const struct pays_stretch *stretch[STRETCHES_AT_ONCE] = {NULL};

		for (n = 0; n < most && s + n < sample->n; n++)
			stretch[n] = &sample->stretch[(s + n) * STRIDE % sample->n];
		look_at_stretches(looking, stretch, n, workers);
	}
}

/* ---- the list ---- */

static int by_gain(const void *left, const void *right)
{
	const struct pays_phase *a = left, *b = right;

	if (a->gain[2] != b->gain[2])
		return a->gain[2] > b->gain[2] ? -1 : 1;
	if (a->device != b->device)
		return (a->device > b->device) - (a->device < b->device);
	return (a->number > b->number) - (a->number < b->number);
}

static double best_gain(const struct pays_phase *phase)
{
	double best = 0;

	for (int k = PAYS_BUFFERS_LEAST; k <= PAYS_BUFFERS_MOST; k++)
		best = fmax(best, phase->gain[k]);
	return best;
}

/* Whether a loop is listed. One that takes turns with streams has its buffers: that more of them would gain a little is
 * not worth an entry. */
static bool worth_it(const struct pays_phase *phase)
{
	double most = best_gain(phase), least = phase->turns ? more_buffers_least : pays_least;

	return phase->can_gain && most > 0 &&
	       (most >= least * phase->loop || phase->gain[2] >= pays_least * phase->loop);
}

static int by_length(const void *left, const void *right)
{
	const struct pays_phase *a = left, *b = right;

	if (a->loop != b->loop)
		return a->loop > b->loop ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void sort_phases(struct pays_phases *phases, int (*order)(const void *, const void *))
{
	if (phases->n > 1)
		qsort(phases->item, phases->n, sizeof(*phases->item), order);
}

/* "pays": the loops to gain at, the largest gain first. */
static json_t *pays_list(struct pays_looking *looking)
{
	struct pays_phases *phases = &looking->phases;
	json_t *list = json_array();

	sort_phases(phases, by_gain);
	for (size_t i = 0; i < phases->n; i++) {
		if (worth_it(&phases->item[i]))
			append_json(list, phase_entry(looking->model, &phases->item[i], looking->sample.scale, true));
	}
	return list;
}

/* From the first start of work to the last one (ns). */
static double span_of_starts(const struct trace *trace)
{
	return trace->nwork ? (double)trace->start[trace->nwork - 1] - (double)trace->start[0] : 0;
}

/* "other_loops": the longest first, without those that are hardly any of the time. */
static json_t *others_list(struct pays_looking *looking, size_t *left_out)
{
	struct pays_phases *phases = &looking->phases;
	double least = loop_told * span_of_starts(&looking->model->trace);
	json_t *list = json_array();

	*left_out = 0;
	sort_phases(phases, by_length);
	for (size_t i = 0; i < phases->n; i++) {
		if (worth_it(&phases->item[i]))
			continue;
		if (json_array_size(list) < OTHERS_MOST && phases->item[i].loop * looking->sample.scale >= least)
			append_json(list, phase_entry(looking->model, &phases->item[i], looking->sample.scale, false));
		else
			(*left_out)++;
	}
	return list;
}

static int look_at_all(struct pays_looking *looking)
{
	pays_sample_make(&looking->sample, &looking->model->trace);
	looking->phases.calls_most = CALLS_REPLAYED / looking->sample.n;
	if (pays_host_load(&looking->host, looking->model, &looking->sample) < 0)
		return -1;
	looking->phases.sampled = looking->sample.n > 1;
	look_at_sample(looking);
	for (size_t i = 0; i < looking->phases.n; i++)
		looking->phases.item[i].number = i;
	note_pays_lacks(looking->model, &looking->sample, &looking->host, &looking->phases, &looking->lacks);
	return 0;
}

static void put_lists(struct pays_looking *looking, json_t *program)
{
	size_t left_out;

	put_json(program, "pays", pays_list(looking));
	put_json(program, "loops", json_integer((json_int_t)looking->phases.loops));
	put_json(program, "other_loops", others_list(looking, &left_out));
	put_json(program, "other_loops_left_out", json_integer((json_int_t)left_out));
	put_json(program, "outside", outside_json(&looking->phases.outside, looking->sample.scale));
}

int pays_put(const struct model *model, json_t *program)
{
	struct pays_looking looking = {.model = model};
	int status;

	/* In a replay the GPU would be free where other threads used it. */
	if (part_lacks_work(&model->part)) {
		put_lists(&looking, program);
		return 0;
	}
	alloc_keep_freed(true);
	status = look_at_all(&looking);
	if (status == 0)
		put_lists(&looking, program);
	pays_phases_free(&looking.phases);
	pays_host_free(&looking.host);
	pays_sample_free(&looking.sample);
	alloc_keep_freed(false);
	return status;
}
