/* csv-work.h: the table of device work, joined with the calls that asked for it and the NVTX ranges around these. */
#ifndef DBPROF_EXPORT_CSV_WORK_H
#define DBPROF_EXPORT_CSV_WORK_H

#include "export/format.h"

extern const struct export_hooks csv_work_hooks;

#endif
