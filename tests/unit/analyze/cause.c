/* cause.c: parts of a difference: by hand, and planted causes of many sizes under noise, which have to be found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "analyze/cause/ledger.h"
#include "fixtures/near.h"
#include "fixtures/noise.h"
#include "fixtures/tier.h"

enum { RUNS = 7 };

static int count_trials(void)
{
	return all_or(100, 30);
}

/* ---- what a result says ---- */

static const struct cause *part_with_id(const struct causes *causes, enum cause_id id)
{
	for (size_t i = 0; i < causes->n; i++) {
		if (causes->item[i].id == id)
			return &causes->item[i];
	}
	return NULL;
}

static double part_of(const struct causes *causes, enum cause_id id)
{
	const struct cause *cause = part_with_id(causes, id);

	return cause ? cause->ns.value : 0;
}

static bool names_any(const struct causes *causes)
{
	bool any = false;

	for (size_t i = 0; i < causes->n; i++)
		any |= causes->item[i].named;
	return any;
}

static void adds_up(const struct causes *causes)
{
	double sum = 0;

	assert_true(causes->n > 0);
	for (size_t i = 0; i < causes->n; i++)
		sum += causes->item[i].ns.value;
	assert_near(sum, causes->difference.value, 1e-6 * (1 + fabs(causes->difference.value)));
	assert_int_equal(causes->item[causes->n - 1].id, CAUSE_UNEXPLAINED);
	for (size_t i = 2; i < causes->n; i++)
		assert_true(fabs(causes->item[i - 2].ns.value) >= fabs(causes->item[i - 1].ns.value) ||
			    i - 1 == causes->n - 1);
}

static struct part_ns surely(double value)
{
	return (struct part_ns){value, value - 0.01 * fabs(value), value + 0.01 * fabs(value)};
}

/* ---- the ledger ---- */

static void a_ledger_adds_sorts_and_names(void **state)
{
	struct ledger ledger = {.doubt = 3};
	struct causes causes;

	(void)state;
	ledger_add_half(&ledger, CAUSE_BARRIER, 60, 5);
	ledger_add_half(&ledger, CAUSE_QUEUE, -70, 5);
	ledger_add_half(&ledger, CAUSE_MEMORY, 80, 90);  /* may be nothing */
	ledger_add_half(&ledger, CAUSE_OCCUPANCY, 9, 1); /* too small to be said */
	ledger_add_half(&ledger, CAUSE_WAVES, 0, 1);
	ledger_add(&ledger, CAUSE_BARRIER, (struct part_ns){3, -1, 15}); /* joined with the first */
	ledger_close(&ledger, (struct part_ns){100, 96, 104}, true, &causes);
	adds_up(&causes);
	assert_int_equal(causes.n, 5);
	assert_int_equal(causes.item[0].id, CAUSE_MEMORY);
	assert_false(causes.item[0].named);
	assert_int_equal(causes.item[1].id, CAUSE_QUEUE);
	assert_true(causes.item[1].named);
	assert_near(part_of(&causes, CAUSE_BARRIER), 63, 1e-12);
	assert_near(causes.item[2].ns.low, 63 - sqrt(25 + 16), 1e-9);
	assert_near(causes.item[2].ns.high, 63 + 13, 1e-9);
	assert_false(part_with_id(&causes, CAUSE_OCCUPANCY)->named);
	assert_near(part_of(&causes, CAUSE_UNEXPLAINED), 18, 1e-12);
	assert_near(causes.item[4].ns.low, 13, 1e-9);
	assert_true(causes.explained);
	assert_int_equal(causes.first, CAUSE_BARRIER); /* the larger one goes the other way */
}

static void nothing_is_named_that_is_not_sure(void **state)
{
	struct ledger ledger = {.doubt = 1};
	struct causes causes;

	(void)state;
	ledger_add_half(&ledger, CAUSE_BARRIER, 60, 5);
	ledger_close(&ledger, (struct part_ns){100, 96, 104}, false, &causes);
	assert_false(names_any(&causes));
	assert_int_equal(causes.first, -1);
	ledger_close(&ledger, (struct part_ns){100, -4, 204}, true, &causes);
	assert_false(names_any(&causes));
	/* Named, but more than half is left: no first cause. */
	ledger_close(&ledger, (struct part_ns){130, 125, 135}, true, &causes);
	assert_true(names_any(&causes));
	assert_false(causes.explained);
	assert_int_equal(causes.first, -1);
	/* Without an interval, nobody knows. */
	memset(&ledger, 0, sizeof ledger);
	ledger_add(&ledger, CAUSE_HOST_LATE, (struct part_ns){90, NAN, NAN});
	ledger_close(&ledger, (struct part_ns){100, 96, 104}, true, &causes);
	assert_false(names_any(&causes));
}

