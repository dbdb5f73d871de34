/* waits.h: whether the steps of two programs wait for their work. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_WAITS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_WAITS_H

#include <jansson.h>
#include <stdbool.h>

struct judging;

struct step_waits {
	bool has_range;
	bool known; /* there is a range, and kernel times */
	bool calls; /* the calls of the traced runs tell it; else the times do, of older recordings */
	bool waits[2];
	/* A side has no period, since other steps lie between those that count: kinds of steps that take turns. */
	bool turns;
	/* The step's time is its period, since steps of a side overlap, or leave work under way: then it is that of the
	 * work as long as the GPU keeps pace with the host. */
	bool period;
	bool pauses; /* the period has pauses in it */
	bool keeps_pace[2];
	double lag[2];  /* how far the periods of the traced runs may be off: share, median; NaN if unknown */
	double busy[2]; /* how long the GPU is busy in one (ns); NaN if unknown */
};

/* Of the judging of a program. By the calls of the traced runs: one run of many may be odd, so most of a side's decide.
 */
struct step_waits step_waits_of(const struct judging *program);

/* Whether the host time of a side's step is that of asking for its work alone. */
bool is_submission(const struct step_waits *waits);

/* What tells it: "lag", "turns", "calls" or "times". */
const char *step_waits_by(const struct step_waits *waits);

/* Puts "step_time", "step_pauses", "submission" and "submission_by". */
void step_waits_put(json_t *object, const struct step_waits *waits);

#endif
