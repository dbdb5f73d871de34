/* samples.h: the runs of all sides become cases and samples. */
#ifndef DBPROF_CONTRAST_SAMPLES_H
#define DBPROF_CONTRAST_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/kernel/side-graphs.h"
#include "contrast/launches.h"
#include "contrast/match.h"

/* A run that gives samples. */
struct contrast_run {
	size_t side; /* from 0 */
	int block, position;
	int process;                     /* DBPROF_SAMPLE.run */
	bool is_part;                    /* all are parts of one run of their side: see joining_how.are_parts */
	const struct launches *launches; /* of a traced run, else NULL; borrowed */
	double program_ns;    /* of a host or plain run: host time of a step, or of the process; NaN if unknown */
	size_t program_steps; /* that program_ns is the mean of: 1 for the process */
};

/* GRAPH: the launches of a CUDA graph in a step, whose kernels have cases of their own. */
enum contrast_measure { MEASURES_KERNELS, MEASURES_PROGRAM, MEASURES_KERNEL, MEASURES_GRAPH };

/* DBPROF_CASE.measures */
const char *contrast_measure_word(enum contrast_measure measure);

/* What a side has of a case that measures one kernel, or a graph. */
struct case_side {
	const struct side_kernel *kernel; /* NULL: it has none; borrowed from the side */
	enum match_how how;               /* MATCH_NONE of the first side */
};

enum { CONTRAST_LABEL_BYTES = 160, CASES_OF_GRAPHS = 4 };

/* Its place in cases[] is DBPROF_CASE.ord. */
struct contrast_case {
	char label[CONTRAST_LABEL_BYTES]; /* unique: "kernels", "program", "kernel 1: BASE NAME" of the first side, may
					     be cut, "graph 1: CUDA graph of ..." */
	enum contrast_measure measure;
	struct case_side *sides; /* one for each side; owned */
};

struct contrast_sample {
	size_t side, case_number; /* places */
	int block, position, process;
	size_t launches; /* steady steps that the time is the mean of */
	double ns;       /* of a step */
};

/* What a kernel of a side is matched as. */
struct kernel_match {
	size_t number;      /* from 1, the same on all sides, largest share first; 0: no other side matches it */
	size_t first;       /* place on the first side of the kernel that has this number there; the name is its */
	enum match_how how; /* MATCH_NONE of the first side */
	/* It has no number, and a run of a side that it was to match has its base name besides steady steps. */
	bool elsewhere;
};

struct contrast_side {
	struct side_kernels kernels;
	struct side_graphs graphs;
	struct matching matching;     /* with side 0; empty of side 0 itself */
	struct kernel_match *matches; /* by place in kernels.kernels[]; owned */
};

/* All of it. contrast_samples_free() frees it; names are borrowed from the runs. */
struct contrast_samples {
	struct contrast_side *sides;
	size_t nsides;
	struct contrast_case *cases;
	size_t ncases;
	struct contrast_sample *samples; /* by run as they were given, then by case */
	size_t nsamples;
};

/* `runs` in any order; their launches must live as long as `out`. The case "kernels" is always there, "program" if a
 * run has such a time. Cases of one kernel are those of the first side that another one matches, and that take
 * case_share (analyze/thresholds.h) of a side's time: at most CASES_OF_KERNELS, largest first. With one side they are
 * its CHOSEN_KERNELS_MOST largest kernels. Cases of graphs stand last: of the first side's graphs that another side
 * matches, and that take case_share, the CASES_OF_GRAPHS that differ most. */
void contrast_samples_make(const struct contrast_run *runs, size_t nruns, size_t nsides, struct contrast_samples *out);
void contrast_samples_free(struct contrast_samples *samples);

/* The side that is shown against the first, as the family's pair: of the others the one with the least median, of
 * kernel times, or of the program's where no side's kernels differ by more than same_band (analyze/thresholds.h) from
 * the first's. 1 without such times. */
size_t contrast_side_shown(const struct contrast_samples *samples);

/* DBPROF_MATCH.caseLabel of a kernel of a side, by its places: the label of its case, or what the label would be if it
 * took enough of the time. False, and nothing in `label`, if it is not matched. */
bool contrast_match_label(
	const struct contrast_samples *samples, size_t side, size_t kernel, char label[CONTRAST_LABEL_BYTES]);

#endif