static void an_empty_pair_is_unexplained(void **state)
{
	static const struct cause_side side = {.median = 100};
	struct causes causes;

	(void)state;
	for (int bound = 0; bound < 2; bound++) {
		causes_of(&side, &side, bound, surely(50), true, 1, &causes);
		assert_int_equal(causes.n, 1);
		assert_false(causes.explained);
		assert_true(causes.stable);
		assert_near(part_of(&causes, CAUSE_UNEXPLAINED), 50, 0);
	}
}

static void a_ratio_becomes_a_difference(void **state)
{
	const struct ratio ratio = {.value = 1.5, .low = 1.4, .high = 1.6},
			   odd = {.value = 1.2, .low = 1.1, .high = 1.3};
	struct part_ns ns = difference_of(150, 100, &ratio);

	(void)state;
	assert_near(ns.value, 50, 1e-12);
	assert_near(ns.low, 250 * 0.4 / 2.4, 1e-9);
	assert_near(ns.high, 250 * 0.6 / 2.6, 1e-9);
	ns = difference_of(150, 100, &odd);
	assert_near(ns.high, 50, 1e-12); /* never beside its interval */
}

/* ---- pipelines ---- */

/* A pipeline of so many chunks: what each takes in ns, and how the host goes about it. */
struct pipeline {
	int chunks;
	double h2d, kernel, d2h, gap; /* gap: before each chunk the host is late by as much */
	int buffers;                  /* 1: all in one stream; 2: the lanes run beside each other */
	double stretch;               /* of copies while the other direction runs */
	size_t copies;
	bool pageable;
};

