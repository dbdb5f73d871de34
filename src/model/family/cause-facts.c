/* cause-facts.c: what a cause's sentence may name in braces, as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/cause-rules.h"
#include "model/family/contrast.h"
#include "model/family/counters.h"
#include "model/family/measure.h"
#include "tree/counter-keys.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* ---- of one side ---- */

static char *cause_facts_time_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, m->time.median);
}

static char *kernel_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.busy[WORK_KERNEL]);
}

static char *overlap_of(const struct measured *m, char *text)
{
	return format_percent(text, FORMAT_SIZE, m->overlap.overlap_ratio);
}

static char *exposed_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.exposed_copy);
}

static char *duplex_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.duplex);
}

static char *idle_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.idle);
}

static char *copies_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)(m->overlap.busy[WORK_H2D] + m->overlap.busy[WORK_D2H]));
}

static char *shared_of(const struct measured *m, char *text)
{
	return format_bytes(text, FORMAT_SIZE, (double)m->kernel.shared_bytes);
}

static char *cause_facts_registers_of(const struct measured *m, char *text)
{
	return format_count(text, FORMAT_SIZE, m->kernel.registers);
}

static char *occupancy_of(const struct measured *m, char *text)
{
	return format_percent(text, FORMAT_SIZE, m->occupancy.share);
}

static char *limiter_of(const struct measured *m, char *text)
{
	snprintf(text, FORMAT_SIZE, "%s", occupancy_limiter_name(m->occupancy.limiter));
	return text;
}

static char *cause_facts_name_of(const struct measured *m, char *text)
{
	clip_print(text, FORMAT_SIZE, "%s", m->variant);
	return text;
}

static char *percent_of(const struct measured *m, const char *key, char *text)
{
	return format_percent(text, FORMAT_SIZE, counter_value(m, key) / 100);
}

static char *achieved_of(const struct measured *m, char *text)
{
	return percent_of(m, KEY_OCCUPANCY, text);
}

static char *barrier_of_time(const struct measured *m, char *text)
{
	return percent_of(m, KEY_STALL_BARRIER, text);
}

static char *loads_of(const struct measured *m, char *text)
{
	return percent_of(m, KEY_STALL_LONG_SCOREBOARD, text);
}

static char *barriers_of(const struct measured *m, char *text)
{
	return format_count(text, FORMAT_SIZE, m->barriers);
}

static char *instructions_of(const struct measured *m, char *text)
{
	return format_quantity(text, FORMAT_SIZE, counter_value(m, KEY_INSTRUCTIONS));
}

static char *dram_of(const struct measured *m, char *text)
{
	return format_bytes(text, FORMAT_SIZE, counter_value(m, KEY_DRAM_BYTES));
}

/* {time.a} is the fact of single, {time.b} of double. */
static const struct fact {
	const char *name;
	char *(*write)(const struct measured *m, char *text);
} facts[] = {
	{"time", cause_facts_time_of},
	{"kernel", kernel_of},
	{"overlap", overlap_of},
	{"exposed", exposed_of},
	{"duplex", duplex_of},
	{"idle", idle_of},
	{"copies", copies_of},
	{"shared", shared_of},
	{"registers", cause_facts_registers_of},
	{"occupancy", occupancy_of},
	{"limiter", limiter_of},
	{"name", cause_facts_name_of},
	{"achieved", achieved_of},
	{"barrier", barrier_of_time},
	{"loads", loads_of},
	{"barriers", barriers_of},
	{"instructions", instructions_of},
	{"dram", dram_of},
};

/* ---- stall reasons ---- */

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

/* "mio throttle (a place in ...)". */
static char *cause_facts_reason_words(const char *key, char *text)
{
	const char *reason = key + strlen(STALL_PREFIX);
	clip_print(text, FORMAT_SIZE, "%s", reason);
	for (char *c = text; *c; c++)
		if (*c == '_')
			*c = ' ';
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(reasons[i].key, key) == 0)
			clip_append(text, FORMAT_SIZE, " (waiting for %s)", reasons[i].words);
	}
	return text;
}

double counter_change(const struct contrast *c, const char *key)
{
	return counter_value(c->dbl, key) - counter_value(c->single, key);
}

/* The stall reason whose share changes most upwards (sign 1) or downwards (-1). A ready warp that is not selected waits
 * for nothing that a variant could spare it. */
static const char *most_changed(const struct contrast *c, int sign)
{
	json_t *values = json_object_get(c->dbl->counters, "values"), *value;
	const char *key, *found = NULL;
	double most = 0;

	json_object_foreach(values, key, value)
	{
		if (strcmp(key, KEY_STALL_NOT_SELECTED) == 0)
			continue;
		if (is_stall_share(key) && sign * counter_change(c, key) > most) {
			most = sign * counter_change(c, key);
			found = key;
		}
	}
	return found;
}

const char *most_risen(const struct contrast *c)
{
	return most_changed(c, 1);
}

const char *most_fallen(const struct contrast *c)
{
	return most_changed(c, -1);
}

