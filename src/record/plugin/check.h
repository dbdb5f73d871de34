/* check.h: whether dbprof can work with a shared object's table of families. */
#ifndef DBPROF_RECORD_PLUGIN_CHECK_H
#define DBPROF_RECORD_PLUGIN_CHECK_H

#include <stddef.h>

#include "plugin.h"
#include "util/error.h"

/* A place where the check writes what it does now, in words, in case the process dies. */
struct plugin_doing {
	char *text;
	size_t size;
};

/* Checks magic, ABI and CUDA version. 0, or -1 with what does not fit and what to do. */
int plugin_check_version(const struct dbprof_plugin *plugin, struct error *err);

/* Checks the whole table: the members that must be there, names, values, pairs, sweeps. Then calls, for every case, the
 * functions that need no GPU. 0, or -1 with the first fault, which names family and member. */
int plugin_check(const struct dbprof_plugin *plugin, const struct plugin_doing *out, struct error *err);

#endif
