/* length.h: whether two runs without steps have the same length, by how often they launch their kernels. Private to
 * this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_LENGTH_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_LENGTH_H

struct family_rows;

/* Kernel times of one run, ns. */
struct run_length {
	double alike;     /* of kernels that the other run launches as often, or with as many threads in all */
	double apart;     /* of those that it launches, but not so */
	double unmatched; /* of those that it does not have, or not by this name: they tell nothing */
};

/* How the kernel that takes the most time of the first side compares: other over first side. NaN where none matches. */
struct run_factor {
	double launches, threads; /* threads: of all kernels with its base name */
};

/* Fills what each side has, the first one's first. Numbers that differ by less than the share `within` are the same. */
struct run_factor run_lengths(
	const struct family_rows *f, const char *single, const char *other, double within, struct run_length out[2]);

#endif
