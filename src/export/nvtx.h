/* nvtx.h: NVTX ranges and marks for an export. */
#ifndef DBPROF_EXPORT_NVTX_H
#define DBPROF_EXPORT_NVTX_H

#include "export/format.h"

struct nvtx_rows;

/* All ranges and marks by start, one after the other, also those without usable times. NULL with ex->err. */
struct nvtx_rows *nvtx_rows_open(struct export *ex);
void nvtx_rows_close(struct nvtx_rows *rows); /* NULL is allowed */

/* The next one: 1; 0 at the end; -1 with ex->err. Its texts live until the next call. */
int nvtx_rows_next(struct nvtx_rows *rows, struct export_range *range);

#endif
