/* match.h: the kernels of a side, from all its runs, and which kernels of two sides are each other's. */
#ifndef DBPROF_CONTRAST_MATCH_H
#define DBPROF_CONTRAST_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/launches.h"

/* A kernel in the steady steps of a side's runs. It is the same in two runs if base name, grid and block are. A sum is
 * all kernels of a base name. What they differ in is unknown then: registers and memory are RESOURCE_UNKNOWN, grid and
 * block are EXTENT_SEVERAL, and there are no places. */
struct side_kernel {
	struct launch_kernel kernel; /* as in the first run that has it; borrowed from there */
	bool is_sum;                 /* see joining_how.sums */
	size_t runs;                 /* that have it in a steady step */
	double launches;             /* in a steady step: mean over the runs that have it; of parts, over all steps */
	double all_launches;         /* in a steady step: mean over all runs; 0 in those without it */
	double ns; /* in a steady step: median over all runs; 0 in those without it; of parts, mean over all steps */
	double launch_ns;       /* of a launch: mean over those of the runs that have it */
	double share;           /* of the time of all kernels of the side, 0 to 1 */
	bool is_changing;       /* its names or resources differ between runs */
	enum codes_known codes; /* what is known of its machine code: CODES_SEVERAL also if runs differ in it */
};

/* Of launch_kernel.grid and .block: they differ. */
enum { EXTENT_SEVERAL = -1 };

/* How the runs of a side are joined. */
struct joining_how {
	/* They are parts of one run: each counts by its number of steady steps, since that run is the sum of them. Of
	 * runs of their own most decide, as one of them may have been compiled otherwise. */
	bool are_parts;
	const char *const *sums; /* base names whose kernels are one, but for graphs; in the order of strcmp() */
	size_t nsums;
};

/* A side. Kernels stand in the order of first appearance in its first run; those that it lacks follow. */
struct side_kernels {
	struct side_kernel *kernels; /* owned */
	size_t n;
	uint32_t *by_identity; /* places in kernels[], for searching; owned */
	bool are_parts;
	size_t runs;      /* with a steady step */
	double ns;        /* sum of the kernels' times */
	size_t differing; /* kernels that some runs lack */
	double differing_share;
	bool order_differs; /* two runs have the same kernels in another order */
};

/* Joins `n` runs of a side. Those without a steady step do not count. The runs must live as long as `out`, which
 * side_kernels_free() frees; `how` need not. */
void side_kernels_join(
	const struct launches *const *runs, size_t n, const struct joining_how *how, struct side_kernels *out);
void side_kernels_free(struct side_kernels *side);

/* The time of each kernel of the side in a steady step of one of its runs (ns), mean over the steps: `ns` has room for
 * side->n. NaN for those that the run lacks. In a part of a run it is the mean time of a launch there, times the
 * launches that a step of the whole run has of it: so parts tell of one time, however often each of them has it. */
void side_kernels_of_run(const struct side_kernels *side, const struct launches *run, double *ns);

/* How two kernels were matched. */
enum match_how {
	MATCH_NONE,
	MATCH_GRID, /* same base name and grid, same position among those */
	MATCH_NAME, /* same base name, same position among those that are left */
	MATCH_SUM,  /* all kernels of the base name on both sides, whose grids differ: see names_to_sum() */
	/* Different names, the same place in steps that are else alike. Both sides have as many kernels, each run of a
	 * side has all of them in one order, and those matched by grid or name stand at the same places on both sides.
	 * What is left then stands at the same places, too. Two of one place match if a step launches them as often.
	 * Of several that stand in a row, each must have more words in common with its own match than any other of the
	 * row has with either, or none of the row matches. Nothing matches by place if names tell that work has come
	 * to stand elsewhere, or if more than PLACE_MATCHES_MOST (analyze/thresholds.h) are left. */
	MATCH_PLACE,
};

/* DBPROF_MATCH.how: "grid", "name", "sum", "place", or NULL. */
const char *match_how_word(enum match_how how);

struct match_pair {
	size_t first, other; /* places in the sides' kernels[] */
	enum match_how how;
};

/* Pairs stand in the order of the first side. */
struct matching {
	struct match_pair *pairs; /* owned */
	size_t n;
	/* Kernels without a match, and their share of their side's time. */
	size_t first_unmatched, other_unmatched;
	double first_unmatched_share, other_unmatched_share;
	/* Both sides run the same kernels: names, grids, blocks, resources and numbers of launches. A hint that the
	 * variation changed nothing; the machine code may still differ. False if there is no kernel. */
	bool is_alike;
};

/* For matching_free(). Both sides may be empty. */
void match_sides(const struct side_kernels *first, const struct side_kernels *other, struct matching *out);
void matching_free(struct matching *matching);

/* Adds to `names`, which has room for first->n, the base names that both sides launch as often in all, but by other
 * grids: some grid is not launched as often as the one that it is matched with, or which grid became which is a guess
 * by their order. So none of them is held against another, and all of them together are the same work. They are in the
 * order of strcmp(); their number is returned. `matching` is that of the sides. */
size_t names_to_sum(const struct side_kernels *first, const struct side_kernels *other, const struct matching *matching,
	const char **names);

#endif
