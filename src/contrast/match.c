/* match.c: which kernels of two sides are each other's. */
#include "contrast/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "contrast/kernel/likeness.h"
#include "util/alloc.h"
#include "util/number.h"

/* The kernels of a side that are not matched yet, as places. */
struct match_rest {
	const struct side_kernels *side;
	uint32_t *item;
	size_t n;
	enum match_how how; /* by what they are sorted */
};

static int match_order(const struct launch_kernel *a, const struct launch_kernel *b, enum match_how how)
{
	int order = strcmp(a->base, b->base);

	if (!order)
		order = (int)a->is_graph - (int)b->is_graph;
	for (int i = 0; i < 3 && !order && how == MATCH_GRID; i++)
		order = int64_order(a->grid[i], b->grid[i]);
	return order;
}

/* Kernels that are alike stand in the order of their side. */
static int by_match(const void *left, const void *right, void *user)
{
	const struct match_rest *rest = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = match_order(&rest->side->kernels[a].kernel, &rest->side->kernels[b].kernel, rest->how);

	return order ? order : (a > b) - (a < b);
}

static void rest_sort(struct match_rest *rest, enum match_how how)
{
	rest->how = how;
	if (rest->n > 1)
		qsort_r(rest->item, rest->n, sizeof(*rest->item), by_match, rest);
}

static struct match_rest rest_of(const struct side_kernels *side)
{
	struct match_rest rest = {.side = side, .n = side->n};

	rest.item = xreallocarray(NULL, side->n + 1, sizeof(*rest.item));
	for (size_t k = 0; k < side->n; k++)
		rest.item[k] = (uint32_t)k;
	return rest;
}

static const struct launch_kernel *rest_kernel(const struct match_rest *rest, size_t i)
{
	return &rest->side->kernels[rest->item[i]].kernel;
}

/* Both are sorted, so the first of those that are alike on one side meets the first of the other side. */
static void match_pass(struct matching *out, struct match_rest *first, struct match_rest *other, enum match_how how)
{
	size_t i = 0, k = 0, left_first = 0, left_other = 0;

	rest_sort(first, how);
	rest_sort(other, how);
	while (i < first->n && k < other->n) {
		int order = match_order(rest_kernel(first, i), rest_kernel(other, k), how);

		if (order < 0)
			first->item[left_first++] = first->item[i++];
		else if (order > 0)
			other->item[left_other++] = other->item[k++];
		else
			out->pairs[out->n++] = (struct match_pair){first->item[i++], other->item[k++], how};
	}
	while (i < first->n)
		first->item[left_first++] = first->item[i++];
	while (k < other->n)
		other->item[left_other++] = other->item[k++];
	first->n = left_first;
	other->n = left_other;
}

/* ---- by place ---- */

static bool as_many(double a, double b)
{
	const double counting = 1e-6; /* sums of fractions */

	return fabs(a - b) <= counting * a;
}

static bool launched_alike(const struct side_kernel *a, const struct side_kernel *b)
{
	return as_many(a->launches, b->launches);
}

/* Whether all runs have the kernels of the side, in one order. */
static bool has_one_order(const struct side_kernels *side)
{
	return !side->order_differs && side->differing == 0;
}

static bool steps_are_alike(
	const struct matching *matching, const struct match_rest *first, const struct match_rest *other)
{
	bool alike = first->side->n == other->side->n && first->n > 0 && first->n <= PLACE_MATCHES_MOST &&
		     has_one_order(first->side) && has_one_order(other->side);

	for (size_t i = 0; alike && i < matching->n; i++)
		alike = matching->pairs[i].first == matching->pairs[i].other;
	return alike;
}

