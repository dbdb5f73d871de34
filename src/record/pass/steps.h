/* steps.h: how each pass is run in a worker. */
#ifndef DBPROF_RECORD_PASS_STEPS_H
#define DBPROF_RECORD_PASS_STEPS_H

#include <stdbool.h>

#include "record/record.h"

struct worker;

/* The steps of a pass. What goes wrong in them is left in worker->problem. */
struct pass_steps {
	/* Before the first CUDA call, since CUPTI sees everything only if it is there before CUDA and NVTX are. False,
	 * with worker->skipped set, if the pass cannot run; it is then not closed. NULL: nothing to do. */
	bool (*open)(struct worker *w);
	/* Does the work; may find out, too, that the pass cannot run, and set worker->skipped. */
	void (*run)(struct worker *w);
	/* NULL: nothing to do. */
	void (*close)(struct worker *w);
};

/* One for each pass, in the file of its name. */
extern const struct pass_steps pass_verify, pass_time, pass_trace, pass_pm, pass_counters, pass_stalls, pass_phases;

/* Those of a pass. */
const struct pass_steps *pass_steps(enum pass pass);

#endif
