/* cause-pipelines.c: parts of a difference of pipelines: by hand, and planted causes of many sizes under noise, which
 * have to be found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/cause-fixture.h"

enum { RUNS = 7 };

/* ---- made-up pipelines ---- */

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

static double median_term(const struct traced_run *runs, enum trace_term term)
{
	double ns[RUNS];

	for (int i = 0; i < RUNS; i++)
		ns[i] = trace_term_of(&runs[i], term);
	return median_of(ns, RUNS);
}

static void trace_pipeline(
	const struct pipeline *p, struct random *random, struct traced_run *runs, struct cause_side *out)
{
	double bias = jitter(random, 0.002);

	for (int i = 0; i < RUNS; i++)
		run_pipeline(p, random, &runs[i]);
	*out = (struct cause_side){.run = runs, .nruns = RUNS};
	out->median = median_term(runs, TERM_SPAN) * bias + 3000 * jitter(random, 0.05);
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

/* ---- a pipeline by hand ---- */

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

	/* A timed launch that is shorter than the traced one by all of its idle time has none. */
	side[0].median = 400;
	causes_of(&side[0], &side[1], false, surely(150), true, 1, &causes);
	adds_up(&causes);
	assert_null(part_with_id(&causes, CAUSE_HOST_LATE));

	assert_true(traced_time_parts(runs[1], 3, 260, parts));
	assert_near(parts[TIME_H2D], 100, 0);
	assert_near(parts[TIME_BOTH], 50, 0);
	assert_near(parts[TIME_D2H], 0, 0);
	assert_near(parts[TIME_KERNEL_COPY], 100, 0);
	assert_near(parts[TIME_KERNEL], 0, 0);
	assert_near(parts[TIME_IDLE], 0, 0);
	assert_near(parts[TIME_UNTRACED], 10, 0); /* between launches */
	assert_true(traced_time_parts(runs[0], 3, 412 / 1.01, parts));
	assert_near(parts[TIME_IDLE], 2 / 1.01, 1e-9); /* the host was late for the trace */
	assert_near(parts[TIME_OTHER], 20 / 1.01, 1e-9);
	assert_true(traced_time_parts(runs[0], 3, 205, parts));
	assert_near(parts[TIME_IDLE], 0, 0);
	assert_near(parts[TIME_H2D], 100, 0); /* its work took twice as long */
	assert_near(parts[TIME_OTHER], 10, 0);
	assert_false(traced_time_parts(NULL, 0, 210, parts));
}

/* Idle time beside a busy GPU is a part of its own; what the trace takes too long comes off the other part first. */
static void idle_beside_another_gpu(void **state)
{
	struct traced_run runs[2][3] = {0};
	struct cause_side side[2] = {{.median = 300}, {.median = 180}};
	const struct traced_run *run = &runs[0][0];
	struct causes causes;

	(void)state;
	for (int i = 0; i < 3; i++) {
		runs[0][i] = (struct traced_run){
			.overlap = {.span = 300, .idle = 200, .busy_all = 100}, .own_ns = 100, .elsewhere_ns = 150};
		runs[1][i] = (struct traced_run){
			.overlap = {.span = 180, .idle = 80, .busy_all = 100}, .own_ns = 100, .elsewhere_ns = 50};
		for (int s = 0; s < 2; s++)
			runs[s][i].overlap.busy[WORK_KERNEL] = 100;
	}
	for (int s = 0; s < 2; s++) {
		side[s].run = runs[s];
		side[s].nruns = 3;
	}
	causes_of(&side[0], &side[1], false, surely(120), true, 1, &causes);
	adds_up(&causes);
	assert_near(part_of(&causes, CAUSE_GPUS_IN_TURN), 100, 0);
	assert_near(part_of(&causes, CAUSE_HOST_LATE), 20, 0);
	assert_int_equal(causes.first, CAUSE_GPUS_IN_TURN);
	assert_near(trace_term_within(run, TERM_IDLE, 260 / 1.01), 10, 1e-9);
	assert_near(trace_term_within(run, TERM_ELSEWHERE, 260 / 1.01), 150, 0);
	assert_near(trace_term_within(run, TERM_IDLE, 220 / 1.01), 0, 1e-9);
	assert_near(trace_term_within(run, TERM_ELSEWHERE, 220 / 1.01), 120, 1e-9);
	assert_near(trace_term_within(run, TERM_ELSEWHERE, 50 / 1.01), 0, 0);
	assert_near(trace_term_within(run, TERM_SPAN, 50 / 1.01), 100, 0);
}

/* ---- planted causes ---- */

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
		beside = median_term(runs[1], TERM_OVERLAP);
		both = median_term(runs[1], TERM_DUPLEX);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipeline_by_hand),
		cmocka_unit_test(idle_beside_another_gpu),
		cmocka_unit_test(planted_causes_of_pipelines),
		cmocka_unit_test(buffers_of_pipelines),
		cmocka_unit_test(nothing_is_planted_in_pipelines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
