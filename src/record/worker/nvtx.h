/* nvtx.h: dbprof's NVTX ranges: a family, inside it a variant, inside that a pass and iteration. Domain "dbprof". */
#ifndef DBPROF_RECORD_WORKER_NVTX_H
#define DBPROF_RECORD_WORKER_NVTX_H

#include "variant.h"
#include "record/record.h"

/* Makes the domain. Call it once, before the first range. This call loads tools. */
void nvtx_open(void);

void nvtx_push_family(const struct family *family);

/* "family/variant"; the colour tells single- from double-buffered. */
void nvtx_push_variant(const struct family *family, const struct variant *variant);

/* "PASS LABEL ITERATION", e.g. "trace float-1024 3"; the payload is the iteration. */
void nvtx_push_iteration(enum pass pass, const struct variant *variant, const char *label, int iteration);

/* Ends the innermost range. */
void nvtx_pop(void);

#endif
