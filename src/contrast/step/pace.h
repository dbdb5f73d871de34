/* pace.h: how fast the steps of a run follow each other, and by which of two measures their time is told. */
#ifndef DBPROF_CONTRAST_PACE_H
#define DBPROF_CONTRAST_PACE_H

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

/* Of all steps of a run. */
struct step_pace {
	bool overlap;           /* a steady step begins before another one of its process has ended */
	size_t between, pauses; /* ways from a steady step to the next one of its process; those that are pauses */
	struct period_sums by[STEP_MEASURES]; /* all 0 for STEP_DURATION */
};

/* Finds the times of the steps. A pause is what takes more than period_pause times the median from one steady step of a
 * process to the next (analyze/thresholds.h). Periods count between steady steps that follow each other in their
 * process with no other one between them, and by STEP_PERIOD without a pause. Of such a row the first ones are left
 * out, until the GPU lags as far behind as it mostly does: until then the buffers of a pipeline are filled, and nobody
 * waits. The last ones are left out, too, as far as the lag was then more like that at the first begin that counts: for
 * what the lag has changed by in between, the GPU did more or less work than the steps have asked for. Sums over all
 * such rows. */
void steps_pace(struct paced_step *steps, size_t n, struct step_pace *out);

/* The change of the lag as a share of all periods: how far these may be off. NaN without any. */
double pace_lag_share(const struct period_sums *sums);

/* What one run says of the steps of its side. */
struct paced_run {
	size_t side;
	bool traced; /* else it has the ranges alone */
	bool ends;   /* no steps of a process overlap, and each one ends with its work done (of a traced run) */
	struct step_pace pace; /* of a run without CUPTI the numbers alone */
};

/* The periods of all runs of all sides: STEP_PERIOD if pauses are rare in all of them together, by period_pauses_most
 * (analyze/thresholds.h), else STEP_PERIOD_ALL. One run alone would not do: near that share a step more or less would
 * have them count on one side only. */
enum step_measure periods_of(const struct paced_run *runs, size_t n);

/* The measure of all runs of all sides. It is the duration if most runs of each side have steps that end, each, with
 * their work done. It is the period, `periods` of the two, if most runs of a side have not, but the GPU keeps pace
 * there: by median, the lag changes by at most period_lag_share. Most runs of each side must have periods. */
enum step_measure step_measure_of(const struct paced_run *runs, size_t n, size_t nsides, enum step_measure periods);

#endif
