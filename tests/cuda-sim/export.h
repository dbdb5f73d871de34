/* export.h: the run of a program as an export of Nsight Systems. */
#ifndef DBPROF_CUDA_SIM_EXPORT_H
#define DBPROF_CUDA_SIM_EXPORT_H

#include "simulate.h"

/* Writes the file, over what is there; false, with a message on stderr, where it cannot. The program's shape says what
 * is left out of it. */
bool export_run(const struct program *p, const struct run *run, const char *file);

#endif
