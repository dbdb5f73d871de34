/* barrier.c: the "barrier" of a variant's case: barrier stall from counters, from PC samples and from the time
 * stamps inside the kernel, and how far the three lie apart. */
#include "model/family/barrier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/counters.h"
#include "model/family/measure.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/counter-keys.h"
#include "tree/json.h"

/* A column of labels and one of amounts, of a slice of rows; with `own`, of those rows that have it in column `symbol`.
 */
struct label_columns {
	int label, amount, symbol;
	const char *own; /* NULL: of all rows */
};

static bool is_own(const struct rows *rows, size_t i, struct label_columns columns)
{
	const char *symbol = columns.own ? row_text(rows, i, columns.symbol) : NULL;

	return !columns.own || (symbol && strcmp(symbol, columns.own) == 0);
}

/* The share of one label, NaN without rows; *whole is what all labels amount to. */
static int share_of_rows(
	const struct rows *rows, struct label_columns columns, const char *label, double *share, double *whole)
{
	struct labelled *parts = calloc(rows->count + 1, sizeof(*parts));
	size_t n = 0;

	*share = *whole = NAN;
	if (!parts)
		return -1;
	if (rows->count)
		*whole = 0;
	for (size_t i = 0; i < rows->count; i++) {
		const char *text = row_text(rows, i, columns.label);

		if (!is_own(rows, i, columns))
			continue;
		parts[n] = (struct labelled){text ? text : "", row_real(rows, i, columns.amount)};
		*whole += parts[n++].amount;
	}
	*share = labelled_share(parts, n, label);
	free(parts);
	return 0;
}

/* The sums of this variant and case; none if it was not stamped. */
static struct rows stamped_sums(const struct model *model, const struct measured *m)
{
	struct rows runs = rows_all(&model->table[TABLE_PHASERUN]);
	const struct rowset *sums = &model->table[TABLE_PHASESUM];

	for (size_t i = 0; i < runs.count; i++) {
		if (measured_in_row(m, &runs, i, PHASERUN_family))
			return rows_numbered(sums, PHASESUM_run, row_int(&runs, i, PHASERUN_id));
	}
	return (struct rows){sums, 0, 0};
}

int barrier_of(const struct model *model, const struct measured *m, struct barrier *out)
{
	const char *const key[] = {m->family, m->variant, m->label};
	const char *own = m->has_resources ? row_text(&m->resource, 0, RESOURCE_symbol) : NULL;
	struct rows stalls = rows_find(&model->table[TABLE_STALL], 3, key);
	struct rows sums = stamped_sums(model, m);
	int bad = 0;

	out->share[BARRIER_COUNTERS] = counter_value(m, KEY_STALL_BARRIER) / 100;
	out->per_issue = counter_value(m, KEY_ISSUE_BARRIER);
	bad |= share_of_rows(&stalls, (struct label_columns){STALL_reason, STALL_samples, STALL_symbol, own}, "barrier",
		&out->share[BARRIER_SAMPLES], &out->samples);
	bad |= share_of_rows(&sums, (struct label_columns){PHASESUM_phase, PHASESUM_cycles, 0, NULL}, "wait",
		&out->share[BARRIER_PHASES], &out->cycles);
	return bad;
}

static json_t *disagreement_json(const struct barrier *barrier)
{
	struct disagreement found;
	json_t *object;
	int bad = 0;

	barrier_disagreement(barrier->share, &found);
	if (isnan(found.share))
		return json_null();
	object = json_object();
	bad |= put_json(object, "share", real_json(found.share));
	bad |= put_json(object, "most", json_string(barrier_way_name(found.most)));
	bad |= put_json(object, "least", json_string(barrier_way_name(found.least)));
	return built_json(object, bad);
}

json_t *barrier_json(const struct barrier *barrier)
{
	bool measured = isfinite(barrier->per_issue);
	json_t *object;
	int bad = 0;

	for (enum barrier_way i = 0; i < BARRIER_WAYS; i++)
		measured |= isfinite(barrier->share[i]);
	if (!measured)
		return json_null();
	object = json_object();
	for (enum barrier_way i = 0; i < BARRIER_WAYS; i++)
		bad |= put_json(object, barrier_way_name(i), real_json(barrier->share[i]));
	bad |= put_json(object, "per_issue", real_json(barrier->per_issue));
	bad |= put_json(object, "all_samples", real_json(barrier->samples));
	bad |= put_json(object, "all_cycles", real_json(barrier->cycles));
	bad |= put_json(object, "disagreement", disagreement_json(barrier));
	return built_json(object, bad);
}
