/* model.c: see model.h. */
#include "model/model.h"

#include <stdio.h>
#include <string.h>

#include "model/advice/advice.h"
#include "model/device.h"
#include "model/family/family.h"
#include "model/family/readings.h"
#include "model/fit/fit.h"
#include "model/head.h"
#include "model/no-gain.h"
#include "model/recording.h"
#include "model/part/part-json.h"
#include "model/part/part.h"
#include "model/several/several.h"
#include "model/sweep/claims.h"
#include "model/sweep/prediction.h"
#include "model/sweep/sweep.h"
#include "model/trace/after.h"
#include "model/trace/groups.h"
#include "model/trace/iteration.h"
#include "model/trace/load.h"
#include "model/trace/overlap.h"
#include "model/trace/program.h"
#include "model/trace/unusual.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

static bool holds_events(const struct model *model)
{
	return model->table[TABLE_VERIFY].nrows || model->table[TABLE_SAMPLE].nrows || model->table[TABLE_SIDE].nrows ||
	       model->trace.nwork || model->trace.nranges;
}

/* Families are whole: their numbers do not grow with the events. */
static int begin_part(struct model *model, const struct model_options *options)
{
	static const struct part_wish all = {0};
	const struct part_wish *wish = options->part ? options->part : &all;

	if (!model_has_families(model))
		return part_begin(&model->part, wish, model->store, options->hearer, model->err);
	if (!wish->window && !wish->range)
		return 0;
	return error_set(model->err, "%s is a recording of families: a part can be read of programs", model->file);
}

static void note_part(const struct model *model)
{
	json_t *part = json_of_part(&model->part, model->store),
	       *others = other_threads_json(&model->part, model->store);

	if (part) {
		put_json(part, "id", json_string("part-of-recording"));
		json_object_del(part, "others"); /* have a note of their own */
		model_note_facts(model, part);
	}
	if (others)
		model_note_facts(model, others);
}

static int load_recording(struct model *model, const struct model_options *options)
{
	model->notes = json_array();
	if (model_load_all_tables(model) < 0 || begin_part(model, options) < 0 ||
		trace_load(&model->trace, model->store, model->err) < 0)
		return -1;
	part_all_is_read(&model->part);
	note_part(model);
	iterations_find(model);
	readings_find(model);
	model->sweeps = xcalloc(1, sizeof(*model->sweeps));
	gpu_sweeps_make(model->sweeps, &model->trace);
	gpu_sweeps_fill(model->sweeps, &model->trace);
	/* Between the steps of a contrast lies a time that was never measured. */
	model->gpus = model->table[TABLE_MEDIANSTEP].nrows ? json_array() : gpu_sweeps_json(model->sweeps, model);
	gpus_mark_unusual(model->gpus);
	return 0;
}

static void put_recording_part(json_t *tree, const struct model *model)
{
	json_t *part = json_of_part(&model->part, model->store);

	if (part)
		put_json(tree, "part", part);
}

static void put_recording_head(json_t *tree, const struct model *model)
{
	put_json(tree, "file", text_json(model->file));
	put_json(tree, "dbprof", json_boolean(store_is_dbprof(model->store)));
	put_json(tree, "shipped", json_boolean(model->shipped));
	put_recording_part(tree, model);
	put_json(tree, "created", created_json(model));
	put_json(tree, "command", text_json(store_meta(model->store, "command")));
	put_json(tree, "seed", text_json(store_meta(model->store, "seed")));
	put_json(tree, "settings", text_json(store_meta(model->store, "settings")));
	put_json(tree, "versions", versions_json(model));
	put_json(tree, "device", device_json(model));
	put_json(tree, "clocks", clocks_json(model));
	put_json(tree, "passes", passes_json(model));
}

/* NULL with model->err where the file cannot be read. */
static json_t *recording_tree(const struct model *model)
{
	json_t *families = families_json(model), *program, *tree;

	sweeps_put(model, families);
	tree = json_object();
	put_recording_head(tree, model);
	put_json(tree, "gpus", json_incref(model->gpus));
	ranges_put(model, tree);
	put_json(tree, "prediction", prediction_json(families));
	put_json(tree, "claims", claims_json(families));
	put_json(tree, "families", families);
	advice_put(tree, model);
	program = program_json(model);
	if (!program) {
		json_decref(tree);
		return NULL;
	}
	if (json_is_object(program))
		put_json(program, "no_gain",
			no_gain_json(json_object_get(tree, "gpus"), program,
				&(struct no_gain_lacks){model->trace.graphs > 0,
					part_lacks_work(&model->part) ? part_others_share(&model->part) : 0}));
	put_json(tree, "program", program);
	/* Last, since building the rest may add some. */
	put_json(tree, "diagnostics", diagnostics_json(model));
	return tree;
}

