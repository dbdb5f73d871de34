/* cause.c: the rules that name a cause, each on a pair where it speaks and on one where it must not. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analyze.h"
#include "model/family/contrast/cause.h"
#include "model/family/contrast/contrast.h"
#include "model/family/contrast/cause-rules.h"
#include "model/family/contrast/cost.h"
#include "model/family/measured.h"
#include "tree/json.h"
#include "words/cause.h"

enum { WRONG = 1, NO_TIME = 2, NO_RESOURCES = 4, NO_OCCUPANCY = 8, PIPELINE = 16 };

/* One side of a pair. What is 0 is as in side_of(). */
struct side {
	unsigned flags;
	const char *values; /* of counters, as JSON with ' for ", without its braces */
	int ns, kernel_ns, shared, registers, warps, buffers, barriers;
	int copy, overlap, duplex, idle; /* of a pipeline, in ns */
};

struct pair {
	enum verdict verdict;
	struct side a, b;
	struct side control; /* there is one if its `ns` is not 0 */
	enum verdict footprint;
};

static double value_or(int value, int other)
{
	return value ? value : other;
}

static json_t *counters_of_side(const struct side *side)
{
	json_error_t error;
	char text[512];
	json_t *tree;

	if (!side->values)
		return NULL;
	snprintf(text, sizeof text, "{'values': {%s}}", side->values);
	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	tree = json_loads(text, 0, &error);
	if (!tree)
		fail_msg("%s: %s", text, error.text);
	return tree;
}

/* A kernel of 3900 ns in a launch of 4000 ns, 4 KiB of shared memory, 16 registers and all warps, if not said else. */
static struct measured side_of(const struct side *side, const char *name)
{
	bool timed = !(side->flags & (WRONG | NO_TIME)), pipeline = side->flags & PIPELINE;
	int64_t kernel = (int64_t)value_or(side->kernel_ns, 3900);

	return (struct measured){
		.variant = name,
		.withheld = side->flags & WRONG,
		.n = timed ? 20 : 0,
		.time = {.n = timed ? 20 : 0, .median = timed ? value_or(side->ns, 4000) : (double)NAN},
		.work = {.n = 1},
		.overlap = {.span = 10000,
			.busy = {[WORK_H2D] = side->copy, [WORK_KERNEL] = kernel},
			.busy_copy = side->copy,
			.overlap = side->overlap,
			.exposed_copy = side->copy - side->overlap,
			.overlap_ratio = pipeline ? (double)side->overlap / side->copy : (double)NAN,
			.duplex = side->duplex,
			.idle = side->idle},
		.has_resources = !(side->flags & (NO_RESOURCES | PIPELINE)),
		.kernel = {.threads = 256,
			.registers = (int)value_or(side->registers, 16),
			.shared_bytes = (int64_t)value_or(side->shared, 4096)},
		.has_occupancy = !(side->flags & (NO_RESOURCES | NO_OCCUPANCY | PIPELINE)),
		.occupancy = {.share = value_or(side->warps, 64) / 64,
			.warps = (int)value_or(side->warps, 64),
			.limiter = side->warps ? LIMIT_SHARED : LIMIT_WARPS},
		.buffers = side->buffers,
		.barriers = side->barriers,
		.counters = counters_of_side(side),
	};
}

/* Both sides and the control of a pair; counters are owned. */
struct built {
	struct measured a, b, control;
	struct contrast contrast;
};

static void build(const struct pair *pair, struct built *out)
{
	out->a = side_of(&pair->a, "one");
	out->b = side_of(&pair->b, "two");
	out->control = side_of(&pair->control, "padded");
	out->contrast = (struct contrast){.single = &out->a,
		.dbl = &out->b,
		.verdict = pair->verdict,
		.control = pair->control.ns ? &out->control : NULL,
		.footprint_verdict = pair->footprint};
}

/* What the sentence reads of one side. */
static json_t *variant_tree(const struct measured *m)
{
	const struct overlap *o = &m->overlap;
	json_t *work = json_pack("{s:{s:I}, s:I, s:I, s:I, s:o}", "busy_ns", "kernel", (json_int_t)o->busy[WORK_KERNEL],
		"exposed_copy_ns", (json_int_t)o->exposed_copy, "duplex_ns", (json_int_t)o->duplex, "idle_ns",
		(json_int_t)o->idle, "overlap_ratio", real_json(o->overlap_ratio));

	return json_pack("{s:s, s:[{s:s, s:{s:o}, s:O?}]}", "name", m->variant, "cases", "case", "c", "trace", "work",
		work, "counters", m->counters);
}

