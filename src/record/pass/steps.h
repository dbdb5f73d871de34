/* steps.h: how each pass is run in a worker. */
#ifndef DBPROF_RECORD_PASS_STEPS_H
#define DBPROF_RECORD_PASS_STEPS_H

#include <stdbool.h>

#include "record/record.h"

struct worker;

/* The steps of a pass. If something goes wrong, it is in worker->problem afterwards. */
struct pass_steps {
	/* Called before the first CUDA call: CUPTI sees everything only if it is there before CUDA and NVTX. False,
	 * with worker->skipped set, if the pass cannot run; then it is not closed. NULL if there is nothing to do. */
	bool (*open)(struct worker *w);
	/* Does the work. It may also find out that the pass cannot run, and set worker->skipped. */
	void (*run)(struct worker *w);
	/* NULL: nothing to do. */
	void (*close)(struct worker *w);
};

/* One for each pass, in the file with its name. */
extern const struct pass_steps pass_verify, pass_time, pass_trace, pass_pm, pass_counters, pass_stalls, pass_phases;

/* Those of a pass. */
const struct pass_steps *pass_steps(enum pass pass);

#endif
