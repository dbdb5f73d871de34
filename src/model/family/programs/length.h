/* length.h: whether two runs without steps have the same length, by how often they launch their kernels. Private to
 * this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_LENGTH_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_LENGTH_H

#include <stdbool.h>

struct family_rows;

/* Kernel times of one run, ns. */
struct run_length {
	double alike;     /* of kernels that the other run launches as often, or with as many threads in all */
	double apart;     /* of those that it launches, but not so */
	double unmatched; /* of those that it does not have, or not by this name */
};

/* How two kernels compare: other over first side. */
struct run_factor {
	double launches, threads; /* threads: of all kernels with its base name */
};

struct run_lengths {
	struct run_length side[2];    /* the first one's first */
	struct run_factor matched;    /* of the matching kernel that takes the most time of the first side; NaN: none */
	struct run_factor unmatched;  /* of those that take the most time of what each side has for itself; NaN where
					 one has none */
	bool unmatched_apart;         /* these are launched neither as often nor with as many threads in all */
	double unmatched_launches[2]; /* of these two; NaN where one has none */
};

/* Numbers that differ by less than the share `within` are the same. */
struct run_lengths run_lengths_of(const struct family_rows *f, const char *single, const char *other, double within);

/* All kernel time of one run, ns. */
double length_of_run(const struct run_length *run);

/* Whether two commands may be taken to differ in the kernels without a match, and not in how long they run. */
bool unmatched_count_as_alike(const struct run_lengths *lengths);

/* Whether these kernels are all that tells of the length, and are launched at other counts. */
bool length_is_in_doubt(const struct run_lengths *lengths);

#endif