static int piece_by_start(const void *left, const void *right)
{
	const struct device_work *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static double jitter(struct random *random, double share)
{
	return 1 + share * random_normal(random);
}

static void run_pipeline(const struct pipeline *p, struct random *random, struct traced_run *out)
{
	struct device_work *work = calloc(3 * (size_t)p->chunks, sizeof *work);
	double end[3] = {0, 0, 0}, lane[3] = {0, 0, 0}, host = 0, stretch = p->buffers > 1 ? p->stretch : 1;
	struct overlap_sweep sweep = {0};

	assert_non_null(work);
	for (int c = 0; c < p->chunks; c++) {
		const double length[3] = {p->h2d * stretch, p->kernel, p->d2h * stretch};
		double at;

		host = (p->buffers == 1 ? end[2] : fmax(lane[0], host)) + p->gap * fabs(jitter(random, 0.1));
		at = host;
		for (int k = 0; k < 3; k++) {
			double start = fmax(at, lane[k]);

			at = lane[k] = start + length[k] * jitter(random, 0.005);
			work[3 * c + k] = (struct device_work){(int64_t)start, (int64_t)at,
				k == 0   ? WORK_H2D
				: k == 1 ? WORK_KERNEL
					 : WORK_D2H};
		}
		end[2] = at;
	}
	qsort(work, 3 * (size_t)p->chunks, sizeof *work, piece_by_start);
	for (int i = 0; i < 3 * p->chunks; i++)
		overlap_add(&sweep, &work[i]);
	*out = (struct traced_run){.copies = p->copies, .copy_bytes = 1 << 20, .pageable = p->pageable};
	overlap_end(&sweep, &out->overlap);
	out->own_ns = out->overlap.busy[WORK_KERNEL];
	free(work);
}

static void trace_pipeline(
	const struct pipeline *p, struct random *random, struct traced_run *runs, struct cause_side *out)
{
	double bias = jitter(random, 0.002);

	for (int i = 0; i < RUNS; i++)
		run_pipeline(p, random, &runs[i]);
	*out = (struct cause_side){.run = runs, .nruns = RUNS};
	out->median = median_term(runs, RUNS, TERM_SPAN) * bias + 3000 * jitter(random, 0.05);
}

static double uniform(struct random *random, double from, double to)
{
	return from + (to - from) * random_uniform(random);
}

static struct pipeline any_pipeline(struct random *random)
{
	return (struct pipeline){.chunks = 2 + (int)uniform(random, 0, 14),
		.h2d = uniform(random, 20000, 200000),
		.kernel = uniform(random, 5000, 200000),
		.d2h = uniform(random, 20000, 200000),
		.gap = uniform(random, 500, 3000),
		.buffers = random_uniform(random) < 0.5 ? 1 : 2,
		.stretch = uniform(random, 1, 1.2),
		.copies = 32};
}

/* Causes of a pair whose ratio is known to `doubt`. Without the band of the verdict, it is judged wherever the interval
 * leaves out 1. */
static void judge(const struct cause_side *a, const struct cause_side *b, bool kernel, double doubt, struct causes *out)
{
	double r = a->median / b->median;
	const struct ratio ratio = {.value = r, .low = r * (1 - doubt), .high = r * (1 + doubt)};

	causes_of(a, b, kernel, difference_of(a->median, b->median, &ratio), ratio.low > 1 || ratio.high < 1, 7, out);
	adds_up(out);
}

static void a_pipeline_by_hand(void **state)
{
	/* Copies in 0 to 100 and 100 to 200, kernels 100 to 150 and 200 to 250, out 150 to 250; all of single alone. */
	static const struct device_work dbl[] = {{0, 100, WORK_H2D}, {100, 200, WORK_H2D}, {100, 150, WORK_KERNEL},
		{150, 250, WORK_D2H}, {200, 250, WORK_KERNEL}};
	static const struct device_work single[] = {
		{0, 200, WORK_H2D}, {210, 310, WORK_KERNEL}, {310, 400, WORK_D2H}, {400, 420, WORK_OTHER}};
	struct traced_run runs[2][3] = {0};
	struct cause_side side[2] = {{.median = 430}, {.median = 250}};
	struct causes causes;
	double parts[TIME_PARTS];

	(void)state;
	for (int s = 0; s < 2; s++) {
		struct overlap_sweep sweep = {0};

		for (int i = 0; i < (s ? 5 : 4); i++)
			overlap_add(&sweep, s ? &dbl[i] : &single[i]);
		overlap_end(&sweep, &runs[s][0].overlap);
		runs[s][0].own_ns = runs[s][0].overlap.busy[WORK_KERNEL];
		runs[s][1] = runs[s][2] = runs[s][0];
		side[s].run = runs[s];
		side[s].nruns = 3;
	}
	causes_of(&side[0], &side[1], false, surely(180), true, 1, &causes);
	adds_up(&causes);
	assert_near(part_of(&causes, CAUSE_COPIES_BESIDE_KERNELS), 100, 0);
	assert_near(part_of(&causes, CAUSE_COPIES_BOTH_WAYS), 50, 0);
	assert_near(part_of(&causes, CAUSE_COPY_RATE), -10, 0);
	assert_near(part_of(&causes, CAUSE_HOST_LATE), 10, 0);
	assert_near(part_of(&causes, CAUSE_DEVICE_WORK), 20, 0);
	assert_null(part_with_id(&causes, CAUSE_KERNEL_TIME));
	assert_near(part_of(&causes, CAUSE_UNEXPLAINED), 10, 0);
	assert_int_equal(causes.first, CAUSE_COPIES_BESIDE_KERNELS);

	assert_true(traced_time_parts(runs[1], 3, 260, parts));
	assert_near(parts[TIME_H2D], 100, 0);
	assert_near(parts[TIME_BOTH], 50, 0);
	assert_near(parts[TIME_D2H], 0, 0);
	assert_near(parts[TIME_KERNEL_COPY], 100, 0);
	assert_near(parts[TIME_KERNEL], 0, 0);
	assert_near(parts[TIME_IDLE], 0, 0);
	assert_near(parts[TIME_UNTRACED], 10, 0); /* between launches */
	assert_true(traced_time_parts(runs[0], 3, 210, parts));
	assert_near(parts[TIME_H2D], 100, 0); /* the trace took twice as long */
	assert_near(parts[TIME_OTHER], 10, 0);
	assert_false(traced_time_parts(NULL, 0, 210, parts));
}

/* What is done to a pipeline, so that it takes longer. */
static enum cause_id worsen_pipeline(struct pipeline *p, int kind, struct random *random)
{
	double chunk = p->h2d + p->kernel + p->d2h, more = uniform(random, 0.05, 0.8);

	switch (kind) {
	case 0:
		p->gap += more * chunk;
		return CAUSE_HOST_LATE;
	case 1:
		p->h2d *= 1 + 2 * more;
		p->d2h *= 1 + 2 * more;
		return CAUSE_COPY_RATE;
	case 2:
		p->h2d *= 1 + 2 * more;
		p->d2h *= 1 + 2 * more;
		p->pageable = true;
		return CAUSE_PAGEABLE;
	case 3:
		p->h2d *= 1 + 2 * more;
		p->d2h *= 1 + 2 * more;
		p->copies *= 2;
		return CAUSE_COPY_COUNT;
	default:
		p->kernel += more * chunk;
		return CAUSE_KERNEL_TIME;
	}
}

/* How trials went: of all, those that found the planted cause, and those that explain 70 % and more. */
struct score {
	int trials, right, explained, reversed, stable;
};

static void count(struct score *score, const struct causes *causes, const struct causes *swapped, int want)
{
	score->trials++;
	score->right += causes->first == want;
	score->explained += fabs(part_of(causes, CAUSE_UNEXPLAINED)) <= 0.3 * fabs(causes->difference.value);
	score->reversed += swapped->first == want;
	score->stable += causes->stable;
}

static void passes(const char *what, const struct score *score)
{
	print_message("%s: %d trials, right %d, swapped %d, explained %d, stable %d\n", what, score->trials,
		score->right, score->reversed, score->explained, score->stable);
	assert_true(10 * score->right >= 9 * score->trials);
	assert_true(10 * score->reversed >= 9 * score->trials);
	assert_true(10 * score->explained >= 9 * score->trials);
	assert_true(10 * score->stable >= 9 * score->trials);
}

static void try_pipeline(int kind, struct random *random, struct score *score)
{
	struct pipeline single = any_pipeline(random), dbl = single;
	enum cause_id want = worsen_pipeline(&dbl, kind, random);
	struct traced_run runs[2][RUNS];
	struct cause_side a, b;
	struct causes causes, swapped;

	/* A kernel or copies that run beside longer ones make no difference. */
	single.buffers = dbl.buffers = 1;
	trace_pipeline(&single, random, runs[0], &a);
	trace_pipeline(&dbl, random, runs[1], &b);
	judge(&a, &b, false, 0.003, &causes);
	judge(&b, &a, false, 0.003, &swapped);
	count(score, &causes, &swapped, (int)want);
}

static void planted_causes_of_pipelines(void **state)
{
	static const char *const names[] = {"late host", "slower copies", "pageable", "more copies", "slower kernel"};

	(void)state;
	for (int kind = 0; kind < 5; kind++) {
		struct random random = {(uint64_t)kind + 1};
		struct score score = {0};

		for (int i = 0; i < count_trials(); i++)
			try_pipeline(kind, &random, &score);
		passes(names[kind], &score);
	}
}

/* One buffer against two of the same pipeline: what overlaps most is the first cause. */
static void buffers_of_pipelines(void **state)
{
	struct random random = {99};
	struct score score = {0};

	(void)state;
	for (int i = 0; i < count_trials(); i++) {
		struct pipeline single = any_pipeline(&random), dbl;
		struct traced_run runs[2][RUNS];
		struct cause_side a, b;
		struct causes causes, swapped;
		double beside, both;

		single.buffers = 1;
		single.chunks += 2;
		dbl = single;
		dbl.buffers = 2;
		trace_pipeline(&single, &random, runs[0], &a);
		trace_pipeline(&dbl, &random, runs[1], &b);
		beside = median_term(runs[1], RUNS, TERM_OVERLAP);
		both = median_term(runs[1], RUNS, TERM_DUPLEX);
		judge(&a, &b, false, 0.003, &causes);
		judge(&b, &a, false, 0.003, &swapped);
		count(&score, &causes, &swapped, beside > both ? CAUSE_COPIES_BESIDE_KERNELS : CAUSE_COPIES_BOTH_WAYS);
	}
	passes("two buffers", &score);
}

static void nothing_is_planted_in_pipelines(void **state)
{
	struct random random = {5};
	int named = 0, trials = 4 * count_trials();

	(void)state;
	for (int i = 0; i < trials; i++) {
		struct pipeline p = any_pipeline(&random);
		struct traced_run runs[2][RUNS];
		struct cause_side a, b;
		struct causes causes;

		trace_pipeline(&p, &random, runs[0], &a);
		trace_pipeline(&p, &random, runs[1], &b);
		judge(&a, &b, false, 0.0055, &causes);
		named += names_any(&causes);
	}
	print_message("nothing planted in pipelines: %d of %d named\n", named, trials);
	assert_true(50 * named <= trials);
}

/* ---- kernels ---- */

/* A kernel: the time of its warps in each state, ns at full occupancy, and what its launch has beside it. */
struct kernel {
	double state[WARP_STATES];
	double occupancy, start; /* start: ns of each launch in which no SM works */
	double issued;           /* instructions, in some unit */
	int64_t local_bytes;
	double resident, waves;
};

static double kernel_warp_time(const struct kernel *k)
{
	double sum = 0;

	for (int s = 0; s < WARP_STATES; s++)
		sum += k->state[s];
	return sum;
}

/* Counters as replays give them: shares within a percent or so, the rest within a few tenths. */
static void count_kernel(const struct kernel *k, struct random *random, double noise, struct cause_side *out)
{
	enum { WARPS = 64, SMS = 132, MHZ = 1980 };
	double warp_time = kernel_warp_time(k), active = warp_time / k->occupancy;
	double cycles = active * SMS * MHZ / 1000, selected = 0.03 * jitter(random, noise / 10);
	struct counters_read read = {.selected = selected,
		.issued = selected * cycles * k->occupancy * WARPS,
		.occupancy = k->occupancy * jitter(random, noise / 5),
		.warps_per_sm = WARPS,
		.sms = SMS,
		.mhz = MHZ};

	read.executed = read.issued * k->issued;
	read.per_cycle = read.executed / cycles * jitter(random, noise / 5);
	read.issued *= k->issued;
	read.selected *= k->issued;
	for (int s = 0; s < WARP_STATES; s++)
		read.share[s] = k->state[s] / warp_time * jitter(random, noise);
	*out = (struct cause_side){.median = (active + k->start) * jitter(random, 0.001)};
	counted_of(&read, &out->counted);
	out->counted.local_bytes = k->local_bytes;
	out->counted.resident = k->resident;
	out->counted.waves = k->waves;
}

static struct kernel any_kernel(struct random *random)
{
	struct kernel k = {.occupancy = uniform(random, 0.4, 0.97),
		.start = uniform(random, 1000, 5000),
		.issued = 1,
		.resident = 64,
		.waves = 30};
	double size = exp(uniform(random, log(5000), log(1e6)));

	k.state[STATE_BARRIER] = size * uniform(random, 0.05, 0.5);
	k.state[STATE_MEMORY] = size * uniform(random, 0.1, 0.7);
	k.state[STATE_QUEUE] = size * uniform(random, 0.05, 0.5);
	k.state[STATE_ISSUE] = size * uniform(random, 0.1, 0.4);
	k.state[STATE_OTHER] = size * 0.002;
	return k;
}

/* What is done to a kernel, so that it takes longer, with what goes along with it. */
static enum cause_id worsen_kernel(struct kernel *k, int kind, struct random *random)
{
	double more = uniform(random, 0.03, 0.6), size = kernel_warp_time(k);

	/* Code that differs in one thing differs a little in others. */
	for (int s = 0; s < WARP_STATES; s++)
		k->state[s] *= jitter(random, 0.005);
	switch (kind) {
	case 0:
		k->state[STATE_BARRIER] += more * size;
		k->state[STATE_MEMORY] *= 1 - more / 10; /* who waits at a barrier does not wait for memory */
		return CAUSE_BARRIER;
	case 1:
		k->state[STATE_ISSUE] += more * size;
		k->state[STATE_QUEUE] += more * size / 10;
		k->issued = 1 + 2 * more;
		return CAUSE_INSTRUCTIONS;
	case 2:
		k->occupancy /= 1 + 2 * more;
		k->state[STATE_QUEUE] /= 1 + more / 2; /* fewer warps stand in a shorter queue */
		k->resident = 32;
		return CAUSE_OCCUPANCY;
	case 3:
		k->state[STATE_MEMORY] += more * size * 0.7;
		k->state[STATE_ISSUE] += more * size * 0.3;
		k->issued = 1 + more / 2;
		k->local_bytes = 128;
		return CAUSE_SPILLS;
	case 4:
		k->state[STATE_QUEUE] += more * size;
		return CAUSE_QUEUE;
	case 5:
		k->state[STATE_MEMORY] += more * size;
		return CAUSE_MEMORY;
	default:
		k->waves = 1 + uniform(random, 0.05, 0.3);
		k->occupancy *= 0.5 + k->waves / 4; /* the last wave leaves SMs half empty */
		return CAUSE_WAVES;
	}
}

static void try_kernel(int kind, struct random *random, struct score *score)
{
	struct kernel single = any_kernel(random), dbl = single;
	enum cause_id want = worsen_kernel(&dbl, kind, random);
	struct causes causes, swapped;
	struct cause_side a, b;

	count_kernel(&single, random, 0.01, &a);
	count_kernel(&dbl, random, 0.01, &b);
	judge(&a, &b, true, 0.003, &causes);
	judge(&b, &a, true, 0.003, &swapped);
	count(score, &causes, &swapped, (int)want);
}

static void planted_causes_of_kernels(void **state)
{
	static const char *const names[] = {
		"barrier", "instructions", "occupancy", "spills", "queue", "memory", "waves"};

	(void)state;
	for (int kind = 0; kind < 7; kind++) {
		struct random random = {(uint64_t)kind + 11};
		struct score score = {0};

		for (int i = 0; i < count_trials(); i++)
			try_kernel(kind, &random, &score);
		passes(names[kind], &score);
	}
}

static void nothing_is_planted_in_kernels(void **state)
{
	struct random random = {6};
	int named = 0, trials = 10 * count_trials();

	(void)state;
	for (int i = 0; i < trials; i++) {
		struct kernel k = any_kernel(&random);
		struct cause_side a, b;
		struct causes causes;

		count_kernel(&k, &random, 0.015, &a);
		count_kernel(&k, &random, 0.015, &b);
		judge(&a, &b, true, 0.003, &causes);
		named += names_any(&causes);
	}
	print_message("nothing planted in kernels: %d of %d named\n", named, trials);
	assert_true(50 * named <= trials);
}

/* ---- a kernel by hand ---- */

/* Occupancy 0.5, 100 µs at the clock, 40 % barrier, 60 % issue. */
static struct cause_side counted_side(double barrier, double occupancy, double active_ns)
{
	struct cause_side side = {.median = active_ns + 1000};

	side.counted = (struct counted){.known = true,
		.share = {[STATE_BARRIER] = barrier, [STATE_ISSUE] = 1 - barrier},
		.occupancy = occupancy,
		.active_ns = active_ns,
		.in_ns = true,
		.issued = 100,
		.resident = 64,
		.waves = NAN};
	return side;
}

/* A warp of the second does the work of four: a quarter of the warps at once is no loss. */
static void occupancy_is_no_part_where_warps_do_other_work(void **state)
{
	struct cause_side a = counted_side(0.4, 0.8, 120000), b = counted_side(0.25, 0.2, 100000);
	struct causes causes;

	(void)state;
	a.counted.warps = 4000;
	b.counted.warps = 1000;
	a.counted.issued = 1.1 * b.counted.issued;
	causes_of(&a, &b, true, surely(20000), true, 1, &causes);
	adds_up(&causes);
	assert_near(part_of(&causes, CAUSE_BARRIER), 48000 - 25000, 1e-6);
	assert_near(part_of(&causes, CAUSE_ISSUE), 72000 - 75000, 1e-6);
	assert_near(part_of(&causes, CAUSE_OCCUPANCY), 0, 1e-6);
	assert_true(causes.stable);

	/* A few warps more are none. */
	b.counted.warps = 3000;
	causes_of(&a, &b, true, surely(20000), true, 1, &causes);
	assert_true(part_of(&causes, CAUSE_OCCUPANCY) < -120000);

	/* A larger grid of the same warps: that more run at once is a gain. */
	b.counted.warps = 1000;
	a.counted.issued = 4 * b.counted.issued;
	causes_of(&a, &b, true, surely(20000), true, 1, &causes);
	assert_true(part_of(&causes, CAUSE_OCCUPANCY) < -120000);
}

static void states_and_occupancy_add_up(void **state)
{
	/* Warp time 50 and 48 µs, of it 20 and 12 at barriers. */
	struct cause_side a = counted_side(0.4, 0.5, 100000), b = counted_side(0.25, 0.4, 120000);
	struct ledger states = {.doubt = 0}, occupancy = {.doubt = 0};
	struct causes causes;

	(void)state;
	causes_of(&a, &b, true, surely(-20000), true, 1, &causes);
	adds_up(&causes);
	assert_near(part_of(&causes, CAUSE_BARRIER), 8000 * (2 + 2.5) / 2, 1e-6);
	assert_near(part_of(&causes, CAUSE_ISSUE), -6000 * (2 + 2.5) / 2, 1e-6);
	assert_near(part_of(&causes, CAUSE_OCCUPANCY), 49000 * (2 - 2.5), 1e-6);
	assert_near(part_of(&causes, CAUSE_UNEXPLAINED), 0, 1e-6);
	assert_int_equal(causes.first, CAUSE_OCCUPANCY);
	assert_true(causes.stable);
	ledger_add_kernel(&states, &a, &b, ORDER_STATES_FIRST);
	assert_near(states.part[CAUSE_BARRIER].value, 8000 * 2, 1e-6);
	assert_near(states.part[CAUSE_OCCUPANCY].value, 48000 * (2 - 2.5), 1e-6);
	ledger_add_kernel(&occupancy, &a, &b, ORDER_OCCUPANCY_FIRST);
	assert_near(occupancy.part[CAUSE_BARRIER].value, 8000 * 2.5, 1e-6);
	assert_near(occupancy.part[CAUSE_OCCUPANCY].value, 50000 * (2 - 2.5), 1e-6);
}

/* Issue takes 12 µs more: with more instructions these are the cause, with as many or fewer they are not. */
static void instructions_go_with_their_time(void **state)
{
	static const struct {
		double issued;
		enum cause_id cause;
	} tries[] = {{110, CAUSE_INSTRUCTIONS}, {101, CAUSE_ISSUE}, {90, CAUSE_ISSUE}};

	(void)state;
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct cause_side a = counted_side(0.4, 0.5, 100000), b = counted_side(0.25, 0.5, 120000);
		struct causes causes;

		b.counted.issued = tries[i].issued;
		causes_of(&a, &b, true, surely(-20000), true, 1, &causes);
		adds_up(&causes);
		assert_true(part_of(&causes, tries[i].cause) < 0);
	}
}

