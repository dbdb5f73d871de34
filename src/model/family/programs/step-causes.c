/* step-causes.c: see step-causes.h. */
#include "model/family/programs/step-causes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/contrast/cause.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/programs/judging.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* ---- the parts ---- */

/* A part, and what the tree has of it. */
struct placed_part {
	const json_t *kernel; /* of the family's "parts", or of step.graphs */
	const json_t *cause;  /* of the kernel's contrast; NULL: the kernel was not counted */
};

/* The parts while they are gathered; their number `kernel` is that of their place. */
struct step {
	struct step_part *part;    /* owned */
	struct placed_part *place; /* owned */
	size_t n;
	json_t *graphs; /* CUDA graphs that stand for their kernels, with "name" and "case"; owned */
	double doubt;   /* half the interval of their sum, ns */
	bool counted;
};

static double joined_doubt(double a, double b)
{
	return isfinite(b) ? hypot(a, b) : a;
}

static void step_add(struct step *step, enum cause_id id, struct part_ns ns, bool sure, struct placed_part place)
{
	if (ns.value == 0 || !isfinite(ns.value))
		return;
	step->part[step->n] = (struct step_part){id, ns, sure, (int)step->n};
	step->place[step->n++] = place;
}

static enum cause_id cause_with_name(const char *name)
{
	for (enum cause_id id = 0; id < CAUSES; id++)
		if (strcmp(cause_id_name(id), name) == 0)
			return id;
	return CAUSE_UNEXPLAINED;
}

static struct part_ns part_of_cause_json(const json_t *cause)
{
	return (struct part_ns){tree_real(cause, "ns"), tree_real(cause, "low"), tree_real(cause, "high")};
}

static bool is_sure(const json_t *contrast)
{
	const char *verdict = tree_text(contrast, "verdict");

	return strcmp(verdict, "faster") == 0 || strcmp(verdict, "slower") == 0;
}

/* The parts of a kernel that was counted. What it leaves unexplained is so in the step, too. */
static void add_counted_kernel(struct step *step, const json_t *kernel, const json_t *contrast)
{
	const json_t *causes = json_object_get(contrast, "causes");

	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);
		enum cause_id id = cause_with_name(tree_text(cause, "id"));
		struct part_ns ns = part_of_cause_json(cause);

		if (id == CAUSE_UNEXPLAINED)
			step->doubt = joined_doubt(step->doubt, (ns.high - ns.low) / 2);
		else
			step_add(step, id, ns, is_sure(contrast), (struct placed_part){kernel, cause});
	}
	step->counted = true;
}

/* Which kernel is known, but not why. `contrast` is NULL for one without samples of its own. */
static void add_whole_kernel(struct step *step, enum cause_id id, const json_t *kernel, const json_t *contrast)
{
	const json_t *speedup = json_object_get(contrast, "speedup");
	const struct ratio ratio = {.low = tree_real(speedup, "low"), .high = tree_real(speedup, "high")};
	struct part_ns ns = {tree_real(kernel, "ns"), NAN, NAN};

	if (contrast)
		ns = difference_of(tree_real(contrast, "single_ns"), tree_real(contrast, "double_ns"), &ratio);
	step->doubt = joined_doubt(step->doubt, (ns.high - ns.low) / 2);
	step_add(step, id, ns, id == CAUSE_OTHER_KERNELS || is_sure(contrast), (struct placed_part){kernel, NULL});
}

/* ---- CUDA graphs ---- */

/* The graphs that were counted on both sides; `ns` of each side is the time of their kernels in a step. */
static json_t *counted_graphs(const json_t *family, double ns[2])
{
	const json_t *contrasts = json_object_get(family, "contrasts");
	json_t *list = json_array();

	ns[0] = ns[1] = 0;
	for (size_t i = 0; i < json_array_size(contrasts); i++) {
		const json_t *contrast = json_array_get(contrasts, i);
		const char *label = tree_text(contrast, "case");

		if (!tree_case_is_graph(family, label) || !json_array_size(json_object_get(contrast, "causes")))
			continue;
		append_json(list, json_pack("{s:s, s:s}", "case", label, "name", tree_name_of_case(label)));
		ns[0] += tree_real(contrast, "single_ns");
		ns[1] += tree_real(contrast, "double_ns");
	}
	return list;
}

/* The time in a step of all kernels of a side that graphs launch: all of it, also where others launch them, too. */
static double ns_of_graphs_kernels(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_MATCH], 2, key);
	double ns = 0;

	for (size_t i = 0; i < rows.count; i++)
		if (row_int(&rows, i, MATCH_inGraphs) == 1)
			ns += row_real(&rows, i, MATCH_ns);
	return ns;
}

/* The graphs that stand for their kernels. None does unless those that were counted have all of the time of all kernels
 * that graphs launch, on both sides: else it is not known which part of a kernel's time is theirs. */
static json_t *standing_graphs(const json_t *family, const struct family_rows *f)
{
	const char *const variants[] = {f->single, f->dbl};
	double counted[2];
	json_t *graphs = counted_graphs(family, counted);

	for (int i = 0; i < 2; i++) {
		double all = ns_of_graphs_kernels(f, variants[i]);

		if (!(fabs(counted[i] - all) <= graphs_apart * all))
			json_array_clear(graphs);
	}
	return graphs;
}

static bool is_in_graphs(const struct step *step, const json_t *kernel)
{
	return json_array_size(step->graphs) && tree_true(kernel, "in_graphs");
}

static void step_add_graphs(struct step *step, const json_t *family)
{
	for (size_t i = 0; i < json_array_size(step->graphs); i++) {
		const json_t *graph = json_array_get(step->graphs, i);

		add_counted_kernel(
			step, graph, tree_find(json_object_get(family, "contrasts"), "case", tree_text(graph, "case")));
	}
}

