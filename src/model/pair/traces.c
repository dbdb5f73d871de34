/* traces.c: see traces.h. What contrasts of programs are made of becomes the tree of a comparison. */
#include "model/pair/traces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/family/family.h"
#include "model/pair/comparing.h"
#include "model/pair/evidence.h"
#include "model/pair/identity.h"
#include "model/pair/pair-head.h"
#include "model/trace/iteration.h"
#include "model/trace/load.h"
#include "store/rowset.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/file/file.h"

int comparable_kind(const char *path, enum comparable *kind, struct error *err)
{
	static const enum table_id tables[] = {TABLE_FAMILY};
	struct model model = {.err = err};
	struct rows families;
	int code = -1;

	model.store = store_open(path, err);
	if (model.store && model_load_tables(&model, tables, 1) == 0) {
		families = rows_all(&model.table[TABLE_FAMILY]);
		*kind = model_has_families(&model) ? COMPARABLE_FAMILIES : COMPARABLE_TRACE;
		for (size_t i = 0; i < families.count; i++)
			if (!row_null(&families, i, FAMILY_origin) && !is_of_advice(&families, i))
				*kind = COMPARABLE_PROGRAMS;
		code = 0;
	}
	model_free(&model);
	return code;
}

/* ---- what is compared ---- */

struct traces_tree {
	struct comparing in;
	const json_t *family; /* of the recording that holds both */
	bool of_steps;        /* times are of a step; else of a run */
	json_t *comparisons;  /* of the only family; borrowed */
};

/* The mean of all parts; JSON null where it is not known. */
static json_t *all_parts_json(const json_t *contrast, const char *role)
{
	const json_t *check = tree_find(json_object_get(contrast, "evidence"), "name", "all-parts");
	const char *key = strcmp(role, "single") == 0 ? "single_ns" : "other_ns";

	return real_json(tree_real(json_object_get(check, "facts"), key));
}

/* `role` is "single" or "double", `key` what the contrast has of its time. */
static json_t *trace_side_json(const struct traces_tree *t, const json_t *contrast, const char *role, const char *key)
{
	static const char *const unknown[] = {"q1_ns", "q3_ns", "measured_mhz", "reported_mhz"};
	const json_t *blocks = json_object_get(json_object_get(contrast, "speedup"), "blocks");
	const json_t *parts = tree_case(tree_role(t->family, role), tree_text(contrast, "case"));
	json_t *object = json_object();

	put_json(object, "mean_ns", json_incref(json_object_get(contrast, key)));
	put_json(object, "all_parts_ns", all_parts_json(contrast, role));
	put_json(object, "median_ns", real_json(tree_real(json_object_get(parts, "time"), "median_ns")));
	put_json(object, "samples", json_incref((json_t *)blocks));
	put_json(object, "set_apart", json_integer(0));
	put_json(object, "blocks", json_incref((json_t *)blocks));
	put_json(object, "runs", json_integer(1));
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		put_json(object, unknown[i], json_null());
	put_json(object, "withheld", json_false());
	return object;
}

static json_t *trace_ratio_json(const json_t *speedup)
{
	static const char *const keys[] = {"value", "low", "high"};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		put_json(object, keys[i], json_incref(json_object_get(speedup, keys[i])));
	put_json(object, "within", json_null());
	put_json(object, "from_run_to_run", json_null());
	return object;
}

static void count_verdict(struct traces_tree *t, const char *word)
{
	for (enum verdict verdict = VERDICT_FASTER; verdict <= VERDICT_UNCLEAR; verdict++)
		if (strcmp(verdict_name(verdict), word) == 0)
			t->in.verdicts[verdict]++;
}

/* A name can have hundreds of bytes, and what tells it from another at either end. "programs" has it whole. */
static json_t *short_kernel_name(const json_t *kernel)
{
	enum { LONGEST = 64, TAIL = 20 };
	const char *name = tree_text(kernel, "short_name"), *tail;
	char cut[LONGEST];

	if (strlen(name) < LONGEST)
		return text_json(name);
	tail = name + strlen(name) - TAIL;
	while ((*tail & 0xC0) == 0x80) /* inside a character of UTF-8 */
		tail++;
	clip_print(cut, LONGEST - TAIL - 3, "%s", name);
	clip_append(cut, LONGEST, "...%s", tail);
	return text_json(cut);
}

