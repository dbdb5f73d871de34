/* compare.c: opens two recordings and builds the tree of their comparison (docs/compare.md). */
#include "compare/compare.h"
#include "analyze/analyze.h"
#include "model/device.h"
#include "model/family/readings.h"
#include "model/head.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

#include <stdio.h>
#include <string.h>

#include "model/pair/pair-model.h"
#include "tree/tree.h"

const char *side_name(enum compare_side side)
{
	return side == SIDE_BASE ? "base" : "new";
}

/* ---- what was chosen ---- */

/* Whether the next component of `*at`, up to a '/' or, if it is the last that there can be, to the end, is `name`; NULL
 * is like any. Moves *at behind it. Nothing left is like any, too. */
static bool component_is(const char **at, const char *name, bool last)
{
	size_t length = last ? strlen(*at) : strcspn(*at, "/");
	bool same = !**at || !name || (strlen(name) == length && memcmp(*at, name, length) == 0);

	*at += length;
	*at += **at == '/';
	return same;
}

static bool names(const char *choice, const char *family, const char *variant, const char *label)
{
	return component_is(&choice, family, false) && component_is(&choice, variant, false) &&
	       component_is(&choice, label, true);
}

bool compare_chosen(const struct compare_options *options, const char *family, const char *variant, const char *label)
{
	for (int i = 0; i < options->nonly; i++) {
		if (names(options->only[i], family, variant, label))
			return true;
	}
	return options->nonly == 0;
}

/* Whether a choice names a family, a variant or a case of the recording. */
static bool names_any(const struct model *model, const char *choice)
{
	struct rows variants = rows_all(&model->table[TABLE_VARIANT]);

	for (size_t v = 0; v < variants.count; v++) {
		const char *family = row_string(&variants, v, VARIANT_family);
		const char *variant = row_string(&variants, v, VARIANT_name);
		struct rows cases = rows_find(&model->table[TABLE_CASE], 1, &family);

		for (size_t i = 0; i < cases.count; i++) {
			if (names(choice, family, variant, row_string(&cases, i, CASE_label)))
				return true;
		}
	}
	return false;
}

/* A choice that names nothing is a slip of the pen. */
static int check_choice(const struct comparing *in)
{
	for (int i = 0; i < in->options->nonly; i++) {
		const char *choice = in->options->only[i];

		if (!*choice || (!names_any(&in->side[SIDE_BASE], choice) && !names_any(&in->side[SIDE_NEW], choice)))
			return error_set(in->err,
				"neither recording has '%s': give FAMILY, FAMILY/VARIANT or FAMILY/VARIANT/CASE as "
				"they stand in the comparison of everything",
				choice);
	}
	return 0;
}

/* ---- recordings ---- */

static int open_side(struct comparing *in, enum compare_side side, const char *path)
{
	static const enum table_id tables[] = {TABLE_GPU, TABLE_SESSION, TABLE_PASS, TABLE_CLOCK, TABLE_FAMILY,
		TABLE_VARIANT, TABLE_CASE, TABLE_PARAM, TABLE_UNSUPPORTED, TABLE_VERIFY, TABLE_SAMPLE};
	const char *slash = strrchr(path, '/');
	struct model *model = &in->side[side];

	model->file = slash ? slash + 1 : path;
	model->err = in->err;
	model->store = store_open(path, in->err);
	if (!model->store)
		return -1;
	if (!store_is_dbprof(model->store))
		return error_set(in->err,
			"%s is an Nsight Systems export and has no timed samples: compare recordings made by `dbprof "
			"record`",
			path);
	model->notes = json_array();
	if (!model->notes || model_load_tables(model, tables, sizeof(tables) / sizeof(tables[0])) < 0 ||
		readings_find(model) < 0)
		return -1;
	/* A verdict on a part of the samples would not be that of the recording. */
	if (json_array_size(model->notes) > 0)
		return error_set(
			in->err, "%s cannot be compared: %s", path, json_string_value(json_array_get(model->notes, 0)));
	if (model->table[TABLE_SAMPLE].nrows == 0)
		return error_set(
			in->err, "%s has no timed samples: record again, with the passes verify and time", path);
	return 0;
}

