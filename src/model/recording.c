/* recording.c: see recording.h. */
#include "model/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"

/* The tables that are kept whole, by how many columns they are looked up, and the column that orders them. */
static const struct {
	enum table_id table;
	int nkeys, order;
} small_tables[] = {
	{TABLE_GPU, 0, GPU_id},
	{TABLE_SESSION, 0, -1},
	{TABLE_CONTEXT, 0, -1},
	{TABLE_STREAM, 0, -1},
	{TABLE_PROCESS, 0, PROCESS_pid},
	{TABLE_THREAD, 0, THREAD_globalTid},
	{TABLE_TRACEDPROCESS, 0, TRACEDPROCESS_start},
	{TABLE_DIAGNOSTIC, 0, DIAGNOSTIC_timestamp},
	{TABLE_PASS, 0, -1},
	{TABLE_CLOCK, 0, CLOCK_timestamp},
	{TABLE_FAMILY, 0, FAMILY_ord},
	{TABLE_VARIANT, 1, VARIANT_ord},
	{TABLE_HAZARD, 2, HAZARD_ord},
	{TABLE_CASE, 1, CASE_ord},
	{TABLE_PARAM, 2, -1},
	{TABLE_UNSUPPORTED, 3, -1},
	{TABLE_RESOURCE, 3, -1},
	{TABLE_VERIFY, 3, VERIFY_run},
	{TABLE_SAMPLE, 3, SAMPLE_block},
	{TABLE_TRACED, 3, -1},
	{TABLE_SWEEP, 1, SWEEP_ord},
	{TABLE_MACHINE, 1, -1},
	{TABLE_PREDICTION, 2, -1},
	{TABLE_COUNT, 3, -1},
	{TABLE_SOURCE, 1, -1},
	{TABLE_PTX, 1, -1},
	{TABLE_STEP, 2, STEP_element},
	{TABLE_METRIC, 0, -1},
	{TABLE_COUNTER, 3, COUNTER_ord},
	{TABLE_STALLRUN, 3, -1},
	{TABLE_STALL, 3, -1},
	{TABLE_PHASERUN, 0, PHASERUN_id},
	{TABLE_PHASE, 0, PHASE_run},
	{TABLE_PHASESUM, 0, PHASESUM_run},
	{TABLE_PMRUN, 0, PMRUN_id},
	{TABLE_PMSAMPLE, 0, PMSAMPLE_run},
	{TABLE_PMWORK, 0, PMWORK_run},
};

int model_note(const struct model *model, const char *text)
{
	for (size_t i = 0; i < json_array_size(model->notes); i++) {
		if (strcmp(json_string_value(json_array_get(model->notes, i)), text) == 0)
			return 0;
	}
	append_json(model->notes, text_json(text));
	return 0;
}

static void note_cut(const struct model *model, enum table_id table)
{
	char text[160];

	snprintf(text, sizeof(text), "%s has more than %zu rows: those beyond are left out", schema_table(table)->name,
		rows_most(table));
	model_note(model, text);
}

static int load_small(struct model *model, size_t i)
{
	enum table_id table = small_tables[i].table;
	struct rowset *set = &model->table[table];

	if (rowset_load(set, model->store, table, small_tables[i].nkeys, small_tables[i].order, model->err) < 0)
		return -1;
	if (table == TABLE_FAMILY)
		rowset_unique(set, FAMILY_name + 1);
	else if (table == TABLE_VARIANT)
		rowset_unique(set, VARIANT_name + 1);
	else if (table == TABLE_CASE)
		rowset_unique(set, CASE_label + 1);
	if (set->cut && model->notes)
		note_cut(model, table);
	return 0;
}

int model_load_tables(struct model *model, const enum table_id *tables, size_t n)
{
	for (size_t i = 0; i < sizeof(small_tables) / sizeof(small_tables[0]); i++) {
		for (size_t k = 0; k < n; k++) {
			if (small_tables[i].table == tables[k] && load_small(model, i) < 0)
				return -1;
		}
	}
	return 0;
}

int model_load_all_tables(struct model *model)
{
	for (size_t i = 0; i < sizeof(small_tables) / sizeof(small_tables[0]); i++) {
		if (load_small(model, i) < 0)
			return -1;
	}
	/* A family's own cases, then the points of its sweeps. */
	rowset_nulls_first(&model->table[TABLE_CASE], CASE_sweep);
	return 0;
}

void model_free(struct model *model)
{
	for (int i = 0; i < TABLES_NUMBER; i++)
		rowset_free(&model->table[i]);
	trace_free(&model->trace);
	free(model->iterations);
	free(model->readings);
	json_decref(model->notes);
	store_close(model->store);
}
