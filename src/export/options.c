/* options.c: the names of tables. */
#include "export/options.h"

const char *const export_tables[] = {
	[EXPORT_WORK] = "work",
	[EXPORT_CALLS] = "calls",
	[EXPORT_RANGES] = "ranges",
	[EXPORT_SYNCS] = "syncs",
	[EXPORT_COUNTERS] = "counters",
	[EXPORT_DIAGNOSTICS] = "diagnostics",
	[EXPORT_GPUS] = "gpus",
	[EXPORT_FAMILIES] = "families",
	[EXPORT_POINTS] = "points",
	[EXPORT_SAMPLES] = "samples",
	[EXPORT_TABLES] = NULL,
};
