/* cause-when.c: when a rule may speak. A comparison with NaN is false: what was not measured explains nothing. */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/contrast/cause-rules.h"
#include "model/family/contrast/contrast.h"
#include "model/family/contrast/cost.h"
#include "model/family/measured.h"
#include "tree/counter-keys.h"

/* ---- results, copies, resources ---- */

bool when_single_wrong(const struct contrast *c)
{
	return c->single->withheld;
}

bool when_double_wrong(const struct contrast *c)
{
	return c->dbl->withheld;
}

static bool cause_when_is_pipeline(const struct measured *m)
{
	return m->work.n && m->overlap.busy_copy > 0 && m->overlap.busy[WORK_KERNEL] > 0;
}

bool when_pipelines(const struct contrast *c)
{
	return cause_when_is_pipeline(c->single) && cause_when_is_pipeline(c->dbl);
}

bool when_overlap_rose(const struct contrast *c)
{
	return when_pipelines(c) && c->dbl->overlap.overlap_ratio - c->single->overlap.overlap_ratio >= notable_share;
}

bool when_overlap_pays(const struct contrast *c)
{
	return when_overlap_rose(c) && c->verdict == VERDICT_FASTER &&
	       c->dbl->overlap.exposed_copy < c->single->overlap.exposed_copy;
}

bool when_duplex_rose(const struct contrast *c)
{
	const struct overlap *a = &c->single->overlap, *b = &c->dbl->overlap;

	return when_pipelines(c) && (double)(b->duplex - a->duplex) >= notable_share * (double)a->busy_copy;
}

bool when_idle_changed(const struct contrast *c)
{
	const struct overlap *a = &c->single->overlap, *b = &c->dbl->overlap;

	return when_pipelines(c) && fabs((double)(b->idle - a->idle)) >= notable_share * (double)a->span;
}

static bool kernel_is_short(const struct measured *m)
{
	return m->work.n && m->time.n && m->overlap.busy_copy == 0 &&
	       (double)m->overlap.busy[WORK_KERNEL] < short_kernel_share * m->time.median;
}

bool when_short_kernels(const struct contrast *c)
{
	return kernel_is_short(c->single) && kernel_is_short(c->dbl);
}

static bool kernels(const struct contrast *c)
{
	return c->single->has_resources && c->dbl->has_resources;
}

bool when_shared_changed(const struct contrast *c)
{
	return kernels(c) && c->single->kernel.shared_bytes != c->dbl->kernel.shared_bytes;
}

bool when_registers_changed(const struct contrast *c)
{
	return kernels(c) && c->single->kernel.registers != c->dbl->kernel.registers;
}

static bool occupancy_known(const struct contrast *c)
{
	return c->single->has_occupancy && c->dbl->has_occupancy;
}

static bool occupancy_changed(const struct contrast *c)
{
	return occupancy_known(c) && c->single->occupancy.warps != c->dbl->occupancy.warps;
}

bool when_shared_and_occupancy_changed(const struct contrast *c)
{
	return when_shared_changed(c) && occupancy_changed(c);
}

bool when_shared_changed_alone(const struct contrast *c)
{
	return when_shared_changed(c) && occupancy_known(c);
}

bool when_registers_and_occupancy_changed(const struct contrast *c)
{
	return when_registers_changed(c) && occupancy_changed(c);
}

bool when_registers_changed_alone(const struct contrast *c)
{
	return when_registers_changed(c) && occupancy_known(c);
}

bool when_same_resources(const struct contrast *c)
{
	return kernels(c) && !when_shared_changed(c) && !when_registers_changed(c);
}

bool when_timed(const struct contrast *c)
{
	return c->single->n && c->dbl->n;
}

bool when_always(const struct contrast *c)
{
	(void)c;
	return true;
}

/* ---- counters ---- */

static bool gain(const struct contrast *c)
{
	return c->verdict == VERDICT_FASTER;
}

static bool no_gain(const struct contrast *c)
{
	return c->verdict == VERDICT_SAME || c->verdict == VERDICT_SLOWER;
}

static bool buffering(const struct contrast *c)
{
	return c->dbl->buffers > c->single->buffers && c->single->buffers > 0;
}

static bool is_key(const char *key, const char *other)
{
	return key && strcmp(key, other) == 0;
}

static bool barrier_fell(const struct contrast *c)
{
	return counter_change(c, KEY_STALL_BARRIER) <= -notable_points;
}

