/* metric-rows.c: see metric-rows.h. */
#include "record/cupti/metric-rows.h"

static int row_of_metric(struct recording *rec, const struct metric_set *set, int i, struct error *err)
{
	const struct derived_metric *value = &set->values[i];
	const struct value row[METRIC_NUMBER] = {
		[METRIC_setName] = VALUE_OF_TEXT(set->name),
		[METRIC_ord] = VALUE_OF_INT(i),
		[METRIC_pass] = VALUE_OF_TEXT(pass_name(set->pass)),
		[METRIC_setTitle] = VALUE_OF_TEXT(set->title),
		[METRIC_key] = VALUE_OF_TEXT(value->key),
		[METRIC_title] = VALUE_OF_TEXT(value->title),
		[METRIC_unit] = VALUE_OF_TEXT(value->unit),
		[METRIC_formula] = VALUE_OF_TEXT(value->formula),
		[METRIC_meaning] = VALUE_OF_TEXT(value->meaning),
	};

	return recording_row(rec, TABLE_METRIC, row, err);
}

int metric_sets_write(struct recording *rec, const struct metric_set *sets, int n, struct error *err)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < sets[i].nvalues; j++)
			if (row_of_metric(rec, &sets[i], j, err) < 0)
				return -1;
	return 0;
}
