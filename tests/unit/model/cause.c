/* cause.c: causes in the tree, from recordings in which they are planted: keys, evidence, places, and many sizes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/model-family.h"
#include "fixtures/noise.h"
#include "fixtures/tier.h"
#include "tree/tree.h"

enum { BLOCKS = 12, MHZ = 1000, SMS = 4, WARPS = 48, RUNS = 5 };

#define OF "family=f caseLabel=c "
#define THREAD "16777217"
#define PROCESS "16777216"

/* ---- reading the tree ---- */

static const json_t *cause_with_id(const json_t *tree, const char *id)
{
	const json_t *cause = tree_find(at(tree, CONTRAST "causes"), "id", id);

	if (!cause)
		fail_msg("there is no cause '%s'", id);
	return cause;
}

static double ns_of(const json_t *tree, const char *id)
{
	return tree_real(cause_with_id(tree, id), "ns");
}

static double evidence_of(const json_t *tree, const char *id, const char *metric, const char *side)
{
	return tree_real(tree_find(json_object_get(cause_with_id(tree, id), "evidence"), "metric", metric), side);
}

static void parts_add_up(const json_t *tree)
{
	const json_t *causes = at(tree, CONTRAST "causes");
	double sum = 0, whole = json_number_value(at(tree, CONTRAST "single_ns")) -
				json_number_value(at(tree, CONTRAST "double_ns"));

	for (size_t i = 0; i < json_array_size(causes); i++)
		sum += tree_real(json_array_get(causes, i), "ns");
	assert_near(sum, whole, 1e-6 * fabs(whole));
	assert_string_equal(tree_text(json_array_get(causes, json_array_size(causes) - 1), "id"), "unexplained");
}

static double part_of_time(const json_t *tree, const char *side, const char *id)
{
	const json_t *time = json_object_get(at(tree, CONTRAST "time"), side);
	const json_t *parts = json_object_get(time, "parts");
	double sum = 0;

	for (size_t i = 0; i < json_array_size(parts); i++)
		sum += tree_real(json_array_get(parts, i), "ns");
	assert_near(sum, tree_real(time, "total_ns"), 1e-6 * sum);
	return tree_real(tree_find(parts, "id", id), "ns");
}

/* ---- kernels ---- */

/* ns of warp time at full occupancy, by state. */
struct kernel {
	double barrier, memory, queue, issue;
	double occupancy, instructions;
	int local_bytes, registers, shared, blocks;
};

static const struct kernel plain = {20000, 30000, 20000, 30000, 0.8, 1, 0, 32, 4096, 400};

static double active_of(const struct kernel *k)
{
	return (k->barrier + k->memory + k->queue + k->issue) / k->occupancy;
}

static void write_metrics(struct recording *rec)
{
	static const char *const metrics[][3] = {{"stall_barrier", "barrier", "%"},
		{"stall_long_scoreboard", "long scoreboard", "%"}, {"stall_mio_throttle", "MIO throttle", "%"},
		{"stall_not_selected", "not selected", "%"}, {"stall_selected", "selected", "%"},
		{"occupancy_achieved", "achieved occupancy", "%"},
		{"inst_executed", "instructions executed", "instructions"},
		{"inst_issued", "instructions issued", "instructions"}, {"ipc", "instructions per cycle", "per cycle"}};

	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		fixture_row(rec,
			"METRIC setName=s ord=%zu pass=counters setTitle=S key=%s title=\"%s\" unit=\"%s\" "
			"formula=%s.sum "
			"meaning=m",
			i, metrics[i][0], metrics[i][1], metrics[i][2], metrics[i][0]);
}

static void write_counter(struct recording *rec, const char *variant, const char *key, double value)
{
	fixture_row(rec, "COUNTER " OF "variant=%s scope=kernel ord=0 metric=%s.sum value=%.17g replays=3", variant,
		key, value);
}