static json_t *family_tree(const struct built *built)
{
	return json_pack("{s:s, s:s, s:[o, o, o]}", "single", built->a.variant, "double", built->b.variant, "variants",
		variant_tree(&built->a), variant_tree(&built->b), variant_tree(&built->control));
}

static json_t *contrast_tree(const struct built *built)
{
	const struct contrast *c = &built->contrast;

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "case", "c", "verdict", verdict_name(c->verdict),
		"single_ns", real_json(c->single->time.median), "double_ns", real_json(c->dbl->time.median), "why",
		why_json(c), "cost", cost_json(c));
}

static void sentence_of(const struct built *built, char *text, size_t size)
{
	json_t *family = family_tree(built), *contrast = contrast_tree(built);

	assert_non_null(family);
	assert_non_null(contrast);
	cause_words(family, contrast, text, size);
	json_decref(family);
	json_decref(contrast);
}

static void unbuild(struct built *built)
{
	json_decref(built->a.counters);
	json_decref(built->b.counters);
	json_decref(built->control.counters);
}

#define PIPE(copied, overlapped) .flags = PIPELINE, .copy = (copied), .overlap = (overlapped), .kernel_ns = 1000
#define STALLS(barrier, loads, wait)                                                                                   \
	"'stall_barrier': " #barrier ", 'stall_long_scoreboard': " #loads ", 'stall_wait': " #wait
#define ACHIEVED(percent) "'occupancy_achieved': " #percent
#define EXECUTED(n) "'inst_executed': " #n

