/* pays.c: finds the loops in which double buffering would pay. */
#include "model/trace/pays/pays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/recording.h"
#include "model/trace/pays/lacks.h"
#include "model/trace/pays/parts.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* The most loops without a gain that are told. */
enum { OTHERS_MOST = 16 };
/* Of loops with more calls the rounds in the middle are replayed, so that all stretches of a sample have so many. */
enum { CALLS_REPLAYED = 1 << 14, STRIDE = 5 };

/* All that is looked at. */
struct pays_looking {
	const struct model *model;
	struct pays_calls calls;
	struct pays_host host;
	struct pays_sample sample;
	struct pays_phases phases;
	struct pays_lacks lacks;
};

/* ---- a process in a stretch ---- */

/* Pieces of one process on one GPU, in the order of lanes. */
struct lane_pieces {
	uint32_t first_lane;
	uint32_t *item;
	size_t n, room;
	bool copies;
};

static bool same_lane(const struct trace *trace, size_t a, size_t b, bool device)
{
	return trace->lanes[a].process == trace->lanes[b].process &&
	       (!device || trace->lanes[a].device == trace->lanes[b].device);
}

/* The pieces of each process and GPU, into one list by lane. */
static struct lane_pieces *split_stretch(const struct trace *trace, const struct pays_stretch *stretch, size_t *count)
{
	struct lane_pieces *lists = xcalloc(trace->nlanes + 1, sizeof(*lists));
	uint32_t *list_of_lane = xcalloc(trace->nlanes + 1, sizeof(*list_of_lane));
	size_t n = 0;

	for (size_t l = 0; l < trace->nlanes; l++) {
		size_t list = 0;

		while (list < n && !same_lane(trace, lists[list].first_lane, l, true))
			list++;
		if (list == n)
			lists[n++].first_lane = (uint32_t)l;
		list_of_lane[l] = (uint32_t)list;
	}
	for (size_t i = stretch->first; i < stretch->first + stretch->count; i++) {
		struct lane_pieces *list = &lists[list_of_lane[trace->lane[i]]];
		uint8_t cls = work_lane(trace, i)->cls;

		xgrow(&list->item, list->n, &list->room, sizeof(*list->item));
		list->item[list->n++] = (uint32_t)i;
		list->copies |= cls == WORK_H2D || cls == WORK_D2H;
	}
	free(list_of_lane);
	*count = n;
	return lists;
}

/* The rate of copies in both directions at once, from a lane that has enough of them. */
static void take_rate(struct pays_program *program, const struct pays_work *works, size_t n)
{
	program->program.rate = PAYS_DUPLEX_RATE;
	for (size_t w = 0; w < n; w++) {
		if (!isnan(works[w].duplex_rate)) {
			program->program.rate = works[w].duplex_rate;
			program->rate_measured = true;
			return;
		}
	}
}

static void look_at_process(struct pays_looking *looking, const struct pays_stretch *stretch,
	const struct lane_pieces *lists, size_t nlists, size_t first)
{
	const struct trace *trace = &looking->model->trace;
	struct pays_work *works = xcalloc(nlists + 1, sizeof(*works));
	struct pays_program program;
	bool copies = false;
	size_t n = 0;

	for (size_t l = first; l < nlists; l++) {
		if (!same_lane(trace, lists[l].first_lane, lists[first].first_lane, false) || lists[l].n == 0)
			continue;
		copies |= lists[l].copies;
		pays_work_make(&works[n++], looking->model, &looking->calls, stretch, lists[l].item, lists[l].n);
	}
	if (copies) {
		pays_program_make(&program, looking->model, &looking->host, stretch,
			trace->lanes[lists[first].first_lane].process, &looking->lacks);
		take_rate(&program, works, n);
		pays_find_phases(&looking->phases, looking->model, &program, works, n);
		pays_program_free(&program);
	}
	for (size_t w = 0; w < n; w++)
		pays_work_free(&works[w]);
	free(works);
}

static void look_at_stretch(struct pays_looking *looking, const struct pays_stretch *stretch)
{
	const struct trace *trace = &looking->model->trace;
	size_t n;
	struct lane_pieces *lists = split_stretch(trace, stretch, &n);

	for (size_t l = 0; l < n; l++) {
		bool first = true;

		for (size_t k = 0; k < l && first; k++)
			first = !same_lane(trace, lists[k].first_lane, lists[l].first_lane, false);
		if (first)
			look_at_process(looking, stretch, lists, n, l);
	}
	for (size_t l = 0; l < n; l++)
		free(lists[l].item);
	free(lists);
}

/* ---- the list ---- */

static int by_gain(const void *left, const void *right)
{
	const struct pays_phase *a = left, *b = right;

	if (a->gain[2] != b->gain[2])
		return a->gain[2] > b->gain[2] ? -1 : 1;
	if (a->device != b->device)
		return (a->device > b->device) - (a->device < b->device);
	return (a->signature > b->signature) - (a->signature < b->signature);
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
	double gain = phase->turns ? phase->gain[2] : best_gain(phase);

	return phase->can_gain && gain > 0 && gain >= pays_least * phase->loop;
}

static int by_length(const void *left, const void *right)
{
	const struct pays_phase *a = left, *b = right;

	if (a->loop != b->loop)
		return a->loop > b->loop ? -1 : 1;
	return (a->signature > b->signature) - (a->signature < b->signature);
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
	if (pays_calls_load(&looking->calls, looking->model) < 0 ||
		pays_host_load(&looking->host, looking->model, &looking->sample) < 0)
		return -1;
	looking->phases.sampled = looking->sample.n > 1;
	/* In an order in which the first few stretches lie far apart. */
	for (size_t s = 0; s < looking->sample.n; s++)
		look_at_stretch(looking, &looking->sample.stretch[s * STRIDE % looking->sample.n]);
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
	int status = look_at_all(&looking);

	if (status == 0)
		put_lists(&looking, program);
	pays_phases_free(&looking.phases);
	pays_host_free(&looking.host);
	pays_calls_free(&looking.calls);
	pays_sample_free(&looking.sample);
	return status;
}
