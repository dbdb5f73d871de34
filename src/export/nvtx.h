/* nvtx.h: NVTX ranges and marks for an export. */
#ifndef DBPROF_EXPORT_NVTX_H
#define DBPROF_EXPORT_NVTX_H

#include "export/format.h"

typedef void export_take_range(struct export *ex, const struct export_range *range);

/* Gives all ranges and marks by start, also those without usable times. 0, or -1 with ex->err. */
int export_nvtx(struct export *ex, export_take_range *take);

#endif