static int by_place_of_side(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static void sort_by_place(struct match_rest *rest)
{
	if (rest->n > 1)
		qsort(rest->item, rest->n, sizeof(*rest->item), by_place_of_side);
}

static size_t rest_likeness(const struct match_rest *first, size_t i, const struct match_rest *other, size_t k)
{
	return names_likeness(rest_kernel(first, i)->base, rest_kernel(other, k)->base);
}

/* Whether names tell that the work stands at another place now: one of each side, not at the same place, have as much
 * in common as either has with its own, and more than one of them has. */
static bool names_contradict(const struct match_rest *first, const struct match_rest *other)
{
	size_t own[PLACE_MATCHES_MOST];

	for (size_t i = 0; i < first->n; i++)
		own[i] = rest_likeness(first, i, other, i);
	for (size_t i = 0; i < first->n; i++) {
		for (size_t k = 0; k < first->n; k++) {
			size_t likeness = rest_likeness(first, i, other, k);

			if (likeness >= own[i] && likeness >= own[k] && (likeness > own[i] || likeness > own[k]))
				return true;
		}
	}
	return false;
}

/* Whether no name of the row [from, end) has as much in common with either as they have with each other. */
static bool names_are_clear(
	const struct match_rest *first, const struct match_rest *other, size_t own, size_t from, size_t end)
{
	size_t likeness = rest_likeness(first, own, other, own);

	for (size_t i = from; i < end; i++) {
		if (i != own && (rest_likeness(first, own, other, i) >= likeness ||
					rest_likeness(first, i, other, own) >= likeness))
			return false;
	}
	return true;
}

/* Whether those of [from, end), which stand in a row, are each other's without a guess. */
static bool row_matches(const struct match_rest *first, const struct match_rest *other, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		const struct side_kernel *a = &first->side->kernels[first->item[i]],
					 *b = &other->side->kernels[other->item[i]];

		if (a->kernel.is_graph != b->kernel.is_graph || !launched_alike(a, b) ||
			!names_are_clear(first, other, i, from, end))
			return false;
	}
	return true;
}

/* Where the row of those that stand behind each other ends. */
static size_t row_end(const struct match_rest *rest, size_t from)
{
	size_t end = from + 1;

	while (end < rest->n && rest->item[end] == rest->item[end - 1] + 1)
		end++;
	return end;
}

/* What is left then has the same places on both sides. */
static void match_by_place(struct matching *out, struct match_rest *first, struct match_rest *other)
{
	size_t left = 0;

	sort_by_place(first);
	sort_by_place(other);
	if (!steps_are_alike(out, first, other) || names_contradict(first, other))
		return;
	for (size_t from = 0, end; from < first->n; from = end) {
		bool matches;

		end = row_end(first, from);
		matches = row_matches(first, other, from, end);
		for (size_t i = from; i < end; i++) {
			uint32_t place = first->item[i];

			if (matches)
				out->pairs[out->n++] = (struct match_pair){place, place, MATCH_PLACE};
			else
				first->item[left++] = place;
		}
	}
	memcpy(other->item, first->item, left * sizeof(*other->item));
	first->n = other->n = left;
}

