/* recording.c: see recording.h. */
#include "model/recording.h"

#include <stdlib.h>
#include <string.h>

#include "tree/json.h"

/* The tables that are kept whole, the number of columns that they are looked up by, and the column that orders them. */
static const struct {
	enum table_id table;
	int nkeys, order;
} small_tables[] = {
	{TABLE_GPU, 0, GPU_id},
	{TABLE_SESSION, 0, -1},
	{TABLE_CONTEXT, 0, CONTEXT_processId},
	{TABLE_STREAM, 0, STREAM_processId},
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
	{TABLE_SIDE, 2, -1},
	{TABLE_BLOCK, 2, BLOCK_start},
	{TABLE_LEFTOUT, 2, -1},
	{TABLE_STEPKIND, 2, -1},
	{TABLE_MEDIANSTEP, 3, -1},
	{TABLE_MATCH, 2, MATCH_ord},
	{TABLE_INSTRUCTION, 3, INSTRUCTION_ord},
	{TABLE_PARAM, 2, -1},
	{TABLE_UNSUPPORTED, 3, -1},
	{TABLE_BUFFERS, 3, -1},
	{TABLE_RESOURCE, 3, -1},
	{TABLE_VERIFY, 3, VERIFY_run},
	{TABLE_SAMPLE, 3, SAMPLE_block},
	{TABLE_TRACED, 3, -1},
	{TABLE_ITEM, 3, ITEM_ord},
	{TABLE_SWEEP, 1, SWEEP_ord},
	{TABLE_MACHINE, 1, -1},
	{TABLE_PREDICTION, 2, -1},
	{TABLE_ADVICE, 1, ADVICE_ord},
	{TABLE_ADVICEGAIN, 2, ADVICEGAIN_stages},
	{TABLE_ADVICECAUSE, 2, ADVICECAUSE_ord},
	{TABLE_ADVICEEVIDENCE, 2, ADVICEEVIDENCE_ord},
	{TABLE_COUNT, 3, -1},
	{TABLE_SOURCE, 1, -1},
	{TABLE_PTX, 1, -1},
	{TABLE_STEP, 2, STEP_element},
	{TABLE_METRIC, 0, -1},
	{TABLE_COUNTER, 3, COUNTER_ord},
	{TABLE_COUNTERRUN, 3, -1},
	{TABLE_STALLRUN, 3, -1},
	{TABLE_STALL, 3, -1},
	{TABLE_PHASERUN, 0, PHASERUN_id},
	{TABLE_PHASE, 0, PHASE_run},
	{TABLE_PHASESUM, 0, PHASESUM_run},
	{TABLE_ROLERUN, 3, -1},
	{TABLE_ROLE, 3, ROLE_launch},
	{TABLE_PMRUN, 0, PMRUN_id},
	{TABLE_PMSAMPLE, 0, PMSAMPLE_run},
	{TABLE_PMWORK, 0, PMWORK_run},
};

void model_note_facts(const struct model *model, json_t *note)
{
	put_json(note, "severity", json_string("warning"));
	for (size_t i = 0; i < json_array_size(model->notes); i++) {
		if (json_equal(json_array_get(model->notes, i), note)) {
			json_decref(note);
			return;
		}
	}
	append_json(model->notes, note);
}

void model_note_error(const struct model *model, const char *id, const struct error *err)
{
	json_t *note = json_object();

	put_json(note, "id", json_string(id));
	put_json(note, "error", text_json(err->text));
	model_note_facts(model, note);
}

static void note_cut(const struct model *model, enum table_id table)
{
	model_note_facts(model, json_pack("{s:s, s:s, s:I}", "id", "rows-left-out", "table", schema_table(table)->name,
					"rows", (json_int_t)rows_most(table)));
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

bool is_of_advice(const struct rows *families, size_t i)
{
	return strcmp(row_string(families, i, FAMILY_origin), "advice") == 0;
}

bool model_has_families(const struct model *model)
{
	struct rows families = rows_all(&model->table[TABLE_FAMILY]);

	for (size_t i = 0; i < families.count; i++)
		if (!is_of_advice(&families, i))
			return true;
	return false;
}

void model_free(struct model *model)
{
	for (int i = 0; i < TABLES_NUMBER; i++)
		rowset_free(&model->table[i]);
	trace_free(&model->trace);
	free(model->iterations);
	free(model->readings);
	json_decref(model->notes);
	json_decref(model->gpus);
	store_close(model->store);
}

const char *model_source_text(const struct model *model, const char *file)
{
	const char *const key[] = {file};
	struct rows rows = rows_find(&model->table[TABLE_SOURCE], 1, key);

	return rows.count ? row_text(&rows, 0, SOURCE_text) : NULL;
}
