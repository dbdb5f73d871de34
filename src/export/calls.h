/* calls.h: calls of the CUDA runtime and driver for an export. */
#ifndef DBPROF_EXPORT_CALLS_H
#define DBPROF_EXPORT_CALLS_H

#include "export/format.h"

/* The call in a row, whether or not its times are usable. Its name lives until the next row. */
struct export_call export_call_of(const struct cursor *row);

#endif
