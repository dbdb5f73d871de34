/* cause-kernels.c: parts of a difference of kernels: by hand, planted causes of many sizes under noise, which have to
 * be found, and counters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "analyze/cause/ledger.h"
#include "fixtures/cause-fixture.h"

/* ---- planted causes ---- */

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_and_occupancy_add_up),
		cmocka_unit_test(occupancy_is_no_part_where_warps_do_other_work),
		cmocka_unit_test(instructions_go_with_their_time),
		cmocka_unit_test(an_unstable_order_is_told),
		cmocka_unit_test(the_launch_limits_the_kernel),
		cmocka_unit_test(planted_causes_of_kernels),
		cmocka_unit_test(nothing_is_planted_in_kernels),
		cmocka_unit_test(counters_in_two_ways),
		cmocka_unit_test(counters_that_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