/* One instruction takes a warp 30 cycles on average. */
static void write_kernel(struct recording *rec, const char *variant, const struct kernel *k)
{
	double all = k->barrier + k->memory + k->queue + k->issue, cycles = active_of(k) * SMS;
	double issued = cycles * k->occupancy * WARPS / 30, selected = 100.0 / 30;

	fixture_row(rec,
		"RESOURCE " OF "variant=%s symbol=_Z3%s_kPf gridX=%d gridY=1 gridZ=1 blockX=128 blockY=1 blockZ=1 "
		"registers=%d staticSmem=%d dynamicSmem=0 localBytes=%d blocksPerSm=8",
		variant, variant, k->blocks, k->registers, k->shared, k->local_bytes);
	write_counter(rec, variant, "stall_barrier", 100 * k->barrier / all);
	write_counter(rec, variant, "stall_long_scoreboard", 100 * k->memory / all);
	write_counter(rec, variant, "stall_mio_throttle", 100 * k->queue / all);
	write_counter(rec, variant, "stall_not_selected", 100 * k->issue / all - selected);
	write_counter(rec, variant, "stall_selected", selected);
	write_counter(rec, variant, "occupancy_achieved", 100 * k->occupancy);
	write_counter(rec, variant, "inst_issued", issued);
	write_counter(rec, variant, "inst_executed", issued * k->instructions);
	write_counter(rec, variant, "ipc", issued * k->instructions / cycles);
}

/* The clock of 1000 MHz; a launch takes 1 µs more than its kernel. Instructions are counted as issued: a kernel with
 * more of them issues each in less time. */
static json_t *pair_of_kernels(const struct kernel *a, const struct kernel *b, const char *const *more)
{
	struct recording *rec = family_begin();
	struct error err = {0};

	assert_int_equal(scenario_gpu(rec, 0, &err), 0);
	write_right(rec);
	write_samples(rec, BLOCKS, active_of(a) + 1000, active_of(b) + 1000, MHZ, MHZ);
	write_metrics(rec);
	write_kernel(rec, "a", a);
	write_kernel(rec, "b", b);
	if (more)
		fixture_lines(rec, more);
	return family_end(rec);
}

