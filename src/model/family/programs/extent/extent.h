/* extent.h: what runs of a side have besides the steps that count. Private to the folder of programs. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_EXTENT_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_EXTENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/rowset.h"

struct family_rows;

/* Medians over the traced runs of a side. Shares and means are of what runs do from the first steady step of a process
 * to its last one, or to the last of those that take turns with it (DBPROF_BLOCK.spanSteps). NaN where the recording
 * does not tell, as without a range. */
struct side_extent {
	double steps;               /* of a run, all of them */
	double processes;           /* of a run that have steps */
	double left_steps, left_ns; /* what does not count: shares of the steps and of the kernel time */
	double kernels_ns, host_ns; /* of a step, mean over all: the time of its kernels, and its host time */
	double outside_ns;          /* for each step: kernels that are launched outside of steps */
	double between_ns;          /* for each step: time in which none is open */
	double pauses_ns;           /* for each step: what the whole loop takes beyond its own time; 0 if less */
	double copy_ns;             /* for each step: copies that no step asks for, while none is open */
	double outside_all_ns;      /* of a whole run: all kernels that are launched outside of steps */
	double empty_steps;         /* of a whole run, but for warm-up: steps without a kernel */
	double empty_host_ns;       /* host time of one of these */
	double placed;              /* host time of a step as runs without CUPTI would tell it, over what it is */
};

struct side_extent side_extent_of(const struct family_rows *f, const char *variant);

/* `between_ns`, `outside_ns`, `copy_ns` or `pauses_ns` of each of `runs` that tells it, into `out`, which has room for
 * all; returns how many. */
size_t runs_between_ns(const struct rows *runs, double *out);
size_t runs_outside_ns(const struct rows *runs, double *out);
size_t runs_copy_ns(const struct rows *runs, double *out);
size_t runs_pauses_ns(const struct rows *runs, double *out);

/* Whether the sides' copies, or kernels, outside of steps differ by a part of a step that matters. */
bool copies_differ(const struct side_extent *single, const struct side_extent *other);
bool outside_differs(const struct side_extent *single, const struct side_extent *other);

/* CUDA graphs that were traced as a whole, in a steady step: median over the traced runs, 0 where there are none. */
struct side_graphs {
	double number, share; /* share: of the time of kernels and graphs */
};

struct side_graphs side_graphs_of(const struct family_rows *f, const char *variant);

/* S."extent"; null where the recording does not tell. */
json_t *side_extent_json(const struct family_rows *f, const char *variant);

/* S."beside": what besides the steps that count differs clearly from the first side; empty of that itself. */
json_t *beside_json(const struct family_rows *f, size_t single, size_t other);

/* Adds "same_rest" of two variants, by their numbers: whether nothing differs besides the steps that count, and
 * their runs leave out the same kernels as often. Null where it is not known, and for a variant and itself. */
void same_rest_put(json_t *tree, const struct family_rows *f, size_t single, size_t other);

#endif
