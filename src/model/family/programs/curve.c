/* curve.c: see curve.h. */
#include "model/family/programs/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/programs/pair.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/waits.h"
#include "model/family/ratio.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* What kernels, or the program's step, take with a value. The summary is NaN without samples. */
struct value_times {
	bool known;
	struct summary summary;
	double median;
	struct ratio ratio;   /* time of the first value / time of this one; NaN of the first itself */
	enum verdict verdict; /* against the first value */
	bool is_usable;       /* all checks passed */
};

/* A value and what it takes. */
struct varied_value {
	size_t variant, given; /* numbers: of its variant, and among the values as they were given */
	const char *value;     /* NULL: it is hidden */
	double number;         /* NaN: it is a word */
	struct value_times kernels, program;
	const struct value_times *decides; /* one of these */
	struct ratio to_best; /* time of this one / time of the best; NaN of the best, and unless it is usable */
	bool is_first, waits; /* waits: its steps and those of the first value end in a synchronisation */
};

struct curve {
	const struct family_rows *f;
	/* Kernels; the program's step where there are no kernel times, or where kernels are the same with all values,
	 * and steps wait for their work. */
	enum measures decides;
	const char *name;
	bool is_numeric;
	struct varied_value *point; /* in the order of their numbers, or of the words as they were given; owned */
	size_t n;
	const struct varied_value *best, *smallest, *doubtful; /* NULL: there is none */
};

static const struct ratio no_ratio = {.value = NAN, .low = NAN, .high = NAN};

/* ---- values ---- */

/* The number that a text is, all of it; NaN if it is none. */
static double value_number(const char *text)
{
	char *end;
	double number;

	if (!text || *text == '\0')
		return NAN;
	number = strtod(text, &end);
	return isfinite(number) && *end == '\0' ? number : NAN;
}

static int by_varied_value(const void *left, const void *right)
{
	const struct varied_value *a = left, *b = right;

	if (a->number != b->number && !isnan(a->number) && !isnan(b->number))
		return a->number < b->number ? -1 : 1;
	return (a->given > b->given) - (a->given < b->given);
}

/* Values that are not all numbers have the order in which they were given. */
static void curve_order(struct curve *curve)
{
	curve->is_numeric = curve->n > 0;
	for (size_t i = 0; i < curve->n; i++)
		curve->is_numeric &= !isnan(curve->point[i].number);
	for (size_t i = 0; i < curve->n && !curve->is_numeric; i++)
		curve->point[i].number = NAN;
	if (curve->n)
		qsort(curve->point, curve->n, sizeof(*curve->point), by_varied_value);
}

/* The sides that have a value. */
static void curve_values(struct curve *curve)
{
	const struct family_rows *f = curve->f;

	curve->point = xcalloc(f->variants.count, sizeof(*curve->point));
	for (size_t v = 0; v < f->variants.count; v++) {
		struct rows side = side_row(f, row_string(&f->variants, v, VARIANT_name));
		const char *value = side.count ? row_text(&side, 0, SIDE_value) : NULL;

		if (!side.count || row_null(&side, 0, SIDE_vary))
			continue;
		curve->name = curve->name ? curve->name : row_string(&side, 0, SIDE_vary);
		curve->point[curve->n] = (struct varied_value){
			.variant = v, .given = curve->n, .value = value, .number = value_number(value)};
		curve->n++;
	}
	curve_order(curve);
}

/* ---- what each takes ---- */

/* `j` may be NULL. */
static void take_value_times(struct value_times *times, const struct judging *j, bool is_first)
{
	*times = (struct value_times){.known = j != NULL, .median = NAN, .ratio = no_ratio, .verdict = VERDICT_UNCLEAR};
	summarize(j ? j->side[1].ns.x : NULL, j ? j->side[1].ns.n : 0, &times->summary);
	if (!j)
		return;
	times->median = j->side[1].median;
	times->is_usable = is_first || json_array_size(j->reasons) == 0;
	if (is_first)
		return;
	times->ratio = j->ratio;
	times->verdict = j->verdict;
}

