/* by-process.h: the steps of a run by process. */
#ifndef DBPROF_CONTRAST_BY_PROCESS_H
#define DBPROF_CONTRAST_BY_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Processes stand in the order of their first steps, the steps of one as they were given. */
struct steps_by_process {
	size_t *step;  /* owned; places in the run */
	size_t *first; /* owned; for each process: where its steps begin in step[]; one more: where the last one's end
			*/
	size_t n;      /* processes */
};

/* Of n steps, whose process `process_of_step` tells by their place. For steps_by_process_free(). */
struct steps_by_process steps_by_process(
	const void *steps, size_t n, int64_t (*process_of_step)(const void *steps, size_t i));
void steps_by_process_free(struct steps_by_process *steps);

#endif
