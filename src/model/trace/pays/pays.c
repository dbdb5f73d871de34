/* pays.c: finds the ranges in which double buffering would pay. */
#include "model/trace/pays/pays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/recording.h"
#include "model/trace/pays/parts.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/machine/parallel.h"

/* Ranges below this share of the span are not worth a change. */
static const double least_gain = 0.01;

/* Inner ranges stand for the outer one if together they have this share of its gain, and if they are few: a loop with
 * numbered steps is one place. */
static const double as_much = 0.9;
enum { MOST_INSIDE = 10 };

double clipped_gain(double gain, double most)
{
	return gain > most ? fmax(most, 0) : fmax(gain, 0);
}

static int by_index(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

void pick_items(struct looking *looking, size_t i)
{
	const struct pays_node *node = &looking->tree.node[i];

	looking->n = node->count;
	memcpy(looking->pick, looking->tree.order + node->first, node->count * sizeof(*looking->pick));
	if (looking->n > 1)
		qsort(looking->pick, looking->n, sizeof(*looking->pick), by_index);
}

/* Time of these copies, united, in which no kernel ran on the GPU. */
int64_t lost_time(const struct looking *looking, const uint32_t *pick, size_t n)
{
	const struct pays_lane *lane = &looking->work->lane;
	size_t copies = 0;

	for (size_t i = 0; i < n; i++) {
		const struct pays_item *item = &lane->item[pick[i]];

		if (is_copy_item(item))
			looking->intervals[copies++] = (struct interval){item->start, item->end};
	}
	copies = intervals_union(looking->intervals, copies);
	return intervals_length(looking->intervals, copies) -
	       intervals_overlap(looking->intervals, copies, lane->kernels, lane->nkernels);
}

static void pays_measure(struct looking *looking, struct estimate *estimate)
{
	const struct pays_lane *lane = &looking->work->lane;
	struct overlap_sweep sweep = {0};
	struct overlap overlap;
	uint32_t *order = pays_order(lane, looking->pick, looking->n, false);

	for (size_t k = 0; k < looking->n; k++) {
		const struct pays_item *item = &lane->item[looking->pick[order ? order[k] : k]];

		overlap_add(&sweep, &(struct device_work){item->start, item->end, (enum work_class)item->cls});
	}
	free(order);
	overlap_end(&sweep, &overlap);
	estimate->span = overlap.span;
	estimate->floor = overlap.floor;
	estimate->lost = lost_time(looking, looking->pick, looking->n);
}

/* The most that can be gained: no more than the copies' time without kernels, and never below the floor. */
static double bound_of(const struct estimate *estimate)
{
	return (double)(estimate->lost < estimate->span - estimate->floor ? estimate->lost
									  : estimate->span - estimate->floor);
}

static bool worth_it(double gain, int64_t span)
{
	return gain > 0 && gain >= least_gain * (double)span;
}

/* The gain is the difference of two replays, so that what the replay does not know of cancels out. The first counts no
 * longer than the recording: an estimate never promises more time than there is. */
static double gain_at(struct pays_replay *replay, const struct estimate *estimate, double before, double rate)
{
	double after = pays_replay_run(replay, NULL, false, rate);

	return clipped_gain(fmin(before, (double)estimate->span) - after, bound_of(estimate));
}

static void replay_range(struct looking *looking, struct estimate *estimate)
{
	struct pays_replay *replay = pays_replay_new(&looking->work->lane, looking->pick, looking->n);
	double before = pays_replay_run(replay, looking->work->free_as_is, true, looking->rate);
	estimate->rounds = pays_replay_rounds(replay);
	estimate->gain = gain_at(replay, estimate, before, looking->rate);
	estimate->gain_high = fmax(gain_at(replay, estimate, before, 1), estimate->gain);
	pays_replay_free(replay);
}

/* The estimate of a range inside that has the same work, or NULL: the outer one adds nothing. */
static const struct estimate *same_inside(const struct looking *looking, size_t node)
{
	const struct pays_node *nodes = looking->tree.node;
	int last = nodes[node].last;

	for (int i = (int)node + 1; i <= last; i = nodes[i].last + 1) {
		if (nodes[i].count == nodes[node].count)
			return &looking->estimate[i];
	}
	return NULL;
}

/* Whether some copy is held up by something that can be removed. */
static bool has_obstacle(const struct looking *looking)
{
	for (size_t i = 0; i < looking->n; i++) {
		if (looking->work->reasons[looking->pick[i]] & ~PAYS_HOPELESS)
			return true;
	}
	return false;
}

static void estimate_node(struct looking *looking, size_t i)
{
	struct estimate *estimate = &looking->estimate[i];
	const struct estimate *same = same_inside(looking, i);

	if (same) {
		estimate->gain = same->gain;
		return;
	}
	pick_items(looking, i);
	pays_measure(looking, estimate);
	if (worth_it(bound_of(estimate), estimate->span) && has_obstacle(looking))
		replay_range(looking, estimate);
}

/* From the innermost ranges outwards. */
static void estimate_all(struct looking *looking)
{
	for (size_t i = looking->tree.n; i-- > 0;) {
		struct estimate *estimate = &looking->estimate[i];
		int parent = looking->tree.node[i].parent;

		if (looking->tree.node[i].count)
			estimate_node(looking, i);
		estimate->chosen = estimate->gain > 0 &&
				   (estimate->inside < as_much * estimate->gain || estimate->ninside > MOST_INSIDE);
		if (parent >= 0) {
			looking->estimate[parent].inside += estimate->chosen ? estimate->gain : estimate->inside;
			looking->estimate[parent].ninside += estimate->chosen ? 1 : estimate->ninside;
		}
	}
}

/* ---- lanes ---- */

static void looking_room(struct looking *looking)
{
	const struct pays_lane *lane = &looking->work->lane;
	size_t copies = 0;

	for (size_t i = 0; i < lane->n; i++)
		copies += is_copy_item(&lane->item[i]);
	looking->estimate = xcalloc(looking->tree.n, sizeof(*looking->estimate));
	looking->some = xcalloc(lane->n + 1, sizeof(bool));
	looking->pick = xcalloc(lane->n + 1, sizeof(*looking->pick));
	looking->intervals = xcalloc(copies + 1, sizeof(*looking->intervals));
}

static void looking_free(struct looking *looking)
{
	pays_tree_free(&looking->tree);
	free(looking->estimate);
	free(looking->some);
	free(looking->pick);
	free(looking->intervals);
}

/* Adds entries of the chosen ranges that are worth it; of nested ones, the outermost. */
static void add_ranges(struct looking *looking, json_t *list)
{

	for (size_t i = 0; i < looking->tree.n; i++) {
		const struct estimate *estimate = &looking->estimate[i];

		if (!estimate->chosen)
			continue;
		if (worth_it(estimate->gain, estimate->span))
			append_json(list, range_entry(looking, i));
		i = (size_t)looking->tree.node[i].last;
	}
}

static void look_at(const struct model *model, const struct pays_work *work, json_t *list)
{
	struct looking looking = {
		.model = model, .work = work, .rate = isnan(work->duplex_rate) ? PAYS_DUPLEX_RATE : work->duplex_rate};

	pays_tree_make(&looking.tree, model, work);
	looking_room(&looking);
	estimate_all(&looking);
	add_ranges(&looking, list);
	looking_free(&looking);
}

/* An entry, and its place before sorting, which decides between equal gains. */
struct sorted_entry {
	json_t *entry;
	double gain;
	size_t place;
};

static int by_gain(const void *left, const void *right)
{
	const struct sorted_entry *a = left, *b = right;

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static json_t *ranked(json_t *list)
{
	size_t n = json_array_size(list);
	struct sorted_entry *entries = xcalloc(n + 1, sizeof(*entries));
	json_t *out = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *entry = json_array_get(list, i);

		entries[i] = (struct sorted_entry){entry, json_number_value(json_object_get(entry, "gain_ns")), i};
	}
	if (n > 1)
		qsort(entries, n, sizeof(*entries), by_gain);
	for (size_t i = 0; i < n; i++)
		append_json(out, json_incref(entries[i].entry));
	free(entries);
	json_decref(list);
	return out;
}

/* Notes where only windows were looked at. */
static void note_sample(const struct model *model, const struct pays_sample *sample)
{
	size_t count = 0, taken = 0;

	for (size_t p = 0; p < sample->n; p++) {
		count += sample->pair[p].count;
		taken += sample->pair[p].taken;
	}
	if (taken < count)
		model_note_facts(model, json_pack("{s:s, s:I, s:I}", "id", "estimates-of-a-part", "looked_at",
						(json_int_t)taken, "pieces", (json_int_t)count));
}

/* All pairs, of which each gets a list of its own. */
struct looking_at_pairs {
	const struct model *model;
	const struct pays_calls *calls;
	const struct pays_sample *sample;
	json_t **list;
};

static void look_at_pair(void *user, size_t p)
{
	const struct looking_at_pairs *pairs = user;
	struct pays_work work;

	pays_work_make(&work, pairs->model, pairs->calls, pairs->sample, &pairs->sample->pair[p]);
	pairs->list[p] = json_array();
	look_at(pairs->model, &work, pairs->list[p]);
	pays_work_free(&work);
}

/* The entries of all pairs, in their order. */
static json_t *look_at_pairs(
	const struct model *model, const struct pays_calls *calls, const struct pays_sample *sample)
{
	struct looking_at_pairs pairs = {model, calls, sample, xcalloc(sample->n + 1, sizeof(json_t *))};
	json_t *all = json_array();

	parallel_run(trace_workers(&model->trace, model->trace.nwork), sample->n, look_at_pair, &pairs);
	for (size_t p = 0; p < sample->n; p++) {
		json_array_extend(all, pairs.list[p]);
		json_decref(pairs.list[p]);
	}
	free(pairs.list);
	return all;
}

json_t *pays_json(const struct model *model)
{
	struct pays_calls calls;
	struct pays_sample sample;
	json_t *list;

	if (pays_calls_load(&calls, model) < 0) {
		pays_calls_free(&calls);
		return NULL;
	}
	pays_sample_make(&sample, &model->trace);
	note_sample(model, &sample);
	list = look_at_pairs(model, &calls, &sample);
	pays_sample_free(&sample);
	pays_calls_free(&calls);
	return ranked(list);
}