/* The first value is held against itself, for its times. */
static void curve_measure(const struct curve *curve, size_t first, struct varied_value *point)
{
	const struct judging *program;
	struct program_pair pair;
	struct step_waits waits;

	point->to_best = no_ratio;
	point->is_first = point->variant == first;
	program_pair_judge(curve->f, first, point->variant, &pair);
	program = pair.has_program && judging_has_range(&pair.program) ? &pair.program : NULL;
	waits = program ? step_waits_of(program) : (struct step_waits){.known = false};
	point->waits = waits.known && !is_submission(&waits);
	take_value_times(&point->kernels, pair.has_kernels ? &pair.kernels : NULL, point->is_first);
	take_value_times(&point->program, program, point->is_first);
	program_pair_free(&pair);
}

/* Whether kernels cannot tell values apart, and steps can. A side that failed tells nothing. Where --kernel chose some,
 * a step holds others, too. */
static bool steps_alone_tell(const struct curve *curve)
{
	size_t n = 0;

	if (kernels_are_chosen(curve->f))
		return false;
	for (size_t i = 0; i < curve->n; i++) {
		const struct varied_value *point = &curve->point[i];

		if (point->is_first || (!point->kernels.known && !point->program.known))
			continue;
		if (point->kernels.verdict != VERDICT_SAME || !point->program.known || !point->waits)
			return false;
		n++;
	}
	return n > 0;
}

static void curve_decide(struct curve *curve)
{
	bool lacks_kernels = case_of(curve->f, MEASURES_KERNELS) < 0 && case_of(curve->f, MEASURES_PROGRAM) >= 0;

	curve->decides = lacks_kernels || steps_alone_tell(curve) ? MEASURES_PROGRAM : MEASURES_KERNELS;
	for (size_t i = 0; i < curve->n; i++) {
		struct varied_value *point = &curve->point[i];

		point->decides = curve->decides == MEASURES_KERNELS ? &point->kernels : &point->program;
	}
}

/* ---- the best ---- */

/* The least median of the points that `wanted` takes; of equal ones the first. NULL if there is none. */
static const struct varied_value *least_median(
	const struct curve *curve, bool (*wanted)(const struct varied_value *point))
{
	const struct varied_value *least = NULL;

	for (size_t i = 0; i < curve->n; i++) {
		const struct varied_value *point = &curve->point[i];

		if (wanted(point) && !isnan(point->decides->median) &&
			(!least || point->decides->median < least->decides->median))
			least = point;
	}
	return least;
}

static bool point_is_faster(const struct varied_value *point)
{
	return !point->is_first && point->decides->verdict == VERDICT_FASTER;
}

static bool point_is_first(const struct varied_value *point)
{
	return point->is_first;
}

static bool point_is_unclear(const struct varied_value *point)
{
	return !point->is_first && point->decides->verdict == VERDICT_UNCLEAR;
}

/* Each usable point against the best, and the first of them that is as good. */
static void curve_hold_against_best(struct curve *curve)
{
	ssize_t decides = case_of(curve->f, curve->decides);

	for (size_t i = 0; i < curve->n && decides >= 0; i++) {
		struct varied_value *point = &curve->point[i];
		struct judging judging;

		if (point == curve->best && !curve->smallest)
			curve->smallest = point;
		if (point == curve->best || !point->decides->is_usable ||
			!judging_begin(curve->f, (size_t)decides, point->variant, curve->best->variant, &judging))
			continue;
		point->to_best = judging.ratio;
		if (!curve->smallest && point->to_best.value <= 1 + value_as_good)
			curve->smallest = point;
		judging_free(&judging);
	}
}