/* `part` of the sentence stands in that of `speaks`; `silent` differs in what must keep the rule from it. */
static const struct example {
	const char *rule, *part;
	struct pair speaks, silent;
} examples[] = {
	{"single_wrong", "one came out wrong", {VERDICT_UNCLEAR, {.flags = WRONG}, {0}, {0}, 0},
		{VERDICT_UNCLEAR, {0}, {.flags = WRONG}, {0}, 0}},
	{"double_wrong", "two came out wrong", {VERDICT_UNCLEAR, {0}, {.flags = WRONG}, {0}, 0},
		{VERDICT_UNCLEAR, {0}, {0}, {0}, 0}},
	{"overlap_pays",
		"overlap 20.0 % of the copy time instead of 0 %, so exposed copy falls from 4.00 µs to 3.20 µs",
		{VERDICT_FASTER, {PIPE(4000, 0)}, {PIPE(4000, 800)}, {0}, 0},
		{VERDICT_SLOWER, {PIPE(4000, 0)}, {PIPE(4000, 800)}, {0}, 0}},
	{"overlap_rose",
		"no gain: copies and kernels overlap 20.0 % of the copy time instead of 0 %, but the copies take 5.00 "
		"µs",
		{VERDICT_SLOWER, {PIPE(4000, 0)}, {PIPE(5000, 1000)}, {0}, 0},
		{VERDICT_SLOWER, {PIPE(4000, 0)}, {PIPE(5000, 200)}, {0}, 0}},
	{"duplex_rose", "both copy directions run at once for 1.50 µs instead of 0 ns",
		{VERDICT_FASTER, {PIPE(4000, 0)}, {PIPE(4000, 0), .duplex = 1500}, {0}, 0},
		{VERDICT_FASTER, {PIPE(4000, 0), .duplex = 1500}, {PIPE(4000, 0), .duplex = 1500}, {0}, 0}},
	{"idle_changed", "what changes is the GPU's idle time, 600 ns instead of 0 ns",
		{VERDICT_SLOWER, {PIPE(4000, 0)}, {PIPE(4000, 0), .idle = 600}, {0}, 0},
		{VERDICT_SLOWER, {PIPE(4000, 0)}, {PIPE(4000, 0), .idle = 400}, {0}, 0}},
	{"pipelines", "exposed copy is 4.00 µs (4.00 µs in single)",
		{VERDICT_SAME, {PIPE(4000, 0)}, {PIPE(4000, 0)}, {0}, 0}, {VERDICT_SAME, {PIPE(4000, 0)}, {0}, {0}, 0}},
	{"short_kernels",
		"a launch takes 4.00 µs (4.00 µs in single), of which the kernel itself runs 1.90 µs (2.10 µs)",
		{VERDICT_UNCLEAR, {.kernel_ns = 2100}, {.kernel_ns = 1900}, {0}, 0},
		{VERDICT_UNCLEAR, {.kernel_ns = 2100}, {.kernel_ns = 3900}, {0}, 0}},

	{"fewer_barriers_pay",
		"one barrier fewer in the compiled code (1 instead of 2): barrier stalls fall from 44.0 % to 31.0 %",
		{VERDICT_FASTER, {.values = STALLS(44, 20, 5), .barriers = 2},
			{.values = STALLS(31, 22, 6), .barriers = 1}, {0}, 0},
		/* As many barriers as before. */
		{VERDICT_FASTER, {.values = STALLS(44, 20, 5), .barriers = 2},
			{.values = STALLS(31, 22, 6), .barriers = 2}, {0}, 0}},
	{"fewer_waits_pay",
		"warps wait less: long scoreboard (waiting for a value from global or local memory) takes 20.0 % of "
		"warp time instead of 50.0 %",
		{VERDICT_FASTER, {.values = STALLS(10, 50, 5)}, {.values = STALLS(10, 20, 8)}, {0}, 0},
		{VERDICT_FASTER, {.values = STALLS(10, 50, 5)}, {.values = STALLS(10, 46, 8)}, {0}, 0}},
	{"occupancy_pays", "more warps run at once: achieved occupancy rises from 50.0 % to 75.0 %",
		{VERDICT_FASTER, {.values = ACHIEVED(50)}, {.values = ACHIEVED(75)}, {0}, 0},
		{VERDICT_SLOWER, {.values = ACHIEVED(50)}, {.values = ACHIEVED(75)}, {0}, 0}},
	{"instructions_pay", "less work: 90.0 k instructions executed instead of 100 k",
		{VERDICT_FASTER, {.values = EXECUTED(100000)}, {.values = EXECUTED(90000)}, {0}, 0},
		{VERDICT_FASTER, {.values = EXECUTED(100000)}, {.values = EXECUTED(99000)}, {0}, 0}},
	{"traffic_pays", "less traffic: 4.00 KiB to and from device memory instead of 8.00 KiB",
		{VERDICT_FASTER, {.values = "'dram_bytes': 8192"}, {.values = "'dram_bytes': 4096"}, {0}, 0},
		{VERDICT_FASTER, {.values = "'dram_bytes': 8192"}, {.values = "'dram_bytes': 8000"}, {0}, 0}},

	{"footprint_costs",
		"no gain, because the larger footprint costs time by itself: with the code of one and the shared "
		"memory of two, padded takes 10.0 % longer than one",
		{VERDICT_SLOWER, {.ns = 4000}, {.ns = 4500, .shared = 8192}, {.ns = 4400, .shared = 8192},
			VERDICT_SLOWER},
		/* 80 of the 500 ns only. */
		{VERDICT_SLOWER, {.ns = 4000}, {.ns = 4500, .shared = 8192}, {.ns = 4080, .shared = 8192},
			VERDICT_SLOWER}},
	{"bound",
		"no gain, because device memory is at 92.0 % of peak (90.0 % in single): waiting less can hardly make "
		"this "
		"code faster",
		{VERDICT_SAME, {.values = "'throughput_dram': 90, 'throughput_sm': 20"},
			{.values = "'throughput_dram': 92, 'throughput_sm': 20"}, {0}, 0},
		{VERDICT_SAME, {.values = "'throughput_dram': 70, 'throughput_sm': 20"},
			{.values = "'throughput_dram': 92, 'throughput_sm': 20"}, {0}, 0}},
	{"occupancy_costs",
		"no gain, because fewer warps run at once: achieved occupancy falls from 90.0 % to 45.0 %, limited by "
		"shared memory",
		{VERDICT_SLOWER, {.values = ACHIEVED(90)}, {.values = ACHIEVED(45), .warps = 32}, {0}, 0},
		/* The control has as few warps and loses nothing. */
		{VERDICT_SLOWER, {.values = ACHIEVED(90)}, {.values = ACHIEVED(45), .warps = 32},
			{.ns = 4000, .warps = 32}, VERDICT_SAME}},
	{"waiting_moved",
		"no gain, because the waiting only moved: barrier stalls fall from 40.0 % to 20.0 % of warp time, but "
		"long scoreboard (waiting for a value from global or local memory) rises from 20.0 % to 38.0 %",
		{VERDICT_SAME, {.values = STALLS(40, 20, 5)}, {.values = STALLS(20, 38, 6)}, {0}, 0},
		{VERDICT_FASTER, {.values = STALLS(40, 20, 5)}, {.values = STALLS(20, 38, 6)}, {0}, 0}},
	{"waits_cost",
		"no gain, because warps wait longer: wait (waiting for the fixed latency of its own last instruction) "
		"takes 25.0 % of warp time instead of 5.00 %",
		{VERDICT_SLOWER, {.values = STALLS(40, 20, 5)}, {.values = STALLS(38, 20, 25)}, {0}, 0},
		{VERDICT_SLOWER, {.values = STALLS(40, 20, 5)}, {.values = STALLS(38, 20, 9)}, {0}, 0}},
	{"load_not_hidden",
		"no gain, because the second buffer does not hide the wait for global memory: warps spend 51.0 % of "
		"their time in it (50.0 % in single)",
		{VERDICT_SAME, {.values = STALLS(20, 50, 5), .buffers = 1}, {.values = STALLS(18, 51, 5), .buffers = 2},
			{0}, 0},
		/* A pair that is not about buffering. */
		{VERDICT_SAME, {.values = STALLS(20, 50, 5), .buffers = 1}, {.values = STALLS(18, 51, 5), .buffers = 1},
			{0}, 0}},
	{"instructions_cost", "no gain, because there is more work: 110 k instructions executed instead of 100 k",
		{VERDICT_SLOWER, {.values = EXECUTED(100000)}, {.values = EXECUTED(110000)}, {0}, 0},
		{VERDICT_SLOWER, {.values = EXECUTED(100000)}, {.values = EXECUTED(101000)}, {0}, 0}},
	{"little_to_hide",
		"no gain, because barriers and waiting for loads took only 3.00 % and 4.00 % of warp time with one "
		"buffer, so there was little to hide; most goes to wait (waiting for the fixed latency of its own last "
		"instruction): 60.0 %",
		{VERDICT_SAME, {.values = STALLS(3, 4, 60), .buffers = 1}, {.values = STALLS(2, 4, 60), .buffers = 2},
			{0}, 0},
		{VERDICT_SAME, {.values = STALLS(3, 8, 60), .buffers = 1}, {.values = STALLS(2, 8, 60), .buffers = 2},
			{0}, 0}},
	{"barrier_was_cheap",
		"no gain, because barriers took only 3.00 % of warp time with one buffer, so there was little to save; "
		"most goes to wait",
		{VERDICT_SAME, {.values = STALLS(3, 20, 25), .buffers = 1}, {.values = STALLS(2, 20, 25), .buffers = 2},
			{0}, 0},
		{VERDICT_SAME, {.values = STALLS(8, 20, 25), .buffers = 1}, {.values = STALLS(7, 20, 25), .buffers = 2},
			{0}, 0}},
	{"same_waits",
		"no gain, because warps wait for the same thing in both: barrier (waiting for the other warps of the "
		"block at a barrier), 41.0 % of warp time (40.0 % in single)",
		{VERDICT_SAME, {.values = STALLS(40, 20, 5)}, {.values = STALLS(41, 20, 5)}, {0}, 0},
		{VERDICT_SAME, {.values = STALLS(25, 20, 5)}, {.values = STALLS(26, 20, 5)}, {0}, 0}},

	{"shared_and_occupancy_changed",
		"shared memory per block goes from 4.00 KiB to 8.00 KiB and occupancy from 100 % to 50.0 %, limited by "
		"shared memory",
		{VERDICT_SLOWER, {0}, {.shared = 8192, .warps = 32}, {0}, 0},
		{VERDICT_SLOWER, {0}, {.shared = 8192}, {0}, 0}},
	{"registers_and_occupancy_changed", "registers per thread go from 16 to 64 and occupancy from 100 % to 50.0 %",
		{VERDICT_SLOWER, {0}, {.registers = 64, .warps = 32}, {0}, 0},
		{VERDICT_SLOWER, {0}, {.registers = 64}, {0}, 0}},
	{"shared_changed_alone", "shared memory per block goes from 4.00 KiB to 8.00 KiB, and occupancy stays at 100 %",
		{VERDICT_FASTER, {0}, {.shared = 8192}, {0}, 0}, {VERDICT_FASTER, {0}, {0}, {0}, 0}},
	{"registers_changed_alone", "registers per thread go from 16 to 24, and occupancy stays at 100 %",
		{VERDICT_FASTER, {0}, {.registers = 24}, {0}, 0}, {VERDICT_FASTER, {0}, {0}, {0}, 0}},
	{"shared_changed", "shared memory per block goes from 4.00 KiB to 8.00 KiB",
		{VERDICT_FASTER, {.flags = NO_OCCUPANCY}, {.flags = NO_OCCUPANCY, .shared = 8192}, {0}, 0},
		{VERDICT_FASTER, {.flags = NO_OCCUPANCY}, {.flags = NO_OCCUPANCY}, {0}, 0}},
	{"registers_changed", "registers per thread go from 16 to 24",
		{VERDICT_FASTER, {.flags = NO_OCCUPANCY}, {.flags = NO_OCCUPANCY, .registers = 24}, {0}, 0},
		{VERDICT_FASTER, {.flags = NO_OCCUPANCY}, {.flags = NO_OCCUPANCY}, {0}, 0}},
	{"same_resources", "with the same registers and the same shared memory", {VERDICT_FASTER, {0}, {0}, {0}, 0},
		{VERDICT_FASTER, {0}, {.shared = 8192}, {0}, 0}},
	{"timed", "4.00 µs per launch against 4.00 µs; why is measured by passes that this recording lacks",
		{VERDICT_FASTER, {.flags = NO_RESOURCES}, {.flags = NO_RESOURCES}, {0}, 0},
		{VERDICT_FASTER, {.flags = NO_RESOURCES | NO_TIME}, {.flags = NO_RESOURCES}, {0}, 0}},
	{"always", "the recording has no times of both",
		{VERDICT_UNCLEAR, {.flags = NO_RESOURCES | NO_TIME}, {.flags = NO_RESOURCES}, {0}, 0},
		{VERDICT_UNCLEAR, {.flags = NO_RESOURCES}, {.flags = NO_RESOURCES}, {0}, 0}},

	{"achieved_fell", "; achieved occupancy falls from 90.0 % to 80.0 %",
		{VERDICT_FASTER, {.values = EXECUTED(100) ", " ACHIEVED(90)},
			{.values = EXECUTED(90) ", " ACHIEVED(80)}, {0}, 0},
		{VERDICT_FASTER, {.values = EXECUTED(100) ", " ACHIEVED(90)},
			{.values = EXECUTED(90) ", " ACHIEVED(86)}, {0}, 0}},
	{"achieved_rose", "; achieved occupancy rises from 80.0 % to 90.0 %",
		{VERDICT_SLOWER, {.values = EXECUTED(100) ", " ACHIEVED(80)},
			{.values = EXECUTED(110) ", " ACHIEVED(90)}, {0}, 0},
		{VERDICT_SLOWER, {.values = EXECUTED(100) ", " ACHIEVED(80)},
			{.values = EXECUTED(110) ", " ACHIEVED(84)}, {0}, 0}},
	{"achieved_same", "; achieved occupancy is unchanged (89.5 %)",
		{VERDICT_FASTER, {.values = EXECUTED(100) ", " ACHIEVED(90)},
			{.values = EXECUTED(90) ", " ACHIEVED(89.5)}, {0}, 0},
		{VERDICT_FASTER, {.values = EXECUTED(100) ", " ACHIEVED(90)},
			{.values = EXECUTED(90) ", " ACHIEVED(88.5)}, {0}, 0}},
	{"achieved_known", "; achieved occupancy hardly changes (90.0 % to 87.0 %)",
		{VERDICT_FASTER, {.values = EXECUTED(100) ", " ACHIEVED(90)},
			{.values = EXECUTED(90) ", " ACHIEVED(87)}, {0}, 0},
		{VERDICT_FASTER, {.values = EXECUTED(100)}, {.values = EXECUTED(90) ", " ACHIEVED(87)}, {0}, 0}},
	{"instructions_changed", "; instructions executed rise by 10.0 %",
		{VERDICT_SLOWER, {.values = EXECUTED(100) ", " STALLS(40, 20, 5)},
			{.values = EXECUTED(110) ", " STALLS(38, 20, 25)}, {0}, 0},
		{VERDICT_SLOWER, {.values = EXECUTED(100) ", " STALLS(40, 20, 5)},
			{.values = EXECUTED(101) ", " STALLS(38, 20, 25)}, {0}, 0}},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void assert_example(const struct example *example, const struct pair *pair, bool speaks)
{
	struct built built;
	char text[1024];

	build(pair, &built);
	sentence_of(&built, text, sizeof text);
	if (cause_speaks(&built.contrast, example->rule) != speaks)
		fail_msg("%s %s: %s", example->rule, speaks ? "is silent" : "speaks", text);
	if (speaks && !strstr(text, example->part))
		fail_msg("%s: '%s' is not in '%s'", example->rule, example->part, text);
	if (strpbrk(text, "{}") || (speaks && strstr(text, "n/a")))
		fail_msg("%s: a fact without a value: %s", example->rule, text);
	unbuild(&built);
}

static void rules_speak(void **state)
{
	(void)state;
	for (int i = 0; i < EXAMPLES; i++)
		assert_example(&examples[i], &examples[i].speaks, true);
}

static void rules_are_silent(void **state)
{
	(void)state;
	for (int i = 0; i < EXAMPLES; i++)
		assert_example(&examples[i], &examples[i].silent, false);
}

/* A rule that no example shows would be a rule that may hold for every pair. */
static void every_rule_has_its_example(void **state)
{
	size_t rules = 0;

	(void)state;
	for (; cause_rule(rules); rules++) {
		int found = 0;

		for (int i = 0; i < EXAMPLES; i++)
			found += strcmp(examples[i].rule, cause_rule(rules)) == 0;
		if (found != 1)
			fail_msg("%s has %d examples", cause_rule(rules), found);
	}
	assert_int_equal(rules, EXAMPLES);
}

/* What was not measured explains nothing: a pair without counters never gets a sentence of them. */
static void no_counters_no_cause_from_counters(void **state)
{
	(void)state;
	for (int i = 0; i < EXAMPLES; i++) {
		struct pair pair = examples[i].speaks;
		struct built built;

		if (!pair.a.values)
			continue;
		pair.a.values = NULL;
		build(&pair, &built);
		if (cause_speaks(&built.contrast, examples[i].rule))
			fail_msg("%s speaks of counters that single lacks", examples[i].rule);
		unbuild(&built);
	}
}

/* A warp that is ready but not selected waits for nothing; neither more of that nor less is a cause. */
static void being_ready_is_no_wait(void **state)
{
	static const char few[] = "'stall_not_selected': 10, 'stall_wait': 20",
			  many[] = "'stall_not_selected': 40, 'stall_wait': 20";
	static const struct {
		const char *rule;
		struct pair pair;
	} silent[] = {
		{"waits_cost", {VERDICT_SLOWER, {.values = few}, {.values = many}, {0}, 0}},
		{"fewer_waits_pay", {VERDICT_FASTER, {.values = many}, {.values = few}, {0}, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
		struct built built;

		build(&silent[i].pair, &built);
		assert_false(cause_speaks(&built.contrast, silent[i].rule));
		unbuild(&built);
	}
}

static void no_gain_comes_first(void **state)
{
	static const struct pair slower = {VERDICT_SLOWER, {0}, {.ns = 4100, .shared = 8192}, {0}, 0},
				 faster = {VERDICT_FASTER, {0}, {.ns = 3000, .shared = 8192}, {0}, 0},
				 unclear = {VERDICT_UNCLEAR, {0}, {.ns = 4000, .shared = 8192}, {0}, 0};
	static const struct {
		const struct pair *pair;
		const char *start;
	} openings[] = {{&slower, "no gain: "}, {&faster, "3.00 µs per launch"}, {&unclear, "no clear result: "}};

	(void)state;
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		struct built built;
		char text[1024];

		build(openings[i].pair, &built);
		sentence_of(&built, text, sizeof text);
		if (strncmp(text, openings[i].start, strlen(openings[i].start)) != 0)
			fail_msg("'%s' does not begin with '%s'", text, openings[i].start);
		unbuild(&built);
	}
}

/* A buffer that is too small cuts the sentence, and nothing else. */
static void a_sentence_is_cut_not_spilt(void **state)
{
	const struct pair *pair = &examples[2].speaks;
	struct built built;
	char text[64];

	(void)state;
	build(pair, &built);
	memset(text, 'x', sizeof text);
	sentence_of(&built, text, 20);
	assert_int_equal(strlen(text), 19);
	assert_int_equal(text[20], 'x');
	unbuild(&built);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_speak),
		cmocka_unit_test(rules_are_silent),
		cmocka_unit_test(every_rule_has_its_example),
		cmocka_unit_test(no_counters_no_cause_from_counters),
		cmocka_unit_test(being_ready_is_no_wait),
		cmocka_unit_test(no_gain_comes_first),
		cmocka_unit_test(a_sentence_is_cut_not_spilt),
	};

	return cmocka_run_group_tests_name("cause", tests, NULL, NULL);
}
