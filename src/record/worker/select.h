/* select.h: which families, variants and cases the options ask for. No GPU needed. */
#ifndef DBPROF_RECORD_WORKER_SELECT_H
#define DBPROF_RECORD_WORKER_SELECT_H

#include <stdbool.h>

#include "variant.h"
#include "record/record.h"

/* The family of that name, or NULL. */
const struct family *family_find(const char *name);
const struct variant *variant_find(const struct family *family, const char *name);

bool select_family(const struct record_options *options, const struct family *family);
bool select_variant(const struct record_options *options, const struct family *family, const struct variant *variant);

/* The cases to run with their labels, *n of them; the caller frees them. They are the family's own cases. If --set
 * changes a parameter of the family, it is the one case "set" instead: the headline with the settings applied, since
 * the names of other cases would no longer fit their values. With options->once, it is the cases that are only checked.
 * With options->sweep, the points of the family's sweeps follow. The settings must have passed record_check(). */
struct size_case *select_cases(const struct record_options *options, const struct family *family, int *n);

/* The pair that is compared in a case: that of the sweep, or that of the family. */
struct pair {
	const struct variant *single, *dbl;
};
struct pair select_pair(const struct family *family, const struct size_case *size);

/* Whether the variant runs in the case. In a family's own case all do; at a point of a sweep the pair does. So do the
 * parts of the work and, if the sweep says so, all candidates, but for those that are on demand. */
bool select_in_case(const struct family *family, const struct variant *variant, const struct size_case *size);

/* Whether "family/variant/case" stands in options->skip. */
bool select_skipped(const struct record_options *options, const char *family, const char *variant, const char *label);

/* How many cases of all selected families are timed, points of sweeps included. The time is shared among them. */
int select_timed_cases(const struct record_options *options);

#endif