static int by_first(const void *left, const void *right)
{
	const struct match_pair *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

static double rest_share(const struct match_rest *rest)
{
	double share = 0;

	for (size_t i = 0; i < rest->n; i++)
		share += rest->side->kernels[rest->item[i]].share;
	return share;
}

/* ---- whether both run the same ---- */

static bool pair_is_alike(const struct side_kernel *a, const struct side_kernel *b)
{
	return a->kernel.hash == b->kernel.hash && a->kernel.in_graphs == b->kernel.in_graphs && !a->is_changing &&
	       !b->is_changing && launched_alike(a, b);
}

static bool sides_are_alike(
	const struct matching *matching, const struct side_kernels *first, const struct side_kernels *other)
{
	if (matching->n == 0 || matching->n != first->n || matching->n != other->n)
		return false;
	for (size_t i = 0; i < matching->n; i++) {
		const struct match_pair *pair = &matching->pairs[i];

		if (!pair_is_alike(&first->kernels[pair->first], &other->kernels[pair->other]))
			return false;
	}
	return true;
}

/* A sum is the only kernel of its name on a side. Where a third side made it one, these two may have the same grids. */
static void tell_sums(struct matching *matching, const struct side_kernels *first, const struct side_kernels *other)
{
	for (size_t i = 0; i < matching->n; i++) {
		struct match_pair *pair = &matching->pairs[i];
		const struct side_kernel *a = &first->kernels[pair->first];

		if (a->is_sum)
			pair->how = a->kernel.hash == other->kernels[pair->other].kernel.hash ? MATCH_GRID : MATCH_SUM;
	}
}

void match_sides(const struct side_kernels *first, const struct side_kernels *other, struct matching *out)
{
	struct match_rest of_first = rest_of(first), of_other = rest_of(other);
	size_t most = first->n < other->n ? first->n : other->n;

	*out = (struct matching){.pairs = xcalloc(most + 1, sizeof(*out->pairs))};
	match_pass(out, &of_first, &of_other, MATCH_GRID);
	match_pass(out, &of_first, &of_other, MATCH_NAME);
	tell_sums(out, first, other);
	match_by_place(out, &of_first, &of_other);
	if (out->n > 1)
		qsort(out->pairs, out->n, sizeof(*out->pairs), by_first);
	out->first_unmatched = of_first.n;
	out->other_unmatched = of_other.n;
	out->first_unmatched_share = rest_share(&of_first);
	out->other_unmatched_share = rest_share(&of_other);
	out->is_alike = sides_are_alike(out, first, other);
	free(of_first.item);
	free(of_other.item);
}

/* ---- base names that are compared as sums ---- */

/* A base name on both sides: places in their by_identity. */
struct name_group {
	const struct side_kernels *side[2];
	size_t from[2], end[2];
};

static const struct side_kernel *kernel_in_order(const struct side_kernels *side, size_t i)
{
	return &side->kernels[side->by_identity[i]];
}

/* Those of one name that are no graphs stand together. */
static size_t end_of_base(const struct side_kernels *side, size_t from)
{
	const struct launch_kernel *kernel = &kernel_in_order(side, from)->kernel;
	size_t end = from + 1;

	while (end < side->n && match_order(kernel, &kernel_in_order(side, end)->kernel, MATCH_NAME) == 0)
		end++;
	return end;
}

static double launches_of_name(const struct name_group *group, int i)
{
	double launches = 0;

	for (size_t k = group->from[i]; k < group->end[i]; k++)
		launches += kernel_in_order(group->side[i], k)->all_launches;
	return launches;
}

/* Whether a match by the order of kernels alone crosses another one of the name. `pair` is by place of the first side:
 * NULL where none matches; `place` are those of the group, in order. */
static bool matches_cross(const struct match_pair *const *pair, const uint32_t *place, size_t n)
{
	size_t last = 0, last_by_name = 0; /* one more than the largest place of the other side so far */

	for (size_t i = 0; i < n; i++) {
		const struct match_pair *one = pair[place[i]];

		if (one->other < last_by_name || (one->how == MATCH_NAME && one->other < last))
			return true;
		last = one->other >= last ? one->other + 1 : last;
		if (one->how == MATCH_NAME && one->other >= last_by_name)
			last_by_name = one->other + 1;
	}
	return false;
}

/* Whether each of the name has a match of its own that is launched as often. */
static bool all_match_alike(const struct name_group *group, const struct match_pair *const *pair)
{
	for (size_t k = group->from[0]; k < group->end[0]; k++) {
		const struct match_pair *one = pair[group->side[0]->by_identity[k]];

		if (!one || one->how == MATCH_PLACE ||
			!as_many(group->side[0]->kernels[one->first].all_launches,
				group->side[1]->kernels[one->other].all_launches))
			return false;
	}
	return true;
}

static bool is_sum_clearer(const struct name_group *group, const struct match_pair *const *pair)
{
	size_t n = group->end[0] - group->from[0];
	uint32_t *place;
	bool cross;

	if (n == 1 && group->end[1] - group->from[1] == 1)
		return false;
	if (!as_many(launches_of_name(group, 0), launches_of_name(group, 1)))
		return false;
	if (!all_match_alike(group, pair))
		return true;
	place = xreallocarray(NULL, n, sizeof(*place));
	memcpy(place, group->side[0]->by_identity + group->from[0], n * sizeof(*place));
	qsort(place, n, sizeof(*place), by_place_of_side);
	cross = matches_cross(pair, place, n);
	free(place);
	return cross;
}

size_t names_to_sum(const struct side_kernels *first, const struct side_kernels *other, const struct matching *matching,
	const char **names)
{
	const struct match_pair **pair = xcalloc(first->n + 1, sizeof(struct match_pair *));
	struct name_group group = {.side = {first, other}};
	size_t n = 0;

	for (size_t i = 0; i < matching->n; i++)
		pair[matching->pairs[i].first] = &matching->pairs[i];
	while (group.from[0] < first->n && group.from[1] < other->n) {
		const struct launch_kernel *a = &kernel_in_order(first, group.from[0])->kernel,
					   *b = &kernel_in_order(other, group.from[1])->kernel;
		int order = match_order(a, b, MATCH_NAME);

		group.end[0] = order <= 0 ? end_of_base(first, group.from[0]) : group.from[0];
		group.end[1] = order >= 0 ? end_of_base(other, group.from[1]) : group.from[1];
		if (order == 0 && !a->is_graph && is_sum_clearer(&group, pair))
			names[n++] = a->base;
		group.from[0] = group.end[0];
		group.from[1] = group.end[1];
	}
	free(pair);
	return n;
}

void matching_free(struct matching *matching)
{
	free(matching->pairs);
	*matching = (struct matching){0};
}

const char *match_how_word(enum match_how how)
{
	static const char *const words[] = {[MATCH_NONE] = NULL,
		[MATCH_GRID] = "grid",
		[MATCH_NAME] = "name",
		[MATCH_SUM] = "sum",
		[MATCH_PLACE] = "place"};

	return words[how];
}
