/* select.h: which families, variants and cases the options ask for. No GPU needed. */
#ifndef DBPROF_RECORD_WORK_SELECT_H
#define DBPROF_RECORD_WORK_SELECT_H

#include <stdbool.h>

#include "variant.h"
#include "record/record.h"

/* NULL if there is none of that name. */
const struct family *family_find(const char *name);
const struct variant *variant_find(const struct family *family, const char *name);

bool select_family(const struct record_options *options, const struct family *family);
bool select_variant(const struct record_options *options, const struct family *family, const struct variant *variant);

/* The cases to run, *n of them, for free(), with their labels: the family's own, or, if --set changes a parameter of
 * the family, the one case "set", which is the headline with the settings applied (the other cases' names would no
 * longer fit their values), or, with options->once, those that are only checked; behind them, if options->sweep says
 * so, the points of the family's sweeps. The settings must have passed record_check(). */
struct size_case *select_cases(const struct record_options *options, const struct family *family, int *n);

/* The pair that is compared in a case: the family's, or that of the sweep. */
struct pair {
	const struct variant *single, *dbl;
};
struct pair select_pair(const struct family *family, const struct size_case *size);

/* Whether the variant has a part in the case: in a family's own case all have, at a point of a sweep the pair, the
 * parts of the work and, if the sweep says so, all candidates. */
bool select_in_case(const struct family *family, const struct variant *variant, const struct size_case *size);

/* Whether "family/variant/case" stands in options->skip. */
bool select_skipped(const struct record_options *options, const char *family, const char *variant, const char *label);

/* How many cases of all selected families are timed, points of sweeps included: to share out the time there is. */
int select_timed_cases(const struct record_options *options);

#endif
