/* pair.c: see pair.h. Opens two recordings and puts the tree together. */
#include "model/pair/pair.h"

#include "model/family/readings.h"
#include "model/pair/choice.h"
#include "model/pair/comparing.h"
#include "model/pair/evidence.h"
#include "model/pair/family.h"
#include "model/pair/identity.h"
#include "model/pair/pair-head.h"
#include "model/pair/recording-checks.h"
#include "store/rowset.h"
#include "tree/json.h"

/* ---- recordings ---- */

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
	if (load_side(model, path) < 0)
		return -1;
	readings_find(model);
	return 0;
}

/* ---- the tree ---- */

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

	pair_put_head(in, tree);
	put_json(tree, "evidence", evidence);
	put_json(tree, "families", in->mode == PAIR_NONE ? json_array() : compared_families_json(in));
	put_json(tree, "missing", json_incref(in->missing));
	pair_put_summary(in, tree);
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
