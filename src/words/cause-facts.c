/* cause-facts.c: see cause-facts.h. */
#include "words/cause-facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/counter-keys.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

struct told told_of(const json_t *family, const json_t *contrast)
{
	const char *label = tree_text(contrast, "case");
	const json_t *cost = json_object_get(contrast, "cost");

	return (struct told){
		.family = family,
		.contrast = contrast,
		.why = json_object_get(contrast, "why"),
		.side = {tree_case(tree_role(family, "single"), label), tree_case(tree_role(family, "double"), label)},
		.cost = {json_object_get(cost, "single"), json_object_get(cost, "double")},
	};
}

/* ---- of one side: 0 is single, 1 is double ---- */

static const char *side_key(int side)
{
	return side ? "double" : "single";
}

/* A key of the trace's work, such as "idle_ns". */
static double traced_work(const struct told *t, int side, const char *key)
{
	return tree_real(json_object_get(json_object_get(t->side[side], "trace"), "work"), key);
}

static double counter_of(const struct told *t, int side, const char *key)
{
	return tree_real(json_object_get(json_object_get(t->side[side], "counters"), "values"), key);
}

/* A value derived from counters that is in percent. */
static void percent_of(const struct told *t, int side, const char *key, char *text)
{
	format_percent(text, FORMAT_SIZE, counter_of(t, side, key) / 100);
}

static void time_fact(const struct told *t, int side, char *text)
{
	format_time_ns(text, FORMAT_SIZE, tree_real(t->contrast, side ? "double_ns" : "single_ns"));
}

static void kernel_fact(const struct told *t, int side, char *text)
{
	const json_t *work = json_object_get(json_object_get(t->side[side], "trace"), "work");

	format_time_ns(text, FORMAT_SIZE, tree_real(json_object_get(work, "busy_ns"), "kernel"));
}

static void overlap_fact(const struct told *t, int side, char *text)
{
	format_percent(text, FORMAT_SIZE, traced_work(t, side, "overlap_ratio"));
}

static void exposed_fact(const struct told *t, int side, char *text)
{
	format_time_ns(text, FORMAT_SIZE, traced_work(t, side, "exposed_copy_ns"));
}

static void duplex_fact(const struct told *t, int side, char *text)
{
	format_time_ns(text, FORMAT_SIZE, traced_work(t, side, "duplex_ns"));
}

static void idle_fact(const struct told *t, int side, char *text)
{
	format_time_ns(text, FORMAT_SIZE, traced_work(t, side, "idle_ns"));
}

static void copies_fact(const struct told *t, int side, char *text)
{
	format_time_ns(text, FORMAT_SIZE, tree_real(json_object_get(t->why, "copies_ns"), side_key(side)));
}

static void shared_fact(const struct told *t, int side, char *text)
{
	format_bytes(text, FORMAT_SIZE, tree_real(t->cost[side], "shared_bytes"));
}

static void registers_fact(const struct told *t, int side, char *text)
{
	format_count(text, FORMAT_SIZE, tree_real(t->cost[side], "registers"));
}

static void occupancy_fact(const struct told *t, int side, char *text)
{
	format_percent(text, FORMAT_SIZE, tree_real(t->cost[side], "theoretical"));
}

static void limiter_fact(const struct told *t, int side, char *text)
{
	clip_print(text, FORMAT_SIZE, "%s", tree_text(t->cost[side], "limiter"));
}

static void name_fact(const struct told *t, int side, char *text)
{
	clip_print(text, FORMAT_SIZE, "%s", tree_text(t->family, side_key(side)));
}

static void achieved_fact(const struct told *t, int side, char *text)
{
	percent_of(t, side, KEY_OCCUPANCY, text);
}

static void barrier_fact(const struct told *t, int side, char *text)
{
	percent_of(t, side, KEY_STALL_BARRIER, text);
}

static void loads_fact(const struct told *t, int side, char *text)
{
	percent_of(t, side, KEY_STALL_LONG_SCOREBOARD, text);
}

static void barriers_fact(const struct told *t, int side, char *text)
{
	format_count(text, FORMAT_SIZE, tree_real(json_object_get(t->why, "barriers"), side_key(side)));
}

static void instructions_fact(const struct told *t, int side, char *text)
{
	format_quantity(text, FORMAT_SIZE, counter_of(t, side, KEY_INSTRUCTIONS));
}

static void dram_fact(const struct told *t, int side, char *text)
{
	format_bytes(text, FORMAT_SIZE, counter_of(t, side, KEY_DRAM_BYTES));
}

/* The counter that the "why" names: a stall reason, or the throughput of a unit. */
static void risen_share(const struct told *t, int side, char *text)
{
	percent_of(t, side, tree_text(t->why, "risen"), text);
}

static void fallen_share(const struct told *t, int side, char *text)
{
	percent_of(t, side, tree_text(t->why, "fallen"), text);
}

static void top_share(const struct told *t, int side, char *text)
{
	percent_of(t, side, tree_text(t->why, "top"), text);
}

static void unit_share(const struct told *t, int side, char *text)
{
	percent_of(t, side, tree_text(t->why, "unit"), text);
}

