/* context.h: the driver's handle of the current CUDA context, which CUPTI asks for. dbprof does not link to the driver.
 */
#ifndef DBPROF_RECORD_CUPTI_CONTEXT_H
#define DBPROF_RECORD_CUPTI_CONTEXT_H

#include <cuda.h>

#include "util/error.h"

int context_current(CUcontext *context, struct error *err);

#endif