bool when_fewer_barriers_pay(const struct contrast *c)
{
	return gain(c) && barrier_fell(c) && is_key(most_fallen(c), KEY_STALL_BARRIER) && c->dbl->barriers > 0 &&
	       c->dbl->barriers < c->single->barriers;
}

/* Whether another reason rose by as much as this one fell: the waiting moved then. */
static bool outweighed(const struct contrast *c, const char *fallen)
{
	const char *risen = most_risen(c);

	return risen && counter_change(c, risen) >= -counter_change(c, fallen);
}

bool when_fewer_waits_pay(const struct contrast *c)
{
	const char *fallen = most_fallen(c);

	return gain(c) && fallen && counter_change(c, fallen) <= -notable_points && !outweighed(c, fallen);
}

bool when_achieved_same(const struct contrast *c)
{
	return fabs(counter_change(c, KEY_OCCUPANCY)) < unchanged_points;
}

bool when_achieved_known(const struct contrast *c)
{
	return isfinite(counter_change(c, KEY_OCCUPANCY));
}

bool when_achieved_fell(const struct contrast *c)
{
	return counter_change(c, KEY_OCCUPANCY) <= -notable_points;
}

bool when_achieved_rose(const struct contrast *c)
{
	return counter_change(c, KEY_OCCUPANCY) >= notable_points;
}

bool when_occupancy_pays(const struct contrast *c)
{
	return gain(c) && when_achieved_rose(c);
}

bool when_instructions_changed(const struct contrast *c)
{
	return fabs(relative_change(c, KEY_INSTRUCTIONS)) >= notable_work_share;
}

bool when_instructions_pay(const struct contrast *c)
{
	return gain(c) && relative_change(c, KEY_INSTRUCTIONS) <= -notable_work_share;
}

bool when_traffic_pays(const struct contrast *c)
{
	return gain(c) && relative_change(c, KEY_DRAM_BYTES) <= -notable_share;
}

bool when_footprint_costs(const struct contrast *c)
{
	return c->verdict == VERDICT_SLOWER && c->control && c->footprint_verdict == VERDICT_SLOWER &&
	       footprint_loss(c) >= main_part_share;
}

/* The control has as few warps as double and is no slower than single: fewer warps are not what costs. */
static bool occupancy_is_innocent(const struct contrast *c)
{
	return c->control && c->control->has_occupancy && c->control->occupancy.warps == c->dbl->occupancy.warps &&
	       (c->footprint_verdict == VERDICT_SAME || c->footprint_verdict == VERDICT_FASTER);
}

bool when_occupancy_costs(const struct contrast *c)
{
	return no_gain(c) && when_achieved_fell(c) && c->dbl->has_occupancy && !occupancy_is_innocent(c);
}

bool when_waiting_moved(const struct contrast *c)
{
	const char *risen = most_risen(c);

	return no_gain(c) && barrier_fell(c) && risen && counter_change(c, risen) >= notable_points;
}

bool when_waits_cost(const struct contrast *c)
{
	const char *risen = most_risen(c);

	return c->verdict == VERDICT_SLOWER && risen && counter_change(c, risen) >= notable_points;
}

bool when_instructions_cost(const struct contrast *c)
{
	return no_gain(c) && relative_change(c, KEY_INSTRUCTIONS) >= notable_work_share;
}

bool when_bound(const struct contrast *c)
{
	const char *unit = busiest_unit(c);

	return c->verdict == VERDICT_SAME && unit && counter_value(c->single, unit) >= bottleneck_percent &&
	       counter_value(c->dbl, unit) >= bottleneck_percent;
}

bool when_same_waits(const struct contrast *c)
{
	const char *top = top_stall(c->dbl);

	return no_gain(c) && top && is_key(top_stall(c->single), top) &&
	       counter_value(c->single, top) >= dominant_percent && counter_value(c->dbl, top) >= dominant_percent &&
	       fabs(counter_change(c, top)) < notable_points;
}

bool when_load_not_hidden(const struct contrast *c)
{
	return buffering(c) && when_same_waits(c) && is_key(top_stall(c->dbl), KEY_STALL_LONG_SCOREBOARD);
}

bool when_little_to_hide(const struct contrast *c)
{
	double waits =
		counter_value(c->single, KEY_STALL_BARRIER) + counter_value(c->single, KEY_STALL_LONG_SCOREBOARD);

	return no_gain(c) && buffering(c) && waits < little_wait_percent && top_stall(c->dbl);
}

bool when_barrier_was_cheap(const struct contrast *c)
{
	return no_gain(c) && buffering(c) && counter_value(c->single, KEY_STALL_BARRIER) < notable_points &&
	       top_stall(c->dbl);
}
