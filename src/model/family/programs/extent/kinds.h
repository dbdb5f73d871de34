/* kinds.h: which kinds of steps two programs have: whether those that are compared are alike. Private to the folder of
 * programs. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_KINDS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_KINDS_H

#include <stdbool.h>
#include <stddef.h>

struct family_rows;

/* The kind of steps that most samples of a side come from. */
struct main_kind {
	const char *name; /* base name of the kernel that takes the most time; NULL: the recording tells no kinds */
	double launches;  /* in a step */
	double share[2];  /* of the steps with a kernel: of the first side, and of the other one */
};

struct main_kinds {
	struct main_kind of[2];
	bool alike; /* it is the same list of kernels on both sides, or there is none */
	/* Where it is not: how many steps of kinds that a side has take together the kernels of one step of the other
	 * side's kind, no more and no less; 0: that is not so. Names of kernels tell it. */
	size_t parts;
	size_t later[2]; /* other kinds with more than program_left_part of a side's steps, but for warm-up */
	/* Kernel time of the first side over that of the other one, over the main kind and such others that both sides
	 * have, each as often on both. NaN if there is no other one. */
	double mixed;
	/* The same over all kinds of each side, as often as they come, but for warm-up. */
	double all;
	/* The largest part of a side's steps that does not count, warm-up aside. NaN without any. */
	double rest;
};

/* Kernel time of the first side over that of the other one, over the steps that count, if each shape of a step is as
 * often on both sides: a list of kernels with their grids, blocks and launches. NaN if
 * they are as often on both as they come, or if others than those that both have are more than program_left_part. */
double shapes_ratio(const struct family_rows *f, const char *single, const char *other);

/* Kernels that a step launches, of those steps that launch kernels of the same names as the commonest kind, warm-up
 * aside: the fewest and the most of any. NaN where the recording tells no kinds. */
struct step_launches {
	double fewest, most;
};

struct step_launches step_launches_of(const struct family_rows *f, const char *variant);

/* Kinds of steps, warm-up aside, of which some may be on one side alone: the other one has no such list of kernels, or
 * hardly, or as warm-up. The kinds that count belong together, whatever their lists. */
struct lone_kinds {
	double steps[2];            /* shares of each side's steps that are of such kinds */
	double time[2];             /* the same of their time */
	double others, others_time; /* the largest share of a side's steps that is not of the kind that counts; of their
				       time */
	/* Time of a step of the first side over that of the other one, over all kinds: those that both have as often on
	 * both, and those of one side as they come. NaN where the recording does not tell. */
	double all;
};

/* By kernel time, of steps with a kernel. */
struct lone_kinds lone_kinds_of(const struct family_rows *f, const char *single, const char *other);

/* By host time in traced runs, where steps without a kernel are a kind, too. period_ns: what a step of each side that
 * counts takes by its period; NULL: durations tell. */
struct lone_kinds host_of_kinds(
	const struct family_rows *f, const char *single, const char *other, const double period_ns[2]);

struct main_kinds main_kinds_of(const struct family_rows *f, const char *single, const char *other);

#endif