static void put_comparison_names(const struct traces_tree *t, const json_t *contrast, bool is_program, json_t *object)
{
	const char *label = tree_text(contrast, "case"), *kind = is_program ? "program" : "kernels";
	const json_t *matched = tree_find(json_object_get(t->family, "matched"), "case", label);
	const json_t *kernel = json_array_get(json_object_get(matched, "kernels"), 0);
	const json_t *other = tree_find(json_object_get(matched, "kernels"), "side", tree_text(t->family, "double"));
	bool by_place = strcmp(tree_text(other, "how"), "place") == 0;
	char number[32];

	snprintf(number, sizeof(number), "%.*s", (int)strcspn(label, ":"), label);
	put_json(object, "variant", kernel ? short_kernel_name(kernel) : json_string(kind));
	put_json(object, "variant_in_new", by_place ? short_kernel_name(other) : json_null());
	put_json(object, "case", text_json(kernel ? number : t->of_steps ? "step" : "run"));
	put_json(object, "kind", json_string(kernel ? "kernel" : kind));
	put_json(object, "grid", json_incref(json_object_get(kernel, "grid")));
	put_json(object, "grid_in_new", json_incref(json_object_get(other, "grid")));
	put_json(object, "launches", json_incref(json_object_get(kernel, "launches")));
	put_json(object, "launches_in_new", json_incref(json_object_get(other, "launches")));
	put_json(object, "matched", json_incref(json_object_get(other, "how")));
}

static void add_trace_comparison(struct traces_tree *t, const json_t *contrast)
{
	bool is_program = !tree_true(contrast, "kernel_bound");
	const char *verdict = t->in.comparable ? tree_text(contrast, "verdict") : verdict_name(VERDICT_UNCLEAR);
	json_t *object = json_object(), *failed = json_array();
	const json_t *check;
	size_t i;

	put_comparison_names(t, contrast, is_program, object);
	put_json(object, "role", json_null());
	put_json(object, "headline", json_boolean(tree_true(contrast, "headline")));
	put_json(object, "sweep", json_null());
	put_json(object, "base", trace_side_json(t, contrast, "single", "single_ns"));
	put_json(object, "new", trace_side_json(t, contrast, "double", "double_ns"));
	put_json(object, "ratio", trace_ratio_json(json_object_get(contrast, "speedup")));
	put_json(object, "cycles", json_null());
	put_json(object, "verdict", json_string(verdict));
	put_json(object, "evidence", json_deep_copy(json_object_get(contrast, "evidence")));
	json_array_foreach(json_object_get(contrast, "evidence"), i, check)
	{
		if (json_is_false(json_object_get(check, "ok")))
			append_json(failed, json_incref(json_object_get(check, "name")));
	}
	json_array_extend(failed, t->in.shared_failed);
	put_json(object, "failed", failed);
	count_verdict(t, verdict);
	append_json(t->comparisons, object);
}

/* What decides comes first. */
static json_t *traces_family_json(struct traces_tree *t)
{
	static const char *const none[] = {"title", "single", "double", "gain"};
	json_t *object = json_object();
	const json_t *contrast, *first = tree_deciding_contrast(t->family);
	size_t i;

	put_json(object, "name", json_string("program"));
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		put_json(object, none[i], json_null());
	t->comparisons = json_array();
	put_json(object, "comparisons", t->comparisons);
	if (first)
		add_trace_comparison(t, first);
	json_array_foreach(json_object_get(t->family, "contrasts"), i, contrast)
	{
		if (contrast != first)
			add_trace_comparison(t, contrast);
	}
	return object;
}

static void add_kernels_of_one_side(const struct traces_tree *t, json_t *list)
{
	const json_t *kernel;
	size_t i;

	json_array_foreach(json_object_get(t->family, "unmatched"), i, kernel)
	{
		json_t *entry = json_object(), *reason = json_object();

		put_json(reason, "id", json_string("kernel-of-one-side"));
		put_json(reason, "share", json_incref(json_object_get(kernel, "share")));
		put_json(entry, "family", json_string("program"));
		put_json(entry, "variant", short_kernel_name(kernel));
		put_json(entry, "case", json_null());
		put_json(entry, "sweep", json_null());
		put_json(entry, "in", json_incref(json_object_get(kernel, "side")));
		put_json(entry, "elsewhere",
			t->of_steps ? json_incref(json_object_get(kernel, "elsewhere")) : json_null());
		put_json(entry, "left_open", json_incref(json_object_get(kernel, "left_open")));
		put_json(entry, "reason", reason);
		append_json(list, entry);
	}
}