const char *top_stall(const struct measured *m)
{
	json_t *values = json_object_get(m->counters, "values"), *value;
	const char *key, *found = NULL;
	double most = 0;

	json_object_foreach(values, key, value)
	{
		if (is_stall_share(key) && counter_value(m, key) > most) {
			most = counter_value(m, key);
			found = key;
		}
	}
	return found;
}

/* Throughputs in % of peak. */
static const struct {
	const char *key, *words;
} units[] = {
	{KEY_THROUGHPUT "dram", "device memory"},
	{KEY_THROUGHPUT "l2", "the L2 cache"},
	{KEY_THROUGHPUT "l1", "the unit of L1 cache and shared memory"},
	{KEY_THROUGHPUT "sm", "the SMs' issue slots and pipes"},
};

const char *busiest_unit(const struct contrast *c)
{
	const char *found = NULL;
	double most = 0;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double value = counter_value(c->dbl, units[i].key);

		if (value > most) {
			most = value;
			found = units[i].key;
		}
	}
	return found;
}

/* ---- of the pair ---- */

static char *change_of_instructions(const struct contrast *c, char *text)
{
	double change = counter_change(c, KEY_INSTRUCTIONS);
	int used = snprintf(text, FORMAT_SIZE, "%s by ", change < 0 ? "fall" : "rise");

	format_percent(
		text + used, (size_t)(FORMAT_SIZE - used), fabs(change) / counter_value(c->single, KEY_INSTRUCTIONS));
	return text;
}

/* "one barrier fewer". */
static char *fewer_barriers(const struct contrast *c, char *text)
{
	int fewer = c->single->barriers - c->dbl->barriers;

	if (fewer == 1)
		snprintf(text, FORMAT_SIZE, "one barrier fewer");
	else
		snprintf(text, FORMAT_SIZE, "%d barriers fewer", fewer);
	return text;
}

static char *cause_facts_footprint_words(const struct contrast *c, char *text)
{
	return format_percent(text, FORMAT_SIZE, c->control->time.median / c->single->time.median - 1);
}

static char *control_name(const struct contrast *c, char *text)
{
	clip_print(text, FORMAT_SIZE, "%s", c->control->variant);
	return text;
}

static char *unit_words(const struct contrast *c, char *text)
{
	const char *key = busiest_unit(c);

	*text = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (key == units[i].key)
			snprintf(text, FORMAT_SIZE, "%s", units[i].words);
	}
	return text;
}

static char *unit_a(const struct contrast *c, char *text)
{
	return percent_of(c->single, busiest_unit(c), text);
}

static char *unit_b(const struct contrast *c, char *text)
{
	return percent_of(c->dbl, busiest_unit(c), text);
}

static char *risen_words(const struct contrast *c, char *text)
{
	return cause_facts_reason_words(most_risen(c), text);
}

static char *risen_a(const struct contrast *c, char *text)
{
	return percent_of(c->single, most_risen(c), text);
}

static char *risen_b(const struct contrast *c, char *text)
{
	return percent_of(c->dbl, most_risen(c), text);
}

static char *fallen_words(const struct contrast *c, char *text)
{
	return cause_facts_reason_words(most_fallen(c), text);
}

static char *fallen_a(const struct contrast *c, char *text)
{
	return percent_of(c->single, most_fallen(c), text);
}

static char *fallen_b(const struct contrast *c, char *text)
{
	return percent_of(c->dbl, most_fallen(c), text);
}

static char *top_words(const struct contrast *c, char *text)
{
	return cause_facts_reason_words(top_stall(c->dbl), text);
}

static char *top_a(const struct contrast *c, char *text)
{
	return percent_of(c->single, top_stall(c->dbl), text);
}

static char *top_b(const struct contrast *c, char *text)
{
	return percent_of(c->dbl, top_stall(c->dbl), text);
}

/* What a rule names here, its condition has found measured. */
static const struct pair_fact {
	const char *name;
	char *(*write)(const struct contrast *c, char *text);
} pair_facts[] = {
	{"instruction change", change_of_instructions},
	{"fewer barriers", fewer_barriers},
	{"footprint", cause_facts_footprint_words},
	{"control", control_name},
	{"unit", unit_words},
	{"unit.a", unit_a},
	{"unit.b", unit_b},
	{"risen", risen_words},
	{"risen.a", risen_a},
	{"risen.b", risen_b},
	{"fallen", fallen_words},
	{"fallen.a", fallen_a},
	{"fallen.b", fallen_b},
	{"top", top_words},
	{"top.a", top_a},
	{"top.b", top_b},
};

/* ---- by name ---- */

static bool same_name(const char *known, const char *name, size_t length)
{
	return strlen(known) == length && strncmp(known, name, length) == 0;
}

const char *cause_fact(const struct contrast *c, const char *name, size_t length, char *text)
{
	bool sided = length > 2 && name[length - 2] == '.';

	for (size_t i = 0; i < sizeof(pair_facts) / sizeof(pair_facts[0]); i++) {
		if (same_name(pair_facts[i].name, name, length))
			return pair_facts[i].write(c, text);
	}
	for (size_t i = 0; sided && i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (same_name(facts[i].name, name, length - 2))
			return facts[i].write(name[length - 1] == 'a' ? c->single : c->dbl, text);
	}
	return NULL;
}
