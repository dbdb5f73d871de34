/* registry.h: all families: dbprof's own, then those of loaded shared objects, in the order of loading. */
#ifndef DBPROF_RECORD_WORKER_REGISTRY_H
#define DBPROF_RECORD_WORKER_REGISTRY_H

#include <stdbool.h>

#include "plugin.h"
#include "util/error.h"

int registry_count(void);

/* Family number i, from 0 to registry_count() - 1. */
const struct family *registry_family(int i);

/* The shared object that the family comes from; NULL for dbprof itself. */
const struct dbprof_plugin *registry_plugin(const struct family *family);

/* The name of a source file, without its folder. */
const char *plugin_file_name(const struct plugin_file *file);

/* The text of a source file of the family, by its name without a folder. NULL if it came without its source. */
const char *registry_source(const struct family *family, const char *name);

/* Whether anything was loaded. */
bool registry_has_loaded(void);

/* The CUDA runtime that knows a family's kernels; never NULL. */
const struct plugin_runtime *registry_runtime(const struct family *family);

/* Adds the families of a plug-in whose table has been checked. The plug-in must stay loaded. -1, and nothing is added,
 * if the name of a family or of a source file is taken, or if there are too many. */
int registry_add(const struct dbprof_plugin *plugin, struct error *err);

#endif
