/* fit.h: keeps the tree of traced programs small, whatever numbers of events, GPUs, names and processes they have.
 * docs/report-json.md, "What is left out". */
#ifndef DBPROF_MODEL_FIT_FIT_H
#define DBPROF_MODEL_FIT_FIT_H

#include <jansson.h>
#include <stddef.h>

/* Cuts the lists of those R that are programs until report.json has room for them, and notes in their diagnostics what
 * was left out. What is small stays as it is. */
void fit_recordings(json_t *recordings);

/* Makes the lanes of a T coarser, and leaves out lanes and the shortest ranges, until it has about that size in
 * report.json. */
void fit_timeline(json_t *timeline, size_t bytes);

#endif