/* Where the order decides, it is said. */
static void an_unstable_order_is_told(void **state)
{
	/* Warp time 90 and 150 µs, of it 18 and 78 at barriers. */
	struct cause_side a = counted_side(0.2, 0.9, 100000), b = counted_side(0.52, 0.45, 1e6 / 3);
	struct causes causes;

	(void)state;
	causes_of(&a, &b, true, surely(-1e6 / 3 + 100000), true, 1, &causes);
	assert_false(causes.stable);
}

static void the_launch_limits_the_kernel(void **state)
{
	struct cause_side a = counted_side(0.4, 0.5, 100000), b = counted_side(0.4, 0.5, 50000);
	double active[2];
	struct causes causes;

	(void)state;
	a.median = 80000; /* the counters' clock was slower */
	b.median = 60000;
	assert_true(kernel_active_times(&a, &b, active));
	assert_near(active[0], 80000, 1e-6);
	assert_near(active[1], 40000, 1e-6);
	a.counted.in_ns = b.counted.in_ns = false;
	assert_true(kernel_active_times(&a, &b, active));
	assert_near(active[0] + active[1], 140000, 1e-6);
	a.counted.in_ns = true;
	assert_false(kernel_active_times(&a, &b, active));
	a.counted.known = false;
	causes_of(&a, &b, true, surely(20000), true, 1, &causes);
	assert_int_equal(causes.n, 1);
}

