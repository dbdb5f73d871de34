/* metric-set.h: metric sets, read from files metrics/NAME.set (format: docs/metric-sets.md). */
#ifndef DBPROF_RECORD_METRIC_SET_H
#define DBPROF_RECORD_METRIC_SET_H

#include <stddef.h>

#include "record/record.h"
#include "util/error.h"

enum { METRIC_SET_MAX = 64 };

/* A value worked out from metrics. Strings point into the set's text. */
struct derived_metric {
	const char *key;     /* [a-z0-9_]+, unique among the sets of a pass */
	const char *title;   /* a few words */
	const char *unit;    /* "%", "bytes" ... */
	const char *formula; /* + - * / ( ), numbers and names of metrics, see analyze/formula.c */
	const char *meaning; /* one sentence */
};

struct metric_set {
	char name[64]; /* of the file, without folder and ending */
	char *text;    /* the file, cut into strings; owned */
	const char *title;
	enum pass pass;                      /* PASS_COUNTERS or PASS_PM */
	const char *metrics[METRIC_SET_MAX]; /* CUPTI's names: those that the formulas use, each once */
	int nmetrics;
	struct derived_metric derived[METRIC_SET_MAX];
	int nderived;
};

/* Parses the text of a file (copied). -1 with "line N: what is wrong". */
int metric_set_parse(const char *name, const char *text, struct metric_set *out, struct error *err);
void metric_set_free(struct metric_set *set);

/* Reads all sets of a pass in the order of the report from the data folder; *sets, of *n, is for metric_sets_free(). */
int metric_sets_load(enum pass pass, struct metric_set **sets, int *n, struct error *err);
void metric_sets_free(struct metric_set *sets, int n);

#endif