/* ---- the tree ---- */

/* Steps that wait and others may take as long from begin to begin, kernels may lie farther apart, and those that do not
 * count may take another time. */
static bool runs_are_alike(const struct rows *runs)
{
	static const int columns[] = {BLOCK_waits, BLOCK_kernelSpanNs, BLOCK_gpuNs};
	bool alike = runs->count == 2;

	for (size_t i = 0; alike && i < sizeof(columns) / sizeof(columns[0]); i++)
		alike = row_int(runs, 0, columns[i]) == row_int(runs, 1, columns[i]);
	return alike;
}

/* One recording and a copy of it have the same times in each part. Some kernels alone do not tell: the files do. */
static bool is_one_trace(const struct traces_tree *t, const struct model *held)
{
	struct rows samples = rows_all(&held->table[TABLE_SAMPLE]), runs = rows_all(&held->table[TABLE_BLOCK]);
	size_t half = samples.count / 2;

	for (size_t i = 0; i < half; i++) {
		const double base = row_real(&samples, i, SAMPLE_ns), fresh = row_real(&samples, half + i, SAMPLE_ns);

		if (samples.count % 2 || base < fresh || base > fresh ||
			strcmp(row_string(&samples, i, SAMPLE_caseLabel),
				row_string(&samples, half + i, SAMPLE_caseLabel)) != 0)
			return false;
	}
	if (!runs_are_alike(&runs) || !pair_is_same_head(&t->in))
		return false;
	return !store_meta(held->store, "kernel") || file_alike(t->in.options->base, t->in.options->fresh);
}

static json_t *traces_tree(struct traces_tree *t, const struct model *held)
{
	json_t *families = families_json(held), *tree = json_object(), *evidence = shared_evidence_json(&t->in);
	json_t *list = json_array(), *missing = json_array();

	t->in.mode = is_one_trace(t, held) ? PAIR_NONE : PAIR_PROGRAMS;
	t->family = json_array_get(families, 0);
	if (t->in.mode == PAIR_PROGRAMS) {
		append_json(list, traces_family_json(t));
		add_kernels_of_one_side(t, missing);
	}
	pair_put_head(&t->in, tree);
	put_json(tree, "evidence", evidence);
	put_json(tree, "families", list);
	put_json(tree, "missing", missing);
	put_json(
		tree, "programs", t->in.mode == PAIR_PROGRAMS ? json_incref(json_array_get(families, 0)) : json_null());
	pair_put_summary(&t->in, tree);
	json_decref(families);
	return tree;
}

static int open_trace(struct traces_tree *t, enum pair_side side, const char *path)
{
	static const enum table_id tables[] = {TABLE_GPU, TABLE_SESSION};
	struct model *model = &t->in.side[side];

	model->err = t->in.err;
	model->store = store_open_redacted(path, t->in.options->redact, t->in.err);
	if (!model->store)
		return -1;
	model->file = store_file_name(model->store);
	return model_load_tables(model, tables, sizeof(tables) / sizeof(tables[0]));
}

static json_t *open_and_tell(struct traces_tree *t, const char *path)
{
	struct model held = {.err = t->in.err, .notes = json_array()};
	json_t *tree = NULL;

	held.store = store_open_redacted(path, t->in.options->redact, t->in.err);
	if (held.store) {
		t->in.side[SIDE_BASE].gpu = store_meta(held.store, "base_gpu");
		t->in.side[SIDE_NEW].gpu = store_meta(held.store, "new_gpu");
	}
	if (held.store && model_load_all_tables(&held) == 0 && trace_load(&held.trace, held.store, held.err) == 0) {
		iterations_find(&held);
		tree = traces_tree(t, &held);
	}
	model_free(&held);
	return tree;
}

json_t *model_pair_traces(const struct pair_options *options, const char *held, bool has_range, struct error *err)
{
	struct traces_tree t = {
		.in = {.options = options, .shared_failed = json_array(), .err = err}, .of_steps = has_range};
	json_t *tree = NULL;

	if (open_trace(&t, SIDE_BASE, options->base) == 0 && open_trace(&t, SIDE_NEW, options->fresh) == 0)
		tree = open_and_tell(&t, held);
	for (enum pair_side side = SIDE_BASE; side < SIDES; side++)
		model_free(&t.in.side[side]);
	json_decref(t.in.shared_failed);
	return tree;
}