/* ---- counters ---- */

static void counters_in_two_ways(void **state)
{
	/* 1000 instructions at 2 a cycle: 500 cycles of 5 SMs; 0.25 of 8 warps: 1000 warp cycles, 500 cycles again. */
	struct counters_read read = {.share = {0.5, 0.3, 0, 0.2, NAN},
		.selected = 1,
		.issued = 1000,
		.executed = 1000,
		.occupancy = 0.25,
		.per_cycle = 2,
		.warps_per_sm = 8,
		.sms = 5,
		.mhz = 1000};
	struct counted counted;

	(void)state;
	counted_of(&read, &counted);
	assert_true(counted.known);
	assert_true(counted.in_ns);
	assert_near(counted.active_ns, 100, 1e-9);
	assert_near(counted.doubt, 0, 1e-9);
	assert_near(counted.share[STATE_BARRIER], 0.5, 1e-12);
	read.share[STATE_MEMORY] = 0.8; /* of a pass that saw another kernel, as it were */
	read.per_cycle = NAN;
	counted_of(&read, &counted);
	assert_near(counted.share[STATE_BARRIER], 0.5, 1e-12);
	assert_near(counted.share[STATE_MEMORY], 0.4, 1e-12);
	assert_near(counted.doubt, 0.5, 1e-9);
	assert_true(counted.doubt_active);
	read.mhz = NAN;
	counted_of(&read, &counted);
	assert_true(counted.known);
	assert_false(counted.in_ns);
}