static void a_barrier_in_the_tree(void **state)
{
	static const char *const lines[] = {
		"SOURCE file=f.cu text=\"one\\n\t__syncthreads(); // twice  \\nthree\\n\"",
		"STALLRUN " OF "variant=a launches=1 period=256 total=100 dropped=0 foreign=0",
		"STALL " OF
		"variant=a symbol=_Z3a_kPf file=f.cu line=1 offset=16 reason=barrier samples=10 notIssued=1",
		"STALL " OF
		"variant=a symbol=_Z3a_kPf file=f.cu line=2 offset=32 reason=barrier samples=30 notIssued=1",
		"STALL " OF "variant=a symbol=_Z3a_kPf file=f.cu line=3 offset=48 reason=wait samples=90 notIssued=1",
		/* Twice as much, and still nothing. */
		"METRIC setName=s ord=99 pass=counters setTitle=S key=dram_bytes title=bytes unit=bytes "
		"formula=dram_bytes.sum meaning=m",
		"COUNTER " OF "variant=a scope=kernel ord=0 metric=dram_bytes.sum value=512 replays=3",
		"COUNTER " OF "variant=b scope=kernel ord=0 metric=dram_bytes.sum value=256 replays=3",
		NULL,
	};
	struct kernel more = plain;
	const json_t *cause, *moved;
	json_t *tree;

	(void)state;
	more.barrier += 12000;
	tree = pair_of_kernels(&more, &plain, lines);
	parts_add_up(tree);
	assert_text(tree, CONTRAST "size", "faster");
	assert_text(tree, CONTRAST "first_cause", "barrier-wait");
	assert_true_at(tree, CONTRAST "explained");
	assert_true_at(tree, CONTRAST "order.stable");
	assert_near(ns_of(tree, "barrier-wait"), 15000, 1e-3);
	assert_near(ns_of(tree, "unexplained"), 0, 1e-3);
	cause = cause_with_id(tree, "barrier-wait");
	assert_near(tree_real(cause, "share"), 1, 1e-6);
	assert_true(tree_true(cause, "named"));
	assert_true(tree_real(cause, "low") < 15000 && tree_real(cause, "low") > 0);
	assert_near(evidence_of(tree, "barrier-wait", "stall_barrier", "double"), 20, 1e-9);
	cause = json_object_get(cause, "where");
	assert_string_equal(tree_text(cause, "kind"), "line");
	assert_string_equal(tree_text(cause, "file"), "f.cu");
	assert_near(tree_real(cause, "line"), 2, 0);
	assert_string_equal(tree_text(cause, "text"), "__syncthreads(); // twice");
	assert_text(tree, CONTRAST "time.kind", "kernel");
	assert_near(part_of_time(tree, "single", "barrier"), 40000, 1e-3);
	assert_near(part_of_time(tree, "double", "other"), 1000, 1e-3);
	moved = json_array_get(at(tree, CONTRAST "moved"), 0);
	assert_string_equal(tree_text(moved, "key"), "stall_barrier");
	assert_string_equal(tree_text(moved, "title"), "barrier");
	assert_size(tree, CONTRAST "moved", 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_not_equal(tree_text(json_array_get(at(tree, CONTRAST "moved"), i), "key"), "dram_bytes");
	assert_text(tree, CONTRAST "because", "15.0 µs less barrier wait");
	json_decref(tree);
}

/* The other way round it costs, and there is something to do. */
static void a_cost_has_an_action(void **state)
{
	struct kernel more = plain;
	json_t *tree;

	(void)state;
	more.memory += 12000;
	more.issue += 8000;
	more.local_bytes = 64;
	tree = pair_of_kernels(&plain, &more, NULL);
	parts_add_up(tree);
	assert_text(tree, CONTRAST "first_cause", "spills");
	assert_near(ns_of(tree, "spills"), -25000, 1e-3);
	assert_string_equal(tree_text(cause_with_id(tree, "spills"), "action"), "allow-registers");
	assert_true(tree_has(cause_with_id(tree, "spills"), "advice"));
	assert_near(evidence_of(tree, "spills", "local_bytes", "double"), 64, 0);
	assert_string_equal(tree_text(json_object_get(cause_with_id(tree, "spills"), "where"), "text"), "_Z3b_kPf");
	json_decref(tree);
}

static void a_kernel_without_counters(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_right(rec);
	write_samples(rec, BLOCKS, 2000, 1000, MHZ, MHZ);
	tree = family_end(rec);
	assert_size(tree, CONTRAST "causes", 1);
	assert_false_at(tree, CONTRAST "explained");
	assert_null_at(tree, CONTRAST "first_cause");
	assert_null_at(tree, CONTRAST "time");
	assert_null_at(tree, CONTRAST "pace");
	assert_size(tree, CONTRAST "moved", 0);
	assert_string_equal(tree_text(cause_with_id(tree, "unexplained"), "action"), "record-counters");
	assert_near(tree_real(cause_with_id(tree, "unexplained"), "share"), 1, 1e-9);
	json_decref(tree);
}

static void nothing_is_said_of_nothing(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, BLOCKS, 2000, 1000, MHZ, MHZ);
	write_verify(rec, "a", "c", 0, 3);
	write_verify(rec, "b", "c", 0, 0);
	tree = family_end(rec);
	assert_size(tree, CONTRAST "causes", 0);
	assert_null_at(tree, CONTRAST "order");
	assert_text(tree, CONTRAST "size", "unclear");
	assert_text(tree, CONTRAST "cause", "The result of single is wrong, so its time is not reported.");
	json_decref(tree);
}

