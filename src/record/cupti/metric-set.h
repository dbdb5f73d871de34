/* metric-set.h: metric sets, read from files metrics/NAME.set (format: docs/metric-sets.md). */
#ifndef DBPROF_RECORD_CUPTI_METRIC_SET_H
#define DBPROF_RECORD_CUPTI_METRIC_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "util/error.h"

enum { METRIC_SET_VALUES = 32, METRIC_SET_METRICS = 64 };

/* A value that is computed from metrics. Strings point into the set's text. */
struct derived_metric {
	const char *key;     /* [a-z0-9_]+ */
	const char *title;   /* a few words */
	const char *unit;    /* "%", "bytes" ... */
	const char *formula; /* a formula of CUPTI's names of metrics, see util/formula.h */
	const char *meaning; /* one sentence */
	const char *lacking; /* chips that lack its metrics, with spaces between them, or "" */
};

struct metric_set {
	char name[64]; /* the file's name, without folder and ending */
	char *text;    /* the file, cut into strings; owned */
	char *names;   /* what `metrics` points into; owned */
	const char *title;
	enum pass pass;                          /* PASS_COUNTERS or PASS_PM */
	int order;                               /* position in the report */
	int passes;                              /* so many are enough to collect it on any chip */
	const char *metrics[METRIC_SET_METRICS]; /* CUPTI's names: those that the formulas use, each once */
	int nmetrics;
	struct derived_metric values[METRIC_SET_VALUES];
	int nvalues;
};

/* Parses the text of a file (copied). -1 with "NAME.set, line N: what is wrong"; *out holds nothing then. */
int metric_set_parse(const char *name, const char *text, struct metric_set *out, struct error *err);
void metric_set_free(struct metric_set *set);

/* Reads all sets of a pass from the data folder, in the order of the report: *n of them in *sets, which
 * metric_sets_free() frees. */
int metric_sets_load(enum pass pass, struct metric_set **sets, int *n, struct error *err);
void metric_sets_free(struct metric_set *sets, int n);

/* The metrics of all sets, each once: an array of *n names. The caller frees it; the names belong to the sets. */
const char **metric_sets_metrics(const struct metric_set *sets, int nsets, int *n);

#endif
