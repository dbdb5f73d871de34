/* barrier.c: the "barrier" of a variant's case: barrier stall from counters, from PC samples and from the time
 * stamps inside the kernel, and how far the three lie apart. */
#include "model/family/barrier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/measured.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "util/alloc.h"

/* Which columns of a slice hold labels and amounts. With `own`, only rows that have it in column `symbol` count. */
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
static void share_of_rows(
	const struct rows *rows, struct label_columns columns, const char *label, double *share, double *whole)
{
	struct labelled *parts = xcalloc(rows->count, sizeof(*parts));
	size_t n = 0;

	*whole = rows->count ? 0 : NAN;
	for (size_t i = 0; i < rows->count; i++) {
		const char *text = row_text(rows, i, columns.label);

		if (!is_own(rows, i, columns))
			continue;
		parts[n] = (struct labelled){text ? text : "", row_real(rows, i, columns.amount)};
		*whole += parts[n++].amount;
	}
	*share = labelled_share(parts, n, label);
	free(parts);
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

void barrier_of(const struct model *model, const struct measured *m, struct barrier *out)
{
	const char *const key[] = {m->family, m->variant, m->label};
	const char *own = measured_symbol(m);
	struct rows stalls = rows_find(&model->table[TABLE_STALL], 3, key);
	struct rows sums = stamped_sums(model, m);

	out->share[BARRIER_COUNTERS] = counter_value(m, KEY_STALL_BARRIER) / 100;
	out->per_issue = counter_value(m, KEY_ISSUE_BARRIER);
	share_of_rows(&stalls, (struct label_columns){STALL_reason, STALL_samples, STALL_symbol, own}, "barrier",
		&out->share[BARRIER_SAMPLES], &out->samples);
	share_of_rows(&sums, (struct label_columns){PHASESUM_phase, PHASESUM_cycles, 0, NULL}, "wait",
		&out->share[BARRIER_PHASES], &out->cycles);
}

static json_t *disagreement_json(const struct barrier *barrier)
{
	struct disagreement found;
	json_t *object;

	barrier_disagreement(barrier->share, &found);
	if (isnan(found.share))
		return json_null();
	object = json_object();
	put_json(object, "share", real_json(found.share));
	put_json(object, "most", json_string(barrier_way_name(found.most)));
	put_json(object, "least", json_string(barrier_way_name(found.least)));
	return object;
}

json_t *barrier_json(const struct barrier *barrier)
{
	bool measured = isfinite(barrier->per_issue);
	json_t *object;

	for (enum barrier_way i = 0; i < BARRIER_WAYS; i++)
		measured |= isfinite(barrier->share[i]);
	if (!measured)
		return json_null();
	object = json_object();
	for (enum barrier_way i = 0; i < BARRIER_WAYS; i++)
		put_json(object, barrier_way_name(i), real_json(barrier->share[i]));
	put_json(object, "per_issue", real_json(barrier->per_issue));
	put_json(object, "all_samples", real_json(barrier->samples));
	put_json(object, "all_cycles", real_json(barrier->cycles));
	put_json(object, "disagreement", disagreement_json(barrier));
	return object;
}
