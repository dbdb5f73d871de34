/* no-gain.h: why double buffering would gain nothing in a program. */
#ifndef DBPROF_MODEL_NO_GAIN_H
#define DBPROF_MODEL_NO_GAIN_H

#include <jansson.h>
#include <stdbool.h>

/* What is not known of a program. */
struct no_gain_lacks {
	bool graphs;   /* some CUDA graphs were recorded as a whole, so that what they copy and compute is not known */
	double others; /* the share of the work that is not read, if that is too much; else 0 */
};

/* "no_gain" of a recording's program with its "pays" and "loops", from the work of all its GPUs: {"id", "share"}; JSON
 * null where there are places to gain at, or where they were not looked for. */
json_t *no_gain_json(const json_t *gpus, const json_t *program, const struct no_gain_lacks *lacks);

#endif
