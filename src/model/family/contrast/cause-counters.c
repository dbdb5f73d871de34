/* cause-counters.c: what counters gave of both sides: warp states, what sets the pace, what moved most. */
#include "model/family/contrast/cause-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/device.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "util/alloc.h"

/* ---- as the analysis takes them ---- */

bool is_state_key(const char *key)
{
	return strncmp(key, STALL_PREFIX, strlen(STALL_PREFIX)) == 0;
}

enum warp_state state_of_key(const char *key)
{
	return warp_state_of(key + strlen(STALL_PREFIX));
}

static void read_states(const struct measured *m, double share[WARP_STATES])
{
	json_t *values = json_object_get(m->counters, "values"), *value;
	const char *key;

	for (int s = 0; s < WARP_STATES; s++)
		share[s] = NAN;
	json_object_foreach(values, key, value)
	{
		double *sum;

		if (!is_state_key(key) || !json_is_number(value))
			continue;
		sum = &share[state_of_key(key)];
		*sum = (isfinite(*sum) ? *sum : 0) + json_number_value(value) / 100;
	}
}

/* 0 if the recording does not tell the grid. */
static double grid_blocks(const struct measured *m)
{
	double blocks = 1;

	for (int i = 0; m->has_resources && i < 3; i++)
		blocks *= row_real(&m->resource, 0, RESOURCE_gridX + i);
	return m->has_resources && blocks > 0 ? blocks : 0;
}

/* SMs that get a block. */
static double busy_sms(const struct rows *device, const struct measured *m)
{
	double sms = device->count ? row_real(device, 0, GPU_smCount) : NAN, blocks = grid_blocks(m);

	return blocks > 0 ? fmin(sms, blocks) : sms;
}

/* The clock is the pair's: what two clocks make of the times is no matter of counters. */
static double pair_mhz(const struct contrast *c)
{
	return (c->timed[0].mhz + c->timed[1].mhz) / 2;
}

/* Half of what lies between the least and the most of a control metric, over its median; 0 if unknown. */
static double half_spread(const struct rows *run, int low, int median, int high)
{
	double half = (row_real(run, 0, high) - row_real(run, 0, low)) / 2 / row_real(run, 0, median);

	return half > 0 && isfinite(half) ? half : 0;
}

/* Each pass of a contrast of programs counts launches of its own, and those need not be alike. */
static double launches_apart(const struct contrast *c, const struct measured *m)
{
	const char *const key[] = {m->family, m->variant, m->label};
	struct rows run = rows_find(&c->model->table[TABLE_COUNTERRUN], 3, key);

	if (run.count == 0)
		return 0;
	return fmax(half_spread(&run, COUNTERRUN_instructionsLow, COUNTERRUN_instructionsMedian,
			    COUNTERRUN_instructionsHigh),
		half_spread(&run, COUNTERRUN_cyclesLow, COUNTERRUN_cyclesMedian, COUNTERRUN_cyclesHigh));
}

void read_counters(const struct contrast *c, int side, struct counted *out)
{
	const struct measured *m = side ? c->dbl : c->single;
	struct rows device = device_row(c->model);
	struct counters_read read = {
		.selected = counter_value(m, KEY_STALL_SELECTED) / 100,
		.issued = counter_value(m, KEY_ISSUED),
		.executed = counter_value(m, KEY_INSTRUCTIONS),
		.occupancy = counter_value(m, KEY_OCCUPANCY) / 100,
		.per_cycle = counter_value(m, KEY_IPC),
		.warps_per_sm = device.count ? row_real(&device, 0, GPU_maxWarpsPerSm) : NAN,
		.sms = busy_sms(&device, m),
		.mhz = pair_mhz(c),
	};

	*out = (struct counted){
		.waves = NAN, .resident = NAN, .launches = c->timed[side].launches, .apart = launches_apart(c, m)};
	read_states(m, read.share);
	counted_of(&read, out);
	out->active_ns *= out->launches;
	if (!m->has_resources)
		return;
	out->local_bytes = row_int(&m->resource, 0, RESOURCE_localBytes);
	if (m->has_occupancy && m->occupancy.blocks > 0 && device.count && grid_blocks(m) > 0) {
		out->resident = m->occupancy.warps;
		out->warps = grid_blocks(m) * m->occupancy.warps / m->occupancy.blocks;
		out->waves = grid_blocks(m) / (row_real(&device, 0, GPU_smCount) * m->occupancy.blocks);
	}
}

/* ---- what sets the pace ---- */

static double lesser(const struct contrast *c, const char *key)
{
	double a = counter_value(c->single, key), b = counter_value(c->dbl, key);

	return isfinite(a) && isfinite(b) ? fmin(a, b) : NAN;
}