static json_t *compare_recording_json(const struct model *model)
{
	json_t *object = json_object();
	int bad = 0;

	bad |= put_json(object, "file", text_json(model->file));
	bad |= put_json(object, "created", created_json(model));
	bad |= put_json(object, "command", text_json(store_meta(model->store, "command")));
	bad |= put_json(object, "versions", versions_json(model));
	bad |= put_json(object, "device", device_json(model));
	return built_json(object, bad);
}

/* ---- the tree ---- */

static json_t *summary_json(const struct comparing *in)
{
	static const enum verdict verdicts[] = {VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_UNCLEAR};
	json_t *object = json_object();
	int bad = 0;

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		bad |= put_json(object, verdict_name(verdicts[i]), json_integer((json_int_t)in->verdicts[verdicts[i]]));
	return built_json(object, bad);
}

/* What to do about comparisons that more runs could settle. */
static json_t *advice_json(const struct comparing *in)
{
	json_t *list = json_array();
	char text[512];
	int bad = 0;

	snprintf(text, sizeof(text),
		"%zu unclear for want of runs: how much runs of one code differ is not known. Record again with more "
		"runs, as in `dbprof record --runs=3`.",
		in->few_runs);
	if (in->few_runs)
		bad |= append_json(list, json_string(text));
	snprintf(text, sizeof(text),
		"%zu unclear because the interval reaches over an edge of the band. More runs (`dbprof record "
		"--runs=N`) make it narrower; a larger `--threshold` asks for less.",
		in->wide);
	if (in->wide)
		bad |= append_json(list, json_string(text));
	return built_json(list, bad);
}

static json_t *compare_tree(struct comparing *in)
{
	json_t *tree = json_object();
	char generator[64];
	int bad = 0;

	snprintf(generator, sizeof(generator), "dbprof %s", in->options->version);
	bad |= put_json(tree, "format", json_string("dbprof-compare"));
	bad |= put_json(tree, "schema", json_integer(1));
	bad |= put_json(tree, "generator", text_json(generator));
	bad |= put_json(tree, "threshold", json_real(in->options->threshold));
	bad |= put_json(tree, "base", compare_recording_json(&in->side[SIDE_BASE]));
	bad |= put_json(tree, "new", compare_recording_json(&in->side[SIDE_NEW]));
	bad |= put_json(tree, "evidence", shared_evidence_json(in));
	bad |= put_json(tree, "families", bad ? NULL : compared_families_json(in));
	bad |= put_json(tree, "missing", json_incref(in->missing));
	bad |= put_json(tree, "summary", summary_json(in));
	bad |= put_json(tree, "advice", advice_json(in));
	return built_json(tree, bad);
}

json_int_t compare_count(const json_t *tree, const char *verdict)
{
	return json_integer_value(json_object_get(json_object_get(tree, "summary"), verdict));
}

static json_t *build(struct comparing *in)
{
	json_t *tree;
	size_t compared = 0;

	if (!in->missing || !in->shared_failed || open_side(in, SIDE_BASE, in->options->base) < 0 ||
		open_side(in, SIDE_NEW, in->options->fresh) < 0 || check_choice(in) < 0)
		return NULL;
	tree = compare_tree(in);
	for (enum verdict verdict = VERDICT_FASTER; verdict <= VERDICT_UNCLEAR; verdict++)
		compared += in->verdicts[verdict];
	if (!tree || compared)
		return tree;
	json_decref(tree);
	error_set(in->err, "%s and %s have no timed variant and case in common%s: there is nothing to compare",
		in->options->base, in->options->fresh, in->options->nonly ? " among those chosen" : "");
	return NULL;
}

json_t *compare_build(const struct compare_options *options, enum report_status *status, struct error *err)
{
	struct comparing in = {.options = options, .shared_failed = json_array(), .missing = json_array(), .err = err};
	json_t *tree;

	err->text[0] = '\0';
	tree = build(&in);
	*status = tree ? REPORT_DONE : err->text[0] && !error_is_of_system(err) ? REPORT_BAD_INPUT : REPORT_FAILED;
	if (!tree && !err->text[0])
		error_set(err, "cannot compare: out of memory: close other programs");
	for (enum compare_side side = SIDE_BASE; side < SIDES; side++)
		model_free(&in.side[side]);
	json_decref(in.shared_failed);
	json_decref(in.missing);
	return tree;
}
