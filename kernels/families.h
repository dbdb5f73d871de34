/* families.h: dbprof's own families. Each is defined in the .cu file of its name and listed in families.def. */
#ifndef DBPROF_KERNELS_FAMILIES_H
#define DBPROF_KERNELS_FAMILIES_H

#include "variant.h"

/* A member that a table of variants leaves out is meant to be zero. nvcc drops the designators on the way to the host
 * compiler, which would warn then. */
#ifdef __CUDACC__
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* All of them in the order of the report; `families_count` of them. */
extern const struct family *const families[];
extern const int families_count;

#ifdef __cplusplus
}
#endif

#endif