/* Both do the same in the same time: what sets the pace is told, no cause is. */
static void the_pace_of_both(void **state)
{
	struct kernel k = plain;
	json_t *tree;

	(void)state;
	k.queue = 90000;
	tree = pair_of_kernels(&k, &k, NULL);
	assert_text(tree, CONTRAST "size", "same");
	assert_null_at(tree, CONTRAST "first_cause");
	assert_text(tree, CONTRAST "pace.id", "queue");
	assert_near(json_number_value(at(tree, CONTRAST "pace.double")), 100 * 90.0 / 170, 1e-6);
	for (size_t i = 0; i < json_array_size(at(tree, CONTRAST "causes")); i++)
		assert_false(tree_true(json_array_get(at(tree, CONTRAST "causes"), i), "named"));
	assert_text(tree, CONTRAST "because", "no difference: queue wait sets the pace of both");
	json_decref(tree);
}

/* What is done to a kernel that costs `more` of its time, and the cause that has to come first. */
static const char *plant(struct kernel *k, int kind, double more)
{
	double time = more * active_of(k) * k->occupancy;

	switch (kind) {
	case 0:
		k->barrier += time;
		return "barrier-wait";
	case 1:
		k->issue += time;
		k->instructions *= 1 + more;
		return "instructions";
	case 2:
		k->occupancy /= 1 + more;
		k->shared = 24000;
		return "occupancy";
	default:
		k->memory += time * 2 / 3;
		k->issue += time / 3;
		k->local_bytes = 128;
		return "spills";
	}
}

static void planted_in_kernels(void **state)
{
	struct random random = {1};

	(void)state;
	for (int i = 0; i < all_or(24, 8); i++) {
		struct kernel worse = plain;
		const char *want = plant(&worse, i % 4, 0.05 + 0.5 * random_uniform(&random));
		json_t *there = pair_of_kernels(&worse, &plain, NULL), *back = pair_of_kernels(&plain, &worse, NULL);

		assert_text(there, CONTRAST "first_cause", want);
		assert_text(back, CONTRAST "first_cause", want);
		parts_add_up(there);
		assert_near(ns_of(there, want), -ns_of(back, want), 1e-3);
		json_decref(there);
		json_decref(back);
	}
}

/* ---- pipelines ---- */

/* One chunk: copy in, kernel, copy out, with gaps before the kernel. */
struct chunk {
	int h2d, gap, kernel, d2h, beside; /* ns; beside: how far the kernel starts before the copy in ends */
	bool pageable;
};

static void write_called(struct recording *rec, int at_ns, int id)
{
	fixture_row(
		rec, "RUNTIME start=%d end=%d globalTid=" THREAD " correlationId=%d nameId=call", at_ns, at_ns + 1, id);
}

static void write_chunk(struct recording *rec, const struct chunk *c, int number, int at_ns)
{
	int kernel = at_ns + 1000 + c->h2d + c->gap - c->beside, out = kernel + c->kernel, id = 3 * at_ns;

	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=\"trace c %d\" globalTid=" THREAD " domainId=1", at_ns,
		at_ns + 100, number);
	for (int i = 0; i < 3; i++)
		write_called(rec, at_ns + 10 + 10 * i, id + i);
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS " shortName=k",
		kernel, out, id + 1);
	if (c->h2d + c->d2h == 0)
		return;
	fixture_row(rec,
		"MEMCPY start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
		" bytes=4096 copyKind=1 srcKind=%d dstKind=2",
		at_ns + 1000, at_ns + 1000 + c->h2d, id, c->pageable ? 0 : 1);
	fixture_row(rec,
		"MEMCPY start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
		" bytes=4096 copyKind=2 srcKind=2 dstKind=1",
		out, out + c->d2h, id + 2);
}

static int span_of_chunk(const struct chunk *c)
{
	return c->h2d + c->gap - c->beside + c->kernel + c->d2h;
}

enum { SLOT = 1000000, SIDE = (RUNS + 1) * SLOT };

static json_t *pair_of_pipelines(const struct chunk *a, const struct chunk *b)
{
	struct recording *rec = family_begin();

	write_right(rec);
	write_samples(rec, BLOCKS, span_of_chunk(a), span_of_chunk(b), 0, 0);
	fixture_row(rec, "NVTX start=0 eventType=75 text=dbprof globalTid=" THREAD " domainId=1");
	for (int side = 0; side < 2; side++) {
		fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=f/%s globalTid=" THREAD " domainId=1",
			side * SIDE + 1, side * SIDE + SIDE, side ? "b" : "a");
		for (int i = 0; i < RUNS; i++)
			write_chunk(rec, side ? b : a, i, side * SIDE + (i + 1) * SLOT / 2);
	}
	return family_end(rec);
}