/* {time.a} is the fact of single, {time.b} of double. */
static const struct side_fact {
	const char *name;
	void (*write)(const struct told *t, int side, char *text);
} side_facts[] = {
	{"time", time_fact},
	{"kernel", kernel_fact},
	{"overlap", overlap_fact},
	{"exposed", exposed_fact},
	{"duplex", duplex_fact},
	{"idle", idle_fact},
	{"copies", copies_fact},
	{"shared", shared_fact},
	{"registers", registers_fact},
	{"occupancy", occupancy_fact},
	{"limiter", limiter_fact},
	{"name", name_fact},
	{"achieved", achieved_fact},
	{"barrier", barrier_fact},
	{"loads", loads_fact},
	{"barriers", barriers_fact},
	{"instructions", instructions_fact},
	{"dram", dram_fact},
	{"risen", risen_share},
	{"fallen", fallen_share},
	{"top", top_share},
	{"unit", unit_share},
};

/* ---- of the pair ---- */

/* What a warp waits for, in words; a reason that is not here goes by its name. */
static const struct {
	const char *key, *words;
} reasons[] = {
	{"stall_barrier", "the other warps of the block at a barrier"},
	{"stall_long_scoreboard", "a value from global or local memory"},
	{"stall_short_scoreboard", "a value from shared memory"},
	{"stall_mio_throttle", "a place in the queue of the shared-memory pipe"},
	{"stall_lg_throttle", "a place in the queue of the global-memory pipe"},
	{"stall_tex_throttle", "a place in the queue of the texture pipe"},
	{"stall_math_pipe_throttle", "an arithmetic pipe in use by others"},
	{"stall_wait", "the fixed latency of its own last instruction"},
	{"stall_not_selected", "its turn, ready while another warp was issued"},
	{"stall_no_instruction", "its next instruction to be fetched"},
	{"stall_branch_resolving", "the target of a branch"},
	{"stall_membar", "its memory fence"},
	{"stall_drain", "its last stores before it ends"},
	{"stall_sleeping", "the end of its own sleep"},
};

/* "mio throttle (waiting for a place in ...)". */
static void stall_words(const char *key, char *text)
{
	clip_print(text, FORMAT_SIZE, "%s", is_stall_share(key) ? key + strlen(STALL_PREFIX) : key);
	for (char *c = text; *c; c++)
		*c = (char)(*c == '_' ? ' ' : *c);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(reasons[i].key, key) == 0)
			clip_append(text, FORMAT_SIZE, " (waiting for %s)", reasons[i].words);
	}
}

static void risen_fact(const struct told *t, char *text)
{
	stall_words(tree_text(t->why, "risen"), text);
}

static void fallen_fact(const struct told *t, char *text)
{
	stall_words(tree_text(t->why, "fallen"), text);
}

static void top_fact(const struct told *t, char *text)
{
	stall_words(tree_text(t->why, "top"), text);
}

static void unit_fact(const struct told *t, char *text)
{
	static const struct {
		const char *key, *words;
	} units[] = {
		{KEY_THROUGHPUT "dram", "device memory"},
		{KEY_THROUGHPUT "l2", "the L2 cache"},
		{KEY_THROUGHPUT "l1", "the unit of L1 cache and shared memory"},
		{KEY_THROUGHPUT "sm", "the SMs' issue slots and pipes"},
	};

	*text = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(tree_text(t->why, "unit"), units[i].key) == 0)
			clip_print(text, FORMAT_SIZE, "%s", units[i].words);
	}
}

/* "rise by 10.0 %". */
static void instructions_change(const struct told *t, char *text)
{
	double change = tree_real(t->why, "instructions_change");
	char percent[FORMAT_SIZE];

	clip_print(text, FORMAT_SIZE, "%s by %s", change < 0 ? "fall" : "rise",
		format_percent(percent, sizeof(percent), fabs(change)));
}

/* "one barrier fewer". */
static void fewer_barriers(const struct told *t, char *text)
{
	double fewer = tree_real(json_object_get(t->why, "barriers"), "fewer");

	if (fewer == 1)
		clip_print(text, FORMAT_SIZE, "one barrier fewer");
	else
		clip_print(text, FORMAT_SIZE, "%.0f barriers fewer", fewer);
}

static const json_t *control_of(const struct told *t)
{
	return json_object_get(json_object_get(t->contrast, "cost"), "control");
}

static void footprint_fact(const struct told *t, char *text)
{
	format_percent(text, FORMAT_SIZE, tree_real(control_of(t), "extra_share"));
}

static void control_fact(const struct told *t, char *text)
{
	clip_print(text, FORMAT_SIZE, "%s", tree_text(control_of(t), "variant"));
}

static const struct pair_fact {
	const char *name;
	void (*write)(const struct told *t, char *text);
} pair_facts[] = {
	{"instruction change", instructions_change},
	{"fewer barriers", fewer_barriers},
	{"footprint", footprint_fact},
	{"control", control_fact},
	{"unit", unit_fact},
	{"risen", risen_fact},
	{"fallen", fallen_fact},
	{"top", top_fact},
};

/* ---- by name ---- */

static bool same_name(const char *known, const char *name, size_t length)
{
	return strlen(known) == length && strncmp(known, name, length) == 0;
}

bool cause_fact(const struct told *t, const char *name, size_t length, char *text)
{
	bool sided = length > 2 && name[length - 2] == '.';

	for (size_t i = 0; i < sizeof(pair_facts) / sizeof(pair_facts[0]); i++) {
		if (same_name(pair_facts[i].name, name, length)) {
			pair_facts[i].write(t, text);
			return true;
		}
	}
	for (size_t i = 0; sided && i < sizeof(side_facts) / sizeof(side_facts[0]); i++) {
		if (same_name(side_facts[i].name, name, length - 2)) {
			side_facts[i].write(t, name[length - 1] == 'b', text);
			return true;
		}
	}
	return false;
}