/* The unit that is nearest to its peak on both sides, if it is the bottleneck there; NULL if none is. */
static const char *bottleneck_key(const struct contrast *c)
{
	static const char *const units[] = {KEY_THROUGHPUT "dram", KEY_THROUGHPUT "l2", KEY_THROUGHPUT "l1"};
	const char *found = NULL;
	double most = bottleneck_percent;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (lesser(c, units[i]) >= most) {
			most = lesser(c, units[i]);
			found = units[i];
		}
	}
	return found;
}

/* The state that takes most of the warps' time on both sides, if it dominates there; -1 if none does. */
static int dominant_state(const struct contrast *c)
{
	const struct counted *a = &c->sides[0].counted, *b = &c->sides[1].counted;
	double most = dominant_percent / 100;
	int found = -1;

	for (int s = 0; a->known && b->known && s < WARP_STATES; s++) {
		double share = fmin(a->share[s], b->share[s]);

		if (share >= most) {
			most = share;
			found = s;
		}
	}
	return found;
}

static json_t *state_pace(const struct contrast *c, int state)
{
	json_t *pace = json_object();

	put_json(pace, "id", json_string(warp_state_name((enum warp_state)state)));
	put_json(pace, "metric", json_null());
	put_json(pace, "single", real_json(100 * c->sides[0].counted.share[state]));
	put_json(pace, "double", real_json(100 * c->sides[1].counted.share[state]));
	return pace;
}

json_t *pace_json(const struct contrast *c)
{
	int state = c->kernel_bound ? dominant_state(c) : -1;
	const char *unit = c->kernel_bound ? bottleneck_key(c) : NULL;
	json_t *pace;

	/* A queue is what its unit's throughput comes from: it says more. */
	if (state == STATE_QUEUE || (state >= 0 && !unit))
		return state_pace(c, state);
	if (!unit)
		return json_null();
	pace = json_object();
	put_json(pace, "id", json_string("bandwidth-bound"));
	put_json(pace, "metric", json_string(unit));
	put_json(pace, "single", real_json(counter_value(c->single, unit)));
	put_json(pace, "double", real_json(counter_value(c->dbl, unit)));
	return pace;
}

/* ---- what moved most ---- */

struct mover {
	const char *key; /* owned by the counters */
	double score;
};

/* Counters that say again what another one says, and the profiler's own time, are no movers. */
static bool says_it_again(const char *key)
{
	static const char *const again[] = {KEY_ISSUED, "duration", "barrier_share", "barrier_per_issue",
		"smem_load_conflicts", "smem_store_conflicts"};

	for (size_t i = 0; i < sizeof(again) / sizeof(again[0]); i++) {
		if (strcmp(key, again[i]) == 0)
			return true;
	}
	return strncmp(key, "issue_", strlen("issue_")) == 0;
}

/* From where on a counter of this unit counts wholly as a mover: 0 where every size tells. */
static double full_weight_of(const char *unit)
{
	return *unit == '%' ? full_mover_percent : strcmp(unit, "bytes") == 0 ? full_mover_bytes : 0;
}

/* The change over the larger of both. What is in percent or bytes counts less the smaller both are: a reason that
 * doubles from 0.1 % moved nothing, and neither did 256 bytes. */
static double score_of(const struct contrast *c, const char *key)
{
	double a = counter_value(c->single, key), b = counter_value(c->dbl, key), most = fmax(fabs(a), fabs(b));
	double full_weight = full_weight_of(counter_text(c, key, METRIC_unit));

	if (!(most > 0) || isinf(most) || says_it_again(key))
		return 0;
	return fabs(a - b) / most * (full_weight > 0 ? fmin(1, most / full_weight) : 1);
}

static int by_score(const void *left, const void *right)
{
	const struct mover *a = left, *b = right;

	if (a->score != b->score)
		return a->score < b->score ? 1 : -1;
	return strcmp(a->key, b->key);
}

json_t *moved_counters(const struct contrast *c)
{
	json_t *values = json_object_get(c->single->counters, "values"), *value, *list = json_array();
	struct mover *movers = xcalloc(json_object_size(values) + 1, sizeof(*movers));
	const char *key;
	size_t n = 0;

	json_object_foreach(values, key, value)
	{
		double score = score_of(c, key);

		if (score > 0)
			movers[n++] = (struct mover){key, score};
	}
	qsort(movers, n, sizeof(*movers), by_score);
	for (size_t i = 0; i < n && i < MOVED; i++)
		append_json(list, counter_evidence(c, movers[i].key));
	free(movers);
	return list;
}
