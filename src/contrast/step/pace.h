/* pace.h: how fast the steps of a run follow each other, and by which measure their time is told. */
#ifndef DBPROF_CONTRAST_PACE_H
#define DBPROF_CONTRAST_PACE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the host time of a step is. */
enum step_measure {
	STEP_DURATION,   /* the length of its range */
	STEP_PERIOD,     /* from its begin to the begin of the next one of its process, unless that is a pause */
	STEP_PERIOD_ALL, /* the same, pauses too */
	STEP_MEASURES
};

/* DBPROF_CASE.stepTime */
const char *step_measure_word(enum step_measure measure);

/* The time of a step that does not count by a measure. */
enum { NO_TIME = -1 };

/* A step of a run. Steps stand in the order of their starts. */
struct paced_step {
	int64_t process, start, end;
	int64_t lag; /* for how long the GPU works on, at its start, at what its process has asked for; 0 if unknown */
	bool is_steady;
	int64_t host_ns[STEP_MEASURES]; /* out: its time by each measure (ns), or NO_TIME */
};

/* Sums over the periods of a run that count by one measure. */
struct period_sums {
	size_t periods;
	int64_t ns;
	int64_t lag_change; /* how far the lag is at the end of the periods from what it was at their begin (ns) */
};

/* Of all steps of a run. A way leads from a steady step to the next one of its process. */
struct step_pace {
	bool overlap;                         /* a steady step begins before another one of its process has ended */
	double usual_ns;                      /* the median of all ways; NaN without any */
	double pause_share;                   /* of the ways, those that are pauses; NaN likewise */
	struct period_sums by[STEP_MEASURES]; /* all 0 for STEP_DURATION */
};

/* Of steps_pace(): what is a pause goes by each process's own usual way alone. */
#define PAUSE_UNKNOWN NAN

/* Finds the times of the steps. A way of more than `pause` ns is a pause, if it is also longer than period_pause median
 * ways of its process (analyze/thresholds.h). Periods count between steady steps that follow each other in their
 * process with no other one between them, and by STEP_PERIOD without a pause. Of such a row the first ones are left
 * out, until the GPU lags as far behind as it mostly does: until then the buffers of a pipeline are filled, and nobody
 * waits. The last ones are left out, too, as far as the lag was then more like that at the first begin that counts: for
 * what the lag has changed by in between, the GPU did more or less work than the steps have asked for. Sums over all
 * such rows. */
void steps_pace(struct paced_step *steps, size_t n, double pause, struct step_pace *out);

/* The change of the lag as a share of all periods: how far these may be off. NaN without any. */
double pace_lag_share(const struct period_sums *sums);

/* What one run says of the steps of its side. */
struct paced_run {
	size_t side;
	bool traced; /* else it has the ranges alone */
	bool ends;   /* no steps of a process overlap, and each one ends with its work done (of a traced run) */
	struct step_pace pace; /* of a run without CUPTI the numbers alone */
};

/* How long a pause is at least, for all runs of all sides (ns): period_pause usual ways of the slowest side, by the
 * median over its runs. With a length of its own each run would have the same pause in its periods on one side, and not
 * on the other. NaN if no way is known. */
double pause_of_runs(const struct paced_run *runs, size_t n, size_t nsides);

/* The periods of all runs of all sides: STEP_PERIOD if pauses are rare on each of them, by the median over its runs and
 * period_pauses_most, else STEP_PERIOD_ALL. */
enum step_measure periods_of(const struct paced_run *runs, size_t n, size_t nsides);

/* The measure of all runs of all sides. It is the duration if most runs of each side have steps that end, each, with
 * their work done. It is the period, as periods_of() says, if most runs of a side have not, but the GPU keeps pace
 * there: by median, the lag changes by at most period_lag_share. Most runs of each side must have periods. */
enum step_measure step_measure_of(const struct paced_run *runs, size_t n, size_t nsides);

/* Of the two kinds of periods the one beside this measure: beside a duration it is that without pauses. */
enum step_measure step_period_beside(enum step_measure measure);

#endif
