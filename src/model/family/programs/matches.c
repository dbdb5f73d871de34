/* matches.c: see matches.h. */
#include "model/family/programs/matches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/family-rows.h"
#include "model/family/programs/machine-code.h"
#include "model/family/programs/match-rows.h"
#include "model/family/programs/pair.h"
#include "model/family/programs/records.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* A program may have thousands of kernels: of each list, the first so many. What is left out of the parts is in the
 * rest. */
enum { LISTED_MOST = 64, PARTS_MOST = 32 };

/* ---- a kernel ---- */

static json_t *extent_json(const struct rows *rows, size_t i, int x)
{
	json_t *list;

	if (row_null(rows, i, x))
		return json_null();
	list = json_array();
	for (int d = 0; d < 3; d++)
		append_json(list, row_json(rows, i, x + d));
	return list;
}

static json_t *matched_kernel_json(const struct rows *rows, size_t i)
{
	static const struct field fields[] = {
		{"side", MATCH_variant},
		{"case", MATCH_caseLabel},
		{"name", MATCH_name},
		{"short_name", MATCH_shortName},
		{"how", MATCH_how},
		{"registers", MATCH_registers},
		{"static_shared_bytes", MATCH_staticSmem},
		{"dynamic_shared_bytes", MATCH_dynamicSmem},
		{"local_bytes", MATCH_localBytes},
		{"launches", MATCH_launches},
		{"ns", MATCH_ns},
		{"share", MATCH_share},
		{"code", MATCH_code},
		{"codes", MATCH_codes},
	};
	json_t *object = json_object();

	put_fields(object, rows, i, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "elsewhere",
		row_null(rows, i, MATCH_elsewhere) ? json_null()
						   : json_boolean(row_int(rows, i, MATCH_elsewhere) == 1));
	put_json(object, "in_graphs", json_boolean(row_int(rows, i, MATCH_inGraphs) == 1));
	put_json(object, "grid", extent_json(rows, i, MATCH_gridX));
	put_json(object, "block", extent_json(rows, i, MATCH_blockX));
	put_json(object, "cluster", extent_json(rows, i, MATCH_clusterX));
	put_json(object, "cooperative",
		row_null(rows, i, MATCH_cooperative) ? json_null()
						     : json_boolean(row_int(rows, i, MATCH_cooperative) == 1));
	return object;
}

/* ---- what a kernel adds to the difference ---- */

/* Medians of the samples where a kernel has some, else what its row says. */
static double matched_difference(
	const struct family_rows *f, const struct match_labels *labels, size_t from, size_t end, bool *measured)
{
	ssize_t i = rows_with(&f->cases, CASE_label, labels->item[from].label);
	ssize_t single = side_number(f, f->single), other = side_number(f, f->dbl);
	double median[2] = {NAN, NAN}, difference;

	if (i >= 0 && single >= 0 && other >= 0)
		judged_medians(f, (size_t)i, (size_t)single, (size_t)other, median);
	difference = median[0] - median[1];
	*measured = isfinite(difference);
	return *measured ? difference : match_ns(labels, from, end, f->single) - match_ns(labels, from, end, f->dbl);
}

static json_t *difference_part(const char *kind, const json_t *kernel, double ns, double whole)
{
	json_t *part = json_object();

	put_json(part, "kind", json_string(kind));
	put_json(part, "case", kernel ? json_incref(json_object_get(kernel, "case")) : json_null());
	put_json(part, "side", kernel ? json_incref(json_object_get(kernel, "side")) : json_null());
	put_json(part, "name", kernel ? json_incref(json_object_get(kernel, "short_name")) : json_null());
	put_json(part, "elsewhere", kernel ? json_incref(json_object_get(kernel, "elsewhere")) : json_null());
	put_json(part, "in_graphs", json_boolean(kernel && tree_true(kernel, "in_graphs")));
	put_json(part, "ns", real_json(ns));
	put_json(part, "share", real_json(ns / whole));
	return part;
}

/* What is being put together. */
struct matches {
	const struct family_rows *f;
	double whole; /* single less double, of all kernels in a step; NaN if not judged */
	json_t *matched, *unmatched, *parts;
};

static void add_matched(struct matches *m, const struct match_labels *labels, size_t from, size_t end)
{
	bool measured, in_graphs = false;
	double difference = matched_difference(m->f, labels, from, end, &measured);
	json_t *object = json_object(), *kernels = json_array(), *part;

	for (size_t i = from; i < end; i++) {
		append_json(kernels, matched_kernel_json(&labels->rows, labels->item[i].row));
		in_graphs |= row_int(&labels->rows, labels->item[i].row, MATCH_inGraphs) == 1;
	}
	part = difference_part("matched", json_array_get(kernels, 0), difference, m->whole);
	put_json(part, "side", json_null());
	put_json(part, "in_graphs", json_boolean(in_graphs));
	append_json(m->parts, part);
	put_json(object, "case", text_json(labels->item[from].label));
	put_json(object, "measured", json_boolean(measured));
	put_json(object, "kernels", kernels);
	put_json(object, "same_code", kernels_same_code(kernels));
	put_json(object, "difference_ns", real_json(difference));
	put_json(object, "share", real_json(difference / m->whole));
	append_json(m->matched, object);
}

