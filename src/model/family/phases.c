/* phases.c: the "phases" of a variant's case: what the time stamps inside its kernel tell. */
#include "model/family/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/measured.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

static const char *const phases[] = {"load", "wait", "compute", "store"};

enum { PHASES = sizeof(phases) / sizeof(phases[0]), PHASE_WAIT = 1 };

/* Cycles of warps by phase. */
struct phase_cycles {
	double of[PHASES];
};

static double whole(const struct phase_cycles *cycles)
{
	double sum = 0;

	for (int p = 0; p < PHASES; p++)
		sum += cycles->of[p];
	return sum;
}

/* Part of a whole; NaN, which stands for null, of nothing. */
static double share(double part, double all)
{
	return all > 0 ? part / all : NAN;
}

static void add_cycles(struct phase_cycles *cycles, const struct rows *sums, size_t i)
{
	const char *name = row_text(sums, i, PHASESUM_phase);

	for (int p = 0; p < PHASES; p++) {
		if (name && strcmp(name, phases[p]) == 0)
			cycles->of[p] += (double)row_int(sums, i, PHASESUM_cycles);
	}
}

static json_t *shares_json(const struct rows *sums)
{
	struct phase_cycles cycles = {0};
	json_t *object = json_object();

	for (size_t i = 0; i < sums->count; i++)
		add_cycles(&cycles, sums, i);
	for (int p = 0; p < PHASES; p++)
		put_json(object, phases[p], real_json(share(cycles.of[p], whole(&cycles))));
	return object;
}

static json_t *phases_step_json(int64_t step, const struct phase_cycles *cycles)
{
	json_t *object = json_object();

	put_json(object, "step", json_integer(step));
	for (int p = 0; p < PHASES; p++)
		put_json(object, phases[p], real_json(cycles->of[p]));
	put_json(object, "wait_share", real_json(share(cycles->of[PHASE_WAIT], whole(cycles))));
	return object;
}

/* A row of a slice and what it is sorted by. */
struct numbered {
	int64_t number;
	size_t row;
};

static int phases_by_number(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;
	int order = int64_order(a->number, b->number);

	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The rows in the order of an integer column, for free(). */
static struct numbered *phases_in_order(const struct rows *rows, int column)
{
	struct numbered *list = xcalloc(rows->count, sizeof(*list));

	for (size_t i = 0; i < rows->count; i++)
		list[i] = (struct numbered){row_int(rows, i, column), i};
	qsort(list, rows->count, sizeof(*list), phases_by_number);
	return list;
}

static json_t *phases_steps_json(const struct rows *sums)
{
	struct numbered *order = phases_in_order(sums, PHASESUM_step);
	json_t *list = json_array();

	for (size_t i = 0, end = 0; i < sums->count; i = end) {
		struct phase_cycles cycles = {0};

		for (end = i; end < sums->count && order[end].number == order[i].number; end++)
			add_cycles(&cycles, sums, order[end].row);
		append_json(list, phases_step_json(order[i].number, &cycles));
	}
	free(order);
	return list;
}

static json_t *phases_event_json(const struct rows *rows, size_t i)
{
	static const int columns[] = {PHASE_warp, PHASE_step, PHASE_phase, PHASE_fromCycle, PHASE_toCycle};
	json_t *event = json_array();

	for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++)
		append_json(event, row_json(rows, i, columns[c]));
	return event;
}

/* By start. */
static json_t *phases_events_json(const struct rows *rows)
{
	struct numbered *order = phases_in_order(rows, PHASE_fromCycle);
	json_t *list = json_array();

	for (size_t i = 0; i < rows->count; i++)
		append_json(list, phases_event_json(rows, order[i].row));
	free(order);
	return list;
}

/* How much longer the stamped kernel, and a stamped block of it, takes than the plain one; and whether that matters. */
static json_t *perturbation_json(const struct rows *runs, size_t run)
{
	double kernel = row_real(runs, run, PHASERUN_stampedNs) / row_real(runs, run, PHASERUN_plainNs) - 1;
	double block = row_real(runs, run, PHASERUN_stampedCycles) / row_real(runs, run, PHASERUN_plainCycles) - 1;
	bool disturbs = fabs(kernel) > stamps_disturb;
	json_t *object = json_object();

	put_json(object, "kernel", real_json(kernel));
	put_json(object, "block", real_json(block));
	put_json(object, "kernel_changes", json_boolean(fabs(kernel) >= stamps_unnoticed));
	put_json(object, "block_changes", json_boolean(fabs(block) >= stamps_unnoticed));
	put_json(object, "disturbs", json_boolean(disturbs));
	put_json(object, "stretches", json_boolean(!disturbs && fabs(block) > stamps_stretch));
	return object;
}

static json_t *phases_run_json(const struct model *model, const struct measured *m, const struct rows *runs, size_t run)
{
	static const struct field fields[] = {
		{"block", PHASERUN_block},
		{"warps", PHASERUN_warps},
		{"blocks", PHASERUN_blocks},
		{"grid_blocks", PHASERUN_gridBlocks},
		{"plain_ns", PHASERUN_plainNs},
		{"stamped_ns", PHASERUN_stampedNs},
		{"plain_cycles", PHASERUN_plainCycles},
		{"stamped_cycles", PHASERUN_stampedCycles},
		{"plain_registers", PHASERUN_plainRegisters},
		{"stamped_registers", PHASERUN_stampedRegisters},
		{"segments", PHASERUN_segments},
		{"barrier_cycles", PHASERUN_barrierCycles},
		{"leave_cycles", PHASERUN_leaveCycles},
		{"cut_phases", PHASERUN_cutPhases},
		{"left_out", PHASERUN_leftOut},
	};
	int64_t id = row_int(runs, run, PHASERUN_id);
	struct rows sums = rows_numbered(&model->table[TABLE_PHASESUM], PHASESUM_run, id);
	struct rows events = rows_numbered(&model->table[TABLE_PHASE], PHASE_run, id);
	json_t *object = json_object();

	put_fields(object, runs, run, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "perturbation", perturbation_json(runs, run));
	put_json(object, "shares", shares_json(&sums));
	put_json(object, "steps", phases_steps_json(&sums));
	put_json(object, "events", m->pair && m->headline ? phases_events_json(&events) : json_null());
	return object;
}

json_t *phases_json(const struct model *model, const struct measured *m)
{
	struct rows runs = rows_all(&model->table[TABLE_PHASERUN]);

	for (size_t i = 0; i < runs.count; i++) {
		if (measured_in_row(m, &runs, i, PHASERUN_family))
			return phases_run_json(model, m, &runs, i);
	}
	return json_null();
}
