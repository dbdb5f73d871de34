/*
 * predict.c: the whole model behind a prediction. The variant's source says how much there is to do (analyze/shape.h),
 * the machine what it costs (analyze/machine.h); nothing here knows a family. docs/prediction.md explains it.
 *
 * A kernel: the blocks that share an SM are customers of a closed queueing network. A block waits for things that do
 * not depend on other blocks: latencies of loads, barriers, chains of instructions. And it asks two stations for
 * service, which serve one block at a time: the SM's busiest unit, and its path to the L2 cache. Mean value analysis
 * gives the time that a block takes. With one block everything adds up; with many the busiest station sets the pace;
 * between the two, one block works while another one waits, but blocks also queue.
 *
 * A pipeline: a chunk goes through three engines (copies in, kernels, copies out). With one buffer they work one after
 * another. With several, the slowest engine sets the pace, or the buffers do when there are too few of them.
 */
#include "analyze/predict.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { THREADS_PER_WARP = 32 };

/* Time for `count` units of work at `rate` a second or cycle. Without the rate it is unknown (NaN), unless there is
 * nothing to do. */
static double at_rate(double count, double rate)
{
	if (count <= 0)
		return 0;
	return rate > 0 ? count / rate : NAN;
}

static double times(double count, double each)
{
	return count > 0 ? count * each : 0;
}

