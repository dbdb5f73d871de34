/* length.h: whether two runs without steps have the same length, by how often they launch their kernels. Private to
 * this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_LENGTH_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_LENGTH_H

struct family_rows;

/* Kernel times of one run, ns. */
struct run_length {
	double alike;     /* of kernels that the other run launches as often */
	double apart;     /* of those that it launches, but not as often */
	double unmatched; /* of those that it does not have, or not by this name: they tell nothing */
};

/* Fills what each side has, the first one's first. Returns how often the other side launches the kernel that takes the
 * most time of the first, over how often that does; NaN where none matches. */
double run_lengths(const struct family_rows *f, const char *single, const char *other, struct run_length out[2]);

#endif