static const struct chunk clean = {100000, 2000, 50000, 80000, 0, false};

static const char *plant_in_chunk(struct chunk *c, int kind, int ns)
{
	switch (kind) {
	case 0:
		c->gap += ns;
		return "host-late";
	case 1:
		c->h2d += ns;
		return "copy-rate";
	case 2:
		c->h2d += ns;
		c->pageable = true;
		return "pageable";
	default:
		c->kernel += ns;
		return "kernel-time";
	}
}

static void planted_in_pipelines(void **state)
{
	struct random random = {2};

	(void)state;
	for (int i = 0; i < all_or(24, 8); i++) {
		int ns = (int)(15000 + 100000 * random_uniform(&random));
		struct chunk worse = clean;
		const char *want = plant_in_chunk(&worse, i % 4, ns);
		json_t *there = pair_of_pipelines(&worse, &clean), *back = pair_of_pipelines(&clean, &worse);

		parts_add_up(there);
		assert_text(there, CONTRAST "first_cause", want);
		assert_text(back, CONTRAST "first_cause", want);
		assert_near(ns_of(there, want), ns, 1e-6);
		assert_near(ns_of(back, want), -ns, 1e-6);
		json_decref(there);
		json_decref(back);
	}
}

/* A recording that does not know the variant's own kernel: that the kernel is faster is the question, not its cause. */
static void a_kernel_of_which_only_the_time_is_known(void **state)
{
	static const struct chunk slow = {.kernel = 60000}, fast = {.kernel = 50000};
	json_t *tree = pair_of_pipelines(&slow, &fast);

	(void)state;
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_true_at(tree, CONTRAST "kernel_bound");
	assert_false_at(tree, CONTRAST "explained");
	assert_null_at(tree, CONTRAST "first_cause");
	assert_text(tree, CONTRAST "because", "not explained: counters of both sides are missing");
	json_decref(tree);
}

static void a_pipeline_in_the_tree(void **state)
{
	struct chunk dbl = clean;
	const json_t *where;
	json_t *tree;

	(void)state;
	dbl.beside = 40000;
	dbl.gap = 0;
	tree = pair_of_pipelines(&clean, &dbl);
	parts_add_up(tree);
	assert_text(tree, CONTRAST "first_cause", "copies-beside-kernels");
	assert_near(ns_of(tree, "copies-beside-kernels"), 40000, 1e-6);
	assert_near(ns_of(tree, "host-late"), 2000, 1e-6);
	assert_false(tree_true(cause_with_id(tree, "host-late"), "named")); /* too small to be said */
	where = json_object_get(cause_with_id(tree, "host-late"), "where");
	assert_string_equal(tree_text(where, "kind"), "call");
	assert_string_equal(tree_text(where, "text"), "k");
	assert_text(tree, CONTRAST "time.kind", "pipeline");
	assert_near(part_of_time(tree, "double", "kernel-copy"), 40000, 1e-6);
	assert_near(part_of_time(tree, "single", "idle"), 2000, 1e-6);
	assert_text(tree, CONTRAST "moved.0.key", "overlap_ns");
	assert_text(tree, CONTRAST "moved.0.pass", "trace");
	assert_text(tree, CONTRAST "because", "copies run beside kernels for 40.0 µs");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(a_barrier_in_the_tree),
		scratch_test(a_cost_has_an_action),
		scratch_test(a_kernel_without_counters),
		scratch_test(nothing_is_said_of_nothing),
		scratch_test(the_pace_of_both),
		scratch_test(planted_in_kernels),
		scratch_test(a_kernel_of_which_only_the_time_is_known),
		scratch_test(a_pipeline_in_the_tree),
		scratch_test(planted_in_pipelines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