/* The larger one, or NaN if either is: what is unknown makes the whole unknown. fmax() would return the number. */
static double larger(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

/* A thing that a launch spends time on. */
struct part {
	const char *name;
	double time;
};

static struct part predict_largest(const struct part *parts, int n)
{
	struct part most = parts[0];

	for (int i = 1; i < n; i++)
		if (!isnan(most.time) && !(parts[i].time <= most.time))
			most = parts[i];
	return most;
}

/* ---- kernels: one block, in cycles ---- */

static double warps_of(const struct predicted_variant *v)
{
	return ceil(v->threads / THREADS_PER_WARP);
}

/* Time for a warp's copies from global to shared memory. */
static double copy_slots(const struct machine *m, const struct step_shape *s)
{
	return times(s->copies, m->copy_slots) + times(s->copies * (s->copy_lines - 1), m->line_slots);
}

/* Cycles that a warp takes in the queue to shared memory for other things than words: a barrier takes one turn there;
 * loads of 16 bytes and copies from global memory take several. */
static double queue_slots(const struct machine *m, const struct step_shape *s)
{
	return times(s->shared_wide, m->wide_slots) + copy_slots(m, s) + times(s->barriers, m->barrier_slots);
}

/* The busiest unit in a step; *through is the time that one warp needs for the others. The warps of a block go through
 * the units one behind the other, as through an assembly line. The busiest unit is busy all the time. The others only
 * show before the first warp reaches it and after the last warp leaves it. */
static struct part predict_busiest_unit(const struct machine *m, const struct predicted_variant *v, double *through)
{
	const struct step_shape *s = &v->shape.step;
	const double warps = warps_of(v), threads = warps * THREADS_PER_WARP;
	const double instructions =
		s->shared_loads + s->shared_stores + s->shared_wide + s->copies + s->fmas + s->other + s->barriers;
	const struct part units[] = {
		{"issue", at_rate(warps * instructions, m->issue)},
		{"shared memory", at_rate(threads * (s->shared_loads + s->shared_stores), m->shared_words) +
					  times(warps, queue_slots(m, s))},
		{"arithmetic", at_rate(threads * s->fmas, m->fma_lanes)},
	};
	const struct part most = predict_largest(units, 3);

	*through = (units[0].time + units[1].time + units[2].time - most.time) / warps;
	return most;
}

/* Barriers of a step: from the last warp's arrival until all go on. The more warps a barrier collects, the longer it
 * takes. A part of that is turns in the busiest unit's queue, which is not counted twice. */
static double barrier_wait(const struct machine *m, const struct predicted_variant *v)
{
	const double collect = m->barrier_per_warp - m->barrier_slots;

	return times(v->shape.step.barriers, m->barrier_alone + (warps_of(v) - 1) * larger(collect, 0));
}

/* Time for the instructions before the loads of a step that wait for one another. None is faster than an FMA. */
static double address_wait(const struct machine *m, const struct step_shape *s)
{
	return times(s->other_chain, m->fma_latency);
}

/* Time for the instructions of a step that wait for one another. */
static double chain_wait(const struct machine *m, const struct step_shape *s)
{
	return times(s->shared_chain, m->shared_latency) + times(s->fma_chain, m->fma_latency) + address_wait(m, s);
}

static double loaded_bytes(const struct predicted_variant *v)
{
	const struct step_shape *s = &v->shape.step;

	return v->blocks * (s->steps * s->load_bytes + s->once_bytes);
}

static double distinct_bytes(const struct predicted_variant *v)
{
	const double all = loaded_bytes(v), distinct = v->shape.step.distinct_bytes;

	return distinct > 0 && distinct < all ? distinct : all;
}

/* Time that the launch's bytes take where all SMs share the way: in device memory, and in the L2 cache. */
static struct part device_memory(const struct machine *m, const struct predicted_variant *v)
{
	return (struct part){"memory", at_rate(distinct_bytes(v), m->dram_bytes_s)};
}

static struct part l2_cache(const struct machine *m, const struct predicted_variant *v)
{
	return (struct part){"L2", at_rate(loaded_bytes(v), m->l2_bytes_s)};
}

/* Mean latency of a load: the first load of a byte goes to device memory, the L2 cache answers the others. */
static double load_latency(const struct machine *m, const struct predicted_variant *v)
{
	const double bytes = loaded_bytes(v);

	if (bytes <= 0)
		return 0;
	return m->clock_hz * (m->l2_latency_s + distinct_bytes(v) / bytes * (m->dram_latency_s - m->l2_latency_s));
}

/* What a block does from its start to its end. */
struct life {
	struct part unit;       /* time that it needs of the SM's busiest unit */
	double path;            /* time that it needs of the SM's path to the L2 cache, while nothing is computed */
	double step_path;       /* the same, of one step's loads */
	double latency;         /* of a load */
	double around;          /* from a step's loads to the next step's loads, without their latency */
	double copying;         /* time that one step's asynchronous copies need of the SM's unit for shared memory */
	double loads;           /* waited for: how often */
	double barriers, chain; /* waited for: how long */
	double ahead; /* steps that a load may take before the block waits for it; 0: the block always waits */
	double steps;
};

/* Whether loads are under way while the block computes. */
static bool loads_ahead(const struct step_shape *s)
{
	return s->load_bytes > 0 && s->ahead > 0 && !s->arrives_first;
}

static void life_of(const struct machine *m, const struct predicted_variant *v, struct life *out)
{
	const struct step_shape *s = &v->shape.step;
	const bool hidden = loads_ahead(s);
	const double each =
		hidden ? fmin(s->steps, 1) : s->steps; /* loads are hidden: the block waits for the first one only */
	const double path_rate = m->l2_bytes_s / m->sms / m->clock_hz;
	double through;

	*out = (struct life){
		.unit = predict_busiest_unit(m, v, &through), .steps = s->steps, .ahead = hidden ? s->ahead : 0};
	out->unit.time *= s->steps;
	out->step_path = at_rate(s->load_bytes, path_rate);
	out->path = each * out->step_path + at_rate(s->once_bytes, path_rate);
	out->latency = load_latency(m, v);
	out->loads = s->load_bytes > 0 ? each : s->once_bytes > 0;
	out->around = barrier_wait(m, v) + address_wait(m, s);
	out->copying = warps_of(v) * copy_slots(m, s);
	out->barriers = s->steps * barrier_wait(m, v);
	out->chain = s->steps * (chain_wait(m, s) + through);
}

/* ---- kernels: the blocks of an SM ---- */

/* Mean value analysis (Reiser and Lavenberg, 1980): the time that each of `blocks` blocks takes, if each waits for
 * `wait` and asks two stations for service. A block that comes to a station finds as many others there as are there on
 * average in a network without it. */
static double life_time(double wait, double unit, double path, int blocks)
{
	double at_unit = 0, at_path = 0, time = 0;

	for (int n = 1; n <= blocks; n++) {
		const double in_unit = unit * (1 + at_unit), in_path = path * (1 + at_path);

		time = wait + in_unit + in_path;
		at_unit = time > 0 ? n * in_unit / time : 0;
		at_path = time > 0 ? n * in_path / time : 0;
	}
	return time;
}

/* What a block spends most of its time on. */
static const char *life_bound(const struct life *l, int blocks)
{
	const struct part parts[] = {
		{l->unit.name, blocks * l->unit.time},
		{"L2", blocks * l->path},
		{"load latency", l->loads * l->latency},
		{"barriers", l->barriers},
		{"latency", l->chain},
	};

	return predict_largest(parts, 5).name;
}

/* The time of `blocks` blocks that start together on an SM, until they end. A block does not wait for loads that it
 * issues ahead. But no more than `ahead` of them can be under way at a time, since each is issued after the barrier
 * that ends an earlier wait. */
static struct part together(const struct life *l, int blocks)
{
	const double wait = l->loads * l->latency + l->barriers + l->chain;
	const struct part lives = {life_bound(l, blocks), life_time(wait, l->unit.time, l->path, blocks)};
	struct part parts[] = {lives, {"load latency", 0}, {"L2", 0}};

	if (l->ahead > 0) {
		parts[1].time =
			l->steps * life_time(l->latency + l->around, l->copying, l->step_path, blocks) / l->ahead;
		parts[2].time = l->steps * l->step_path * blocks;
	}
	return predict_largest(parts, 3);
}

static double blocks_of_sm(const struct machine *m, const struct predicted_variant *v)
{
	return ceil(v->blocks / m->sms);
}

/* The time of the SM with most blocks. It runs as many at a time as fit, and the rest at the end. */
static struct part busiest_sm(const struct machine *m, const struct predicted_variant *v)
{
	const double blocks = blocks_of_sm(m, v);
	const int at_once = (int)fmin(v->resident, blocks);
	const double rounds = floor(blocks / at_once);
	const int rest = (int)(blocks - rounds * at_once);
	struct part round;
	struct life l;
	double cycles;

	life_of(m, v, &l);
	round = together(&l, at_once);
	cycles = rounds * round.time + (rest > 0 ? together(&l, rest).time : 0);
	return (struct part){round.name, at_rate(cycles, m->clock_hz)};
}

/* There are many blocks, and they do not keep step. So what all SMs share (device memory, L2 cache) only shows where it
 * is too slow for all. */
static struct part predict_kernel(const struct machine *m, const struct predicted_variant *v)
{
	struct part most, parts[3];

	if (v->resident <= 0 || v->blocks <= 0 || v->threads <= 0 || !(m->sms > 0))
		return (struct part){NULL, NAN};
	parts[0] = busiest_sm(m, v);
	parts[1] = device_memory(m, v);
	parts[2] = l2_cache(m, v);
	most = predict_largest(parts, 3);
	return (struct part){m->launch_s > most.time ? "launch" : most.name, m->launch_s + most.time};
}

/* ---- kernels: bytes under way ---- */

/* Each of an SM's blocks has asked for the loads of one step, or of so many as it issues ahead. */
static double under_way(const struct machine *m, const struct predicted_variant *v)
{
	const struct step_shape *s = &v->shape.step;
	const double ahead = loads_ahead(s) ? fmin(s->ahead, s->steps) : 1;

	return fmin(v->resident, blocks_of_sm(m, v)) * fmax(ahead, 1) * s->load_bytes;
}

/* Little's law (1961): what is under way on average is the rate times the time that each byte takes. The rate is that
 * of the launch's loads where only memory sets the pace; an SM has its part of it. */
static double needed_under_way(const struct machine *m, const struct predicted_variant *v)
{
	const struct step_shape *s = &v->shape.step;
	const double pace = larger(device_memory(m, v).time, l2_cache(m, v).time);

	return v->blocks * s->steps * s->load_bytes / pace * load_latency(m, v) / m->clock_hz / m->sms;
}

static double finite_or_unknown(double x)
{
	return isfinite(x) ? x : NAN;
}

static void predict_under_way(const struct machine *m, const struct predicted_variant *v, struct prediction *out)
{
	const struct step_shape *s = &v->shape.step;

	out->under_way = out->needed = NAN;
	if (v->shape.is_pipeline || !(s->steps > 0 && s->load_bytes > 0) || v->resident <= 0 || !(m->sms > 0))
		return;
	out->under_way = finite_or_unknown(under_way(m, v));
	out->needed = finite_or_unknown(needed_under_way(m, v));
}

/* ---- pipelines, in seconds ---- */

/* A chunk's time in each engine. */
struct stages {
	double in_bytes, out_bytes; /* moving bytes */
	double in, kernel, out;     /* each with the fixed cost of its copy or launch */
	double turns;               /* time from each engine to the next, and to the first again */
	double events;
};

static void stages_of(const struct machine *m, const struct pipeline_shape *p, struct stages *s)
{
	const int engines = (p->copies_in > 0) + (p->kernel_bytes > 0) + (p->copies_out > 0);

	s->in_bytes = at_rate(p->bytes_in, p->pageable ? m->pageable_in_bytes_s : m->in_bytes_s);
	s->out_bytes = at_rate(p->bytes_out, p->pageable ? m->pageable_out_bytes_s : m->out_bytes_s);
	s->in = s->in_bytes + times(p->copies_in, m->copy_s);
	s->out = s->out_bytes + times(p->copies_out, m->copy_s);
	s->kernel = p->kernel_bytes > 0 ? m->launch_s + at_rate(p->kernel_bytes, m->dram_bytes_s) : 0;
	s->turns = engines > 1 ? times(engines, m->turn_s) : 0;
	s->events = times(p->events, m->event_s);
}

/* One chunk all by itself. */
static double stages_sum(const struct stages *s)
{
	return s->in + s->kernel + s->out + s->turns + s->events;
}

/* Time that copies lose while both directions are busy: together they have the rate `both_bytes_s`, which is less than
 * the sum of their rates alone. The shorter one is busy all the time that they share. */
static double duplex_loss(const struct machine *m, const struct stages *s)
{
	const double shared = fmin(s->in_bytes, s->out_bytes);

	if (shared <= 0)
		return 0;
	return shared * larger((m->in_bytes_s + m->out_bytes_s) / m->both_bytes_s - 1, 0);
}

/* Where each chunk has its own stream, a copy engine serves the streams in turn, one copy at a time. Between two copies
 * of a chunk it makes a copy of another chunk. */
static double alternating(const struct pipeline_shape *p, const struct stages *s)
{
	const double in = p->copies_in > 1 ? s->in * (1 - 1 / p->copies_in) : 0;
	const double out = p->copies_out > 1 ? s->out * (1 - 1 / p->copies_out) : 0;

	return p->events > 0 ? 0 : in + out;
}

/* Time from one chunk to the next when several are under way. A buffer must have been through all engines before it is
 * used again, and its copies meet those of the others. */
static struct part pace(const struct machine *m, const struct pipeline_shape *p, const struct stages *s)
{
	const double loss = duplex_loss(m, s), under_way = fmin(p->buffers, p->chunks);
	const struct part parts[] = {
		{"copies in", s->in + (s->in >= s->out ? loss : 0)},
		{"copies out", s->out + (s->in < s->out ? loss : 0)},
		{"kernels", s->kernel},
		{"buffers", (stages_sum(s) + 2 * loss + alternating(p, s)) / under_way},
	};

	return predict_largest(parts, 4);
}

/* One chunk after another, in one stream. */
static struct part one_after_another(const struct pipeline_shape *p, const struct stages *s)
{
	const struct part parts[] = {
		{"copies in", s->in},
		{"copies out", s->out},
		{"kernels", s->kernel},
		{"turns", s->turns + s->events},
	};

	return (struct part){predict_largest(parts, 4).name, p->chunks * stages_sum(s)};
}

/* The first chunk fills the pipeline, the others follow at its pace. Forking and joining are two more ways from stream
 * to stream. Joining waits for the last stream only. */
static struct part several_under_way(const struct machine *m, const struct pipeline_shape *p, const struct stages *s)
{
	const struct part step = pace(m, p, s);
	const double filling = stages_sum(s), forks = p->forks > 0 ? 2 * m->event_s : 0;
	const double following = (p->chunks - 1) * step.time;
	const struct part parts[] = {{step.name, following}, {"filling", filling}, {"events", forks}};

	return (struct part){predict_largest(parts, 3).name, forks + filling + following};
}

/* The time that the host needs for its calls: one for each copy, kernel, record and wait. Forking is one record, and a
 * wait for each stream. Joining is a record and a wait for each stream. */
static double enqueueing(const struct machine *m, const struct pipeline_shape *p)
{
	const double launches = p->copies_in + p->copies_out + (p->kernel_bytes > 0);
	const double orders = 2 * p->events * p->chunks + (p->forks > 0 ? 1 + 3 * p->forks : 0);

	return p->chunks * launches * m->enqueue_s + times(orders, m->order_s);
}

static struct part predict_pipeline(const struct machine *m, const struct pipeline_shape *p)
{
	const bool serial = p->buffers <= 1 || p->pageable;
	struct part parts[2];
	struct stages s;

	if (!(p->chunks >= 1))
		return (struct part){NULL, NAN};
	stages_of(m, p, &s);
	parts[0] = serial ? one_after_another(p, &s) : several_under_way(m, p, &s);
	parts[1] = (struct part){"host", enqueueing(m, p)};
	return predict_largest(parts, 2);
}

void predict(const struct machine *m, const struct predicted_variant *v, struct prediction *out)
{
	const struct part all = v->shape.is_pipeline ? predict_pipeline(m, &v->shape.pipeline) : predict_kernel(m, v);
	const bool known = isfinite(all.time);

	out->seconds = known ? all.time : NAN;
	out->bound = known ? all.name : "unknown";
	predict_under_way(m, v, out);
}
