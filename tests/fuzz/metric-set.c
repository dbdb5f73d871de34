/* metric-set.c: files of metric sets, and the formulas in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/cupti/metric-set.h"
#include "util/formula.h"

/* Small numbers, 0 among them; some names have none. */
static double lookup(void *user, const char *name, size_t length)
{
	(void)user;
	return length % 5 == 4 ? NAN : (double)(name[0] % 7);
}

static void evaluate(const struct metric_set *set)
{
	for (int i = 0; i < set->nvalues; i++) {
		struct error err = {0};
		double value;

		fuzz_check(set->values[i].formula != NULL && set->values[i].title != NULL, "a value is not whole");
		fuzz_check(formula_evaluate(set->values[i].formula, lookup, NULL, &value, &err) == 0,
			"a formula that was taken is none");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct metric_set set;
	struct error err = {0};
	int n;

	if (metric_set_parse("fuzz", text, &set, &err) == 0) {
		const char **metrics = metric_sets_metrics(&set, 1, &n);

		fuzz_check(metrics != NULL && n == set.nmetrics, "a metric is there twice");
		free(metrics);
		evaluate(&set);
		metric_set_free(&set);
	} else {
		fuzz_check_error(&err);
	}
	free(text);
	return 0;
}