/* The first error of those that the recording itself tells of, else its first warning; NULL if it tells of none. */
static const char *own_explanation(const struct model *model)
{
	enum { WARNING = 2, ERROR = 3 };
	struct rows rows = rows_all(&model->table[TABLE_DIAGNOSTIC]);

	for (int64_t severity = ERROR; severity >= WARNING; severity--) {
		for (size_t i = 0; i < rows.count; i++) {
			if (row_int(&rows, i, DIAGNOSTIC_severity) == severity && !row_null(&rows, i, DIAGNOSTIC_text))
				return row_text(&rows, i, DIAGNOSTIC_text);
		}
	}
	return NULL;
}

/* Sets the error of a recording all of whose records had to be left out. */
static void refuse_unusable(const struct model *model, const char *path)
{
	if (model->trace.nowhere > 0)
		error_set(model->err,
			"%s holds work, but on no GPU: all GPUs in it have numbers that none can have (%zu record%s): "
			"record again",
			path, model->trace.nowhere, model->trace.nowhere == 1 ? "" : "s");
	else
		error_set(model->err, "%s holds %zu record%s, but none with times that can be: record again", path,
			model->trace.unusable, model->trace.unusable == 1 ? "" : "s");
}

/* Sets the error of a recording of which nothing can be told. */
static void refuse_empty(const struct model *model, const char *path)
{
	enum { SAID = 400 };
	const char *said = own_explanation(model);
	char held[64] = "no events";

	if (part_refuse_empty(&model->part, model->store, model->err) < 0)
		return;
	if (model->trace.ncalls > 0)
		snprintf(held, sizeof(held), "%zu API call%s, but no work of a GPU", model->trace.ncalls,
			model->trace.ncalls == 1 ? "" : "s");
	if (said)
		error_set(model->err, "%s holds %s. It says itself: \"%.*s\". Mend that, then record again", path, held,
			SAID, said);
	else if (model->trace.nowhere > 0 || model->trace.unusable > 0)
		refuse_unusable(model, path);
	else
		error_set(model->err,
			"%s holds %s: nothing ran on a GPU while it was recorded: run `dbprof doctor`, then record "
			"again",
			path, held);
}

static void free_sweeps(struct model *model)
{
	if (model->sweeps)
		gpu_sweeps_free(model->sweeps);
	free(model->sweeps);
}

static json_t *model_recording_json(const struct model_options *options, int i, struct error *err)
{
	const char *path = options->files[i];
	struct model model = {.shipped = options->shipped, .err = err};
	json_t *tree = NULL;

	model.store = options->stores ? options->stores[i] : store_open_redacted(path, options->redact, err);
	if (!model.store)
		return NULL;
	model.file = store_file_name(model.store);
	if (load_recording(&model, options) == 0) {
		if (holds_events(&model))
			tree = recording_tree(&model);
		else
			refuse_empty(&model, path);
	}
	part_end(&model.part, model.store);
	if (options->stores)
		model.store = NULL; /* stays open */
	free_sweeps(&model);
	model_free(&model);
	return tree;
}

static bool model_interrupted(const struct model_options *options)
{
	return options->interrupted && options->interrupted(options->user);
}

static json_t *recordings_json(const struct model_options *options, struct error *err)
{
	json_t *list = json_array();

	for (int i = 0; i < options->nfiles; i++) {
		json_t *recording = NULL;

		if (model_interrupted(options))
			error_system(err, "interrupted");
		else
			recording = model_recording_json(options, i, err);
		if (!recording) {
			json_decref(list);
			return NULL;
		}
		append_json(list, recording);
	}
	return list;
}

json_t *model_build(const struct model_options *options, struct error *err)
{
	json_t *recordings = recordings_json(options, err), *tree;
	char generator[64];

	if (!recordings)
		return NULL;
	trace_put_after(recordings);
	fit_recordings(recordings);
	snprintf(generator, sizeof(generator), "dbprof %s", options->version);
	tree = json_object();
	put_json(tree, "format", json_string("dbprof-report"));
	put_json(tree, "version", json_integer(1));
	put_json(tree, "schema", json_pack("{s:s, s:s}", "name", "report.schema.json", "version", MODEL_SCHEMA));
	put_json(tree, "generator", text_json(generator));
	put_detailed(recordings);
	put_json(tree, "history", history_json(recordings));
	put_json(tree, "across", across_json(recordings));
	put_json(tree, "recordings", recordings);
	return tree;
}