static void counters_that_tell_nothing(void **state)
{
	struct counters_read nothing = {.share = {NAN, NAN, NAN, NAN, NAN}, .occupancy = NAN};
	struct counted counted;

	(void)state;
	counted_of(&nothing, &counted);
	assert_false(counted.known);
	nothing.share[STATE_BARRIER] = 0.5;
	nothing.occupancy = 0.5;
	counted_of(&nothing, &counted);
	assert_false(counted.known); /* all other states are missing */
	nothing.share[STATE_ISSUE] = 0.5;
	counted_of(&nothing, &counted);
	assert_false(counted.known); /* nobody knows how long */
	assert_int_equal(warp_state_of("long_scoreboard"), STATE_MEMORY);
	assert_int_equal(warp_state_of("of the future"), STATE_OTHER);
	assert_near(wave_efficiency(1.25), 0.625, 1e-12);
	assert_near(wave_efficiency(3), 1, 0);
}

/* ---- a step of several kernels ---- */

static struct step_part part_of_kernel(enum cause_id id, double ns, bool sure, int kernel)
{
	return (struct step_part){id, {ns, ns - 1, ns + 1}, sure, kernel};
}

static void parts_of_a_step(void **state)
{
	struct step_part part[] = {part_of_kernel(CAUSE_BARRIER, 40, true, 0),
		part_of_kernel(CAUSE_BARRIER, -90, true, 1), part_of_kernel(CAUSE_MEMORY, 150, false, 2),
		{CAUSE_OTHER_KERNELS, {60, NAN, NAN}, true, 3}};
	const struct part_ns difference = {200, 190, 210};
	struct causes causes;

	(void)state;
	step_causes_of(part, 4, difference, true, 30, &causes);
	assert_int_equal(causes.n, 5);
	assert_int_equal(causes.item[0].id, CAUSE_MEMORY);
	assert_false(causes.item[0].named); /* its kernel's own difference is not clear */
	assert_int_equal(causes.item[1].kernel, 1);
	assert_true(causes.item[1].named);
	assert_int_equal(causes.first, CAUSE_OTHER_KERNELS);
	assert_true(causes.explained);
	assert_near(causes.item[4].ns.value, 40, 1e-9);
	assert_near(causes.item[4].ns.high - causes.item[4].ns.value, sqrt(10 * 10 + 30 * 30), 1e-9);
	step_causes_of(part, 4, difference, false, 30, &causes);
	assert_int_equal(causes.first, -1);
	for (size_t i = 0; i < causes.n; i++)
		assert_false(causes.item[i].named);
	step_causes_of(part, 0, difference, true, 0, &causes);
	assert_int_equal(causes.n, 1);
	assert_false(causes.explained);
}