/* A kernel of a third side is no part of the difference between the first two. */
static void add_unmatched(struct matches *m, const struct match_labels *labels, size_t item)
{
	json_t *kernel = matched_kernel_json(&labels->rows, labels->item[item].row);
	const char *side = tree_text(kernel, "side");
	double ns = tree_real(kernel, "ns");

	if (isfinite(ns) && strcmp(side, m->f->single) == 0)
		append_json(m->parts, difference_part("unmatched", kernel, ns, m->whole));
	else if (isfinite(ns) && strcmp(side, m->f->dbl) == 0)
		append_json(m->parts, difference_part("unmatched", kernel, -ns, m->whole));
	put_json(kernel, "left_open", json_boolean(records_leave_open(m->f, side)));
	append_json(m->unmatched, kernel);
}

/* ---- lists, the largest first ---- */

struct ranked {
	json_t *item;
	double size;
	size_t at;
	bool stays;
};

static int by_rank(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Others tell names and kinds of a case by these, however small its difference is. */
static bool has_times(const json_t *item)
{
	return tree_true(item, "measured");
}

static size_t number_with_times(const json_t *list)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		n += has_times(json_array_get(list, i));
	return n;
}

/* Sorts a list by the size of `key`, and keeps the first `most`, among them all that has_times(); returns how many it
 * leaves out. */
static size_t keep_largest(json_t *list, const char *key, size_t most)
{
	size_t n = json_array_size(list);
	size_t timed = number_with_times(list), others = most > timed ? most - timed : 0;
	struct ranked *ranked = xcalloc(n, sizeof(*ranked));

	for (size_t i = 0; i < n; i++) {
		json_t *item = json_array_get(list, i);
		double size = fabs(tree_real(item, key));

		ranked[i] = (struct ranked){json_incref(item), isnan(size) ? -1 : size, i, has_times(item)};
	}
	if (n)
		qsort(ranked, n, sizeof(*ranked), by_rank);
	json_array_clear(list);
	for (size_t i = 0; i < n; i++) {
		if (ranked[i].stays || others > 0)
			json_array_append(list, ranked[i].item);
		others -= !ranked[i].stays && others > 0;
		json_decref(ranked[i].item);
	}
	free(ranked);
	return n - json_array_size(list);
}

/* What the parts do not add up to. */
static void add_rest(struct matches *m)
{
	double sum = 0;

	for (size_t i = 0; i < json_array_size(m->parts); i++)
		sum += tree_real(json_array_get(m->parts, i), "ns");
	append_json(m->parts, difference_part("rest", NULL, m->whole - sum, m->whole));
}

static void put_matches(struct matches *m, json_t *tree)
{
	keep_largest(m->parts, "ns", PARTS_MOST);
	if (isfinite(m->whole))
		add_rest(m);
	else
		json_array_clear(m->parts);
	put_json(tree, "difference_ns", real_json(m->whole));
	put_json(tree, "matched_left_out",
		json_integer((json_int_t)keep_largest(m->matched, "difference_ns", LISTED_MOST)));
	put_json(
		tree, "unmatched_left_out", json_integer((json_int_t)keep_largest(m->unmatched, "share", LISTED_MOST)));
	put_json(tree, "matched", m->matched);
	put_json(tree, "unmatched", m->unmatched);
	put_json(tree, "parts", m->parts);
}

void matches_put(json_t *tree, const struct family_rows *f, const struct program_pair *pair)
{
	struct matches m = {.f = f,
		.whole = pair->has_kernels ? pair->kernels.side[0].median - pair->kernels.side[1].median : NAN,
		.matched = json_array(),
		.unmatched = json_array(),
		.parts = json_array()};
	struct match_labels labels;
	bool *small;

	match_labels_read(f, &labels);
	small = small_matches(f, &labels);
	for (size_t i = 0, end; i < labels.n; i = end) {
		end = match_group_end(&labels, i);
		if (match_group_matches(&labels, i, end))
			add_matched(&m, &labels, i, end);
		else
			for (size_t k = i; k < end; k++)
				if (!small[labels.item[k].row])
					add_unmatched(&m, &labels, k);
	}
	free(small);
	free(labels.item);
	put_matches(&m, tree);
}