/* A value that is clearly faster than the first; the others prove nothing. */
static void curve_judge(struct curve *curve)
{
	const struct varied_value *least;

	curve->best = least_median(curve, point_is_faster);
	curve->doubtful = least_median(curve, point_is_unclear);
	least = curve->best ? curve->best : least_median(curve, point_is_first);
	if (curve->doubtful && !(least && curve->doubtful->decides->median < least->decides->median))
		curve->doubtful = NULL;
	if (curve->best)
		curve_hold_against_best(curve);
}

/* Whether the best is clearly faster than each of the others. */
static bool best_is_apart(const struct curve *curve)
{
	for (size_t i = 0; i < curve->n; i++) {
		const struct varied_value *point = &curve->point[i];

		if (point != curve->best && point->decides->is_usable && !(point->to_best.low > 1))
			return false;
	}
	return true;
}

/* ---- JSON ---- */

static json_t *curve_ratio_json(const struct ratio *ratio)
{
	return isnan(ratio->value) ? json_null() : ratio_json(ratio);
}

static json_t *quartiles_json(const struct summary *summary)
{
	json_t *list;

	if (summary->n == 0)
		return json_null();
	list = json_array();
	append_json(list, real_json(summary->q1));
	append_json(list, real_json(summary->q3));
	return list;
}

static json_t *variant_name_json(const struct curve *curve, const struct varied_value *point)
{
	return point ? text_json(row_string(&curve->f->variants, point->variant, VARIANT_name)) : json_null();
}

static json_t *varied_value_json(const struct curve *curve, const struct varied_value *point)
{
	bool judged = !point->is_first && !isnan(point->decides->median);
	json_t *object = json_object();

	put_json(object, "value", text_json(point->value));
	put_json(object, "number", real_json(point->number));
	put_json(object, "variant", variant_name_json(curve, point));
	put_json(object, "kernels_ns", real_json(point->kernels.summary.median));
	put_json(object, "kernels_quartiles_ns", quartiles_json(&point->kernels.summary));
	put_json(object, "program_ns", real_json(point->program.summary.median));
	put_json(object, "program_quartiles_ns", quartiles_json(&point->program.summary));
	put_json(object, "verdict", judged ? json_string(verdict_name(point->decides->verdict)) : json_null());
	put_json(object, "ratio", curve_ratio_json(&point->decides->ratio));
	put_json(object, "program_ratio", curve_ratio_json(&point->program.ratio));
	put_json(object, "to_best", curve_ratio_json(&point->to_best));
	return object;
}

static json_t *curve_tree(const struct curve *curve)
{
	json_t *object = json_object(), *points = json_array();
	bool clear = curve->smallest == curve->best ||
		     (curve->smallest && curve->smallest->to_best.high <= 1 + value_as_good);

	for (size_t i = 0; i < curve->n; i++)
		append_json(points, varied_value_json(curve, &curve->point[i]));
	put_json(object, "name", text_json(curve->name));
	put_json(object, "numeric", json_boolean(curve->is_numeric));
	put_json(object, "basis", json_string(curve->decides == MEASURES_KERNELS ? "kernels" : "range"));
	put_json(object, "points", points);
	put_json(object, "best", variant_name_json(curve, curve->best));
	put_json(object, "best_apart", curve->best ? json_boolean(best_is_apart(curve)) : json_null());
	put_json(object, "smallest_within", variant_name_json(curve, curve->smallest));
	put_json(object, "smallest_clear", curve->smallest ? json_boolean(clear) : json_null());
	put_json(object, "within", json_real(value_as_good));
	put_json(object, "doubtful", variant_name_json(curve, curve->doubtful));
	return object;
}

json_t *values_curve_json(const struct family_rows *f)
{
	struct curve curve = {.f = f};
	ssize_t first = side_number(f, f->single);
	json_t *json = json_null();

	curve_values(&curve);
	if (first >= 0 && curve.n > 1) {
		for (size_t i = 0; i < curve.n; i++)
			curve_measure(&curve, (size_t)first, &curve.point[i]);
		curve_decide(&curve);
		curve_judge(&curve);
		json = curve_tree(&curve);
	}
	free(curve.point);
	return json;
}