static void many_parts_are_one_in_the_end(void **state)
{
	enum { MANY = 40 };
	struct step_part part[MANY];
	struct causes causes;
	double sum = 0;

	(void)state;
	for (int i = 0; i < MANY; i++)
		part[i] = part_of_kernel(CAUSE_QUEUE, 100 - i, true, i);
	step_causes_of(part, MANY, (struct part_ns){4000, 3900, 4100}, true, 10, &causes);
	assert_int_equal(causes.n, STEP_PARTS + 2);
	assert_int_equal(causes.item[0].id, CAUSE_SMALLER_PARTS);
	assert_int_equal(causes.item[0].kernel, -1);
	assert_false(causes.item[0].named);
	for (size_t i = 0; i < causes.n; i++)
		sum += causes.item[i].ns.value;
	assert_near(sum, 4000, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ledger_adds_sorts_and_names),
		cmocka_unit_test(nothing_is_named_that_is_not_sure),
		cmocka_unit_test(an_empty_pair_is_unexplained),
		cmocka_unit_test(a_ratio_becomes_a_difference),
		cmocka_unit_test(a_pipeline_by_hand),
		cmocka_unit_test(planted_causes_of_pipelines),
		cmocka_unit_test(buffers_of_pipelines),
		cmocka_unit_test(nothing_is_planted_in_pipelines),
		cmocka_unit_test(states_and_occupancy_add_up),
		cmocka_unit_test(occupancy_is_no_part_where_warps_do_other_work),
		cmocka_unit_test(instructions_go_with_their_time),
		cmocka_unit_test(an_unstable_order_is_told),
		cmocka_unit_test(the_launch_limits_the_kernel),
		cmocka_unit_test(planted_causes_of_kernels),
		cmocka_unit_test(nothing_is_planted_in_kernels),
		cmocka_unit_test(counters_in_two_ways),
		cmocka_unit_test(counters_that_tell_nothing),
		cmocka_unit_test(parts_of_a_step),
		cmocka_unit_test(many_parts_are_one_in_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
