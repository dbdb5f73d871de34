/* check.h: whether what a shared object brings is a table of families that dbprof can work with. */
#ifndef DBPROF_RECORD_PLUGIN_CHECK_H
#define DBPROF_RECORD_PLUGIN_CHECK_H

#include <stddef.h>

#include "plugin.h"
#include "util/error.h"

/* A place for what is being done, in words, in case that the process dies of it. */
struct plugin_doing {
	char *text;
	size_t size;
};

/* Magic, ABI and CUDA version. 0, or -1 with what does not fit and what to do. */
int plugin_check_version(const struct dbprof_plugin *plugin, struct error *err);

/* The whole table: every member that must be there, names, values, pairs, sweeps; then calls what needs no GPU for
 * every case. 0, or -1 with the first fault, which names family and member. */
int plugin_check(const struct dbprof_plugin *plugin, const struct plugin_doing *out, struct error *err);

#endif
