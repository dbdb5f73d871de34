/* pair.c: see pair.h. Opens two recordings and puts the tree together. */
#include "model/pair/pair.h"

#include <stdio.h>
#include <string.h>

#include "model/device.h"
#include "model/family/readings.h"
#include "model/head.h"
#include "model/pair/choice.h"
#include "model/pair/comparing.h"
#include "model/pair/evidence.h"
#include "model/pair/family.h"
#include "model/pair/identity.h"
#include "model/pair/recording-checks.h"
#include "store/rowset.h"
#include "tree/json.h"

/* ---- recordings ---- */

/* Its sides are commands: the same name stands for another one in another recording. */
static bool holds_programs(const struct model *model)
{
	struct rows families = rows_all(&model->table[TABLE_FAMILY]);

	for (size_t i = 0; i < families.count; i++)
		if (strcmp(row_string(&families, i, FAMILY_origin), "programs") == 0)
			return true;
	return false;
}

static int load_side(struct model *model, const char *path)
{
	static const enum table_id tables[] = {TABLE_GPU, TABLE_SESSION, TABLE_PASS, TABLE_CLOCK, TABLE_FAMILY,
		TABLE_VARIANT, TABLE_CASE, TABLE_PARAM, TABLE_UNSUPPORTED, TABLE_VERIFY, TABLE_SAMPLE};

	if (model_load_tables(model, tables, sizeof(tables) / sizeof(tables[0])) < 0)
		return -1;
	/* A verdict on a part of the samples would not be that of the recording. */
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (model->table[tables[i]].cut)
			return error_set(model->err,
				"%s cannot be compared: %s has more than %zu rows: those beyond are left out", path,
				schema_table(tables[i])->name, rows_most(tables[i]));
	}
	if (holds_programs(model))
		return error_set(model->err,
			"%s is a contrast of programs, which is not compared: hold their commands against each other "
			"with `dbprof contrast`",
			path);
	if (model->table[TABLE_SAMPLE].nrows == 0)
		return error_set(
			model->err, "%s has no timed samples: record again, with the passes verify and time", path);
	return 0;
}

static int open_side(struct comparing *in, enum pair_side side, const char *path)
{
	struct model *model = &in->side[side];

	model->err = in->err;
	model->store = store_open_redacted(path, in->options->redact, in->err);
	if (!model->store)
		return -1;
	model->file = store_file_name(model->store);
	if (!store_is_dbprof(model->store))
		return error_set(in->err,
			"%s is an Nsight Systems export and has no timed samples: compare recordings made by `dbprof "
			"record`",
			path);
	if (load_side(model, path) < 0)
		return -1;
	readings_find(model);
	return 0;
}

static json_t *pair_recording_json(const struct model *model)
{
	json_t *object = json_object();

	put_json(object, "file", text_json(model->file));
	put_json(object, "created", created_json(model));
	put_json(object, "command", text_json(store_meta(model->store, "command")));
	put_json(object, "versions", versions_json(model));
	put_json(object, "device", device_json(model));
	return object;
}

/* ---- the tree ---- */

static json_t *summary_json(const struct comparing *in)
{
	static const enum verdict verdicts[] = {VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_UNCLEAR};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		put_json(object, verdict_name(verdicts[i]), json_integer((json_int_t)in->verdicts[verdicts[i]]));
	put_json(object, "one_process", json_integer((json_int_t)in->one_process));
	return object;
}

static void add_advice(json_t *list, const char *id, size_t comparisons)
{
	json_t *advice;

	if (comparisons == 0)
		return;
	advice = json_object();
	put_json(advice, "id", json_string(id));
	put_json(advice, "comparisons", json_integer((json_int_t)comparisons));
	append_json(list, advice);
}

/* What to do about comparisons that more runs could settle. */
static json_t *advice_json(const struct comparing *in)
{
	json_t *list = json_array();

	add_advice(list, "few-runs", in->few_runs);
	add_advice(list, "wide-interval", in->wide);
	return list;
}

static const char *mode_name(enum pair_mode mode)
{
	return mode == PAIR_NONE ? "same-recording" : mode == PAIR_GAINS ? "gains" : "times";
}

/* The evidence of the recordings as wholes, which decides what can be compared. */
static json_t *find_mode(struct comparing *in)
{
	json_t *evidence = shared_evidence_json(in);

	if (pair_is_one_recording(in))
		in->mode = PAIR_NONE;
	else if (gpus_differ(in))
		in->mode = PAIR_GAINS;
	return evidence;
}

static json_t *pair_tree(struct comparing *in)
{
	json_t *tree = json_object(), *evidence = find_mode(in);
	char generator[64];

	snprintf(generator, sizeof(generator), "dbprof %s", in->options->version);
	put_json(tree, "format", json_string("dbprof-compare"));
	put_json(tree, "schema", json_integer(1));
	put_json(tree, "generator", text_json(generator));
	put_json(tree, "mode", json_string(mode_name(in->mode)));
	put_json(tree, "threshold", json_real(in->options->threshold));
	put_json(tree, "base", pair_recording_json(&in->side[SIDE_BASE]));
	put_json(tree, "new", pair_recording_json(&in->side[SIDE_NEW]));
	put_json(tree, "evidence", evidence);
	put_json(tree, "families", in->mode == PAIR_NONE ? json_array() : compared_families_json(in));
	put_json(tree, "missing", json_incref(in->missing));
	put_json(tree, "summary", summary_json(in));
	put_json(tree, "advice", advice_json(in));
	return tree;
}

static json_t *pair_compare(struct comparing *in)
{
	json_t *tree;
	size_t compared;

	if (open_side(in, SIDE_BASE, in->options->base) < 0 || open_side(in, SIDE_NEW, in->options->fresh) < 0 ||
		check_choice(in) < 0)
		return NULL;
	tree = pair_tree(in);
	compared = in->one_process + (in->mode == PAIR_NONE);
	for (enum verdict verdict = VERDICT_FASTER; verdict <= VERDICT_UNCLEAR; verdict++)
		compared += in->verdicts[verdict];
	if (compared)
		return tree;
	json_decref(tree);
	error_set(in->err, "%s and %s have no timed variant and case in common%s: there is nothing to compare",
		in->options->base, in->options->fresh, in->options->nonly ? " among those chosen" : "");
	return NULL;
}

json_t *model_pair_build(const struct pair_options *options, struct error *err)
{
	struct comparing in = {.options = options, .shared_failed = json_array(), .missing = json_array(), .err = err};
	json_t *tree = pair_compare(&in);

	for (enum pair_side side = SIDE_BASE; side < SIDES; side++)
		model_free(&in.side[side]);
	json_decref(in.shared_failed);
	json_decref(in.missing);
	return tree;
}
