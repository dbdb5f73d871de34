/* processes.h: the processes of a recording. */
#ifndef DBPROF_MODEL_TRACE_PROCESSES_H
#define DBPROF_MODEL_TRACE_PROCESSES_H

#include <jansson.h>

struct gpu_sweeps;
struct model;
struct process_sweeps;
struct trace;

/* Sweeps over the work of each process on each GPU, for process_sweeps_free(). `all`: those over all work of each GPU.
 */
struct process_sweeps *process_sweeps_new(const struct trace *trace, const struct gpu_sweeps *all);
void process_sweeps_free(struct process_sweeps *sweeps);

/* Puts "processes", [N], into a program; and "processes_left_out" if there are too many. */
void processes_put(const struct model *model, const struct process_sweeps *sweeps, json_t *program);

#endif