/* ---- all parts ---- */

static void step_add_kernel(struct step *step, const json_t *family, const json_t *kernel)
{
	const json_t *contrast = tree_find(json_object_get(family, "contrasts"), "case", tree_text(kernel, "case"));

	if (is_in_graphs(step, kernel))
		return;
	if (strcmp(tree_text(kernel, "kind"), "unmatched") == 0)
		add_whole_kernel(step, CAUSE_OTHER_KERNELS, kernel, NULL);
	else if (strcmp(tree_text(kernel, "kind"), "matched") != 0)
		return;
	else if (json_array_size(json_object_get(contrast, "causes")))
		add_counted_kernel(step, kernel, contrast);
	else
		add_whole_kernel(step, CAUSE_KERNEL_TIME, kernel, contrast);
}

static void step_gather(struct step *step, const json_t *family, const struct family_rows *f)
{
	const json_t *parts = json_object_get(family, "parts");
	json_t *graphs = standing_graphs(family, f);
	size_t most = (json_array_size(parts) + json_array_size(graphs)) * CAUSES;

	*step = (struct step){.part = xcalloc(most, sizeof(*step->part)),
		.place = xcalloc(most, sizeof(*step->place)),
		.graphs = graphs};
	for (size_t i = 0; i < json_array_size(parts); i++)
		step_add_kernel(step, family, json_array_get(parts, i));
	step_add_graphs(step, family);
}

static void step_free(struct step *step)
{
	free(step->part);
	free(step->place);
	json_decref(step->graphs);
}

/* ---- as JSON ---- */

static json_t *kernel_place_json(const json_t *kernel)
{
	json_t *object = json_object();

	put_json(object, "kind", json_string("kernel"));
	put_json(object, "file", json_null());
	put_json(object, "line", json_null());
	put_json(object, "text", json_incref(json_object_get(kernel, "name")));
	return object;
}

/* The kernel's time on both sides, as the traced runs have it. */
static json_t *kernel_time_evidence(const json_t *family, const json_t *kernel)
{
	const json_t *contrast = tree_find(json_object_get(family, "contrasts"), "case", tree_text(kernel, "case"));
	double ns = tree_real(kernel, "ns"), single = fmax(ns, 0), dbl = fmax(-ns, 0);
	json_t *list = json_array(), *row;

	if (strcmp(tree_text(kernel, "kind"), "matched") == 0) {
		if (!contrast)
			return list;
		single = tree_real(contrast, "single_ns");
		dbl = tree_real(contrast, "double_ns");
	}
	row = json_object();
	put_json(row, "metric", json_string("kernel_ns"));
	put_json(row, "title", json_string("time of the kernel in a step"));
	put_json(row, "single", real_json(single));
	put_json(row, "double", real_json(dbl));
	put_json(row, "unit", json_string("ns"));
	put_json(row, "pass", json_string("trace"));
	append_json(list, row);
	return list;
}

static json_t *step_cause_json(
	const struct step *step, const json_t *family, const struct cause *cause, const struct causes *of)
{
	json_t *object = json_object();
	const struct placed_part *place;

	put_cause_part(object, cause, of);
	if (cause->kernel < 0) {
		put_json(object, "evidence", json_array());
		put_json(object, "where", json_null());
		put_json(object, "action", json_null());
		return object;
	}
	place = &step->place[cause->kernel];
	put_json(object, "evidence",
		place->cause ? json_deep_copy(json_object_get(place->cause, "evidence"))
			     : kernel_time_evidence(family, place->kernel));
	put_json(object, "where", kernel_place_json(place->kernel));
	put_json(object, "action",
		cause->named && place->cause ? json_incref(json_object_get(place->cause, "action")) : json_null());
	return object;
}

/* The causes' order is that of their kernels. */
static bool step_is_stable(const json_t *family)
{
	const json_t *contrasts = json_object_get(family, "contrasts");

	for (size_t i = 0; i < json_array_size(contrasts); i++) {
		const json_t *order = json_object_get(json_array_get(contrasts, i), "order");

		if (json_is_object(order) && !tree_true(order, "stable"))
			return false;
	}
	return true;
}

static void step_put(const struct step *step, const json_t *family, const struct causes *causes, json_t *contrast)
{
	json_t *list = json_array();

	for (size_t i = 0; i < causes->n; i++)
		append_json(list, step_cause_json(step, family, &causes->item[i], causes));
	put_json(contrast, "causes", list);
	put_cause_judgement(contrast, causes);
	put_json(contrast, "called",
		json_pack("{s:O, s:O}", "single", json_object_get(family, "single"), "double",
			json_object_get(family, "double")));
}

static json_t *contrast_of_step(json_t *family, const char *label)
{
	json_t *contrast;
	size_t i;

	json_array_foreach(json_object_get(family, "contrasts"), i, contrast)
	{
		if (strcmp(tree_text(contrast, "case"), label) == 0)
			return contrast;
	}
	return NULL;
}

void step_causes_put(json_t *family, const struct judging *kernels)
{
	const struct part_ns difference =
		difference_of(kernels->side[0].median, kernels->side[1].median, &kernels->ratio);
	json_t *contrast = contrast_of_step(family, kernels->side[0].measured->label);
	bool judged = verdict_is_clear(kernels->verdict);
	struct causes causes;
	struct step step;

	step_gather(&step, family, kernels->f);
	if (step.counted && contrast && isfinite(difference.value)) {
		step_causes_of(step.part, step.n, difference, judged, step.doubt, &causes);
		causes.stable = step_is_stable(family);
		step_put(&step, family, &causes, contrast);
	}
	step_free(&step);
}
