/* match-rows.h: the kernels of the sides as the recording has them, by what they match. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_MATCH_ROWS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_MATCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "store/rowset.h"

struct family_rows;

struct match_label {
	const char *label; /* NULL: matches nothing */
	ssize_t side;      /* its number */
	size_t row;
};

/* The family's rows of DBPROF_MATCH, by label: those that are compared stand together. */
struct match_labels {
	struct rows rows;
	struct match_label *item; /* owned */
	size_t n;
};

/* `out->item` is for free(). */
void match_labels_read(const struct family_rows *f, struct match_labels *out);

/* Where the rows of this label end. */
size_t match_group_end(const struct match_labels *labels, size_t from);

/* Whether a group has kernels of two sides. */
bool match_group_matches(const struct match_labels *labels, size_t from, size_t end);

/* The time of a side's kernel of a group; 0: it has none. */
double match_ns(const struct match_labels *labels, size_t from, size_t end, const char *side);

/* For each row whether it is a kernel that matches, but is too small for a case; for free(). */
bool *small_matches(const struct family_rows *f, const struct match_labels *labels);

/* Kernels of each of two sides that none of the other one matches. */
struct lone_kernels {
	double share[2];     /* of the side's kernel time, of all these together */
	const char *name[2]; /* base name of the one that takes the most time; NULL: there is none */
};

struct lone_kernels lone_kernels_of(const struct family_rows *f, const char *single, const char *other);

#endif
