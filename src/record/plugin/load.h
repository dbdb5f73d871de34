/* load.h: `--load`: families out of shared objects. */
#ifndef DBPROF_RECORD_PLUGIN_LOAD_H
#define DBPROF_RECORD_PLUGIN_LOAD_H

#include <stdbool.h>

#include "plugin.h"
#include "util/error.h"

/* Loads the shared object at `path` and adds its families to the registry, for the life of this process. With `trial`,
 * a child process loads and checks it first, so that an object that crashes, exits or hangs when it is loaded does so
 * there. 0, or -1 with the reason in one line that begins with the path; then nothing was added. */
int plugin_load(const char *path, bool trial, struct error *err);

/* The objects that were loaded, by their absolute paths, in order: for workers, which load them again. */
int plugin_count(void);
const char *plugin_path(int i);

/* The path of the object that exports `plugin`, which is loaded. */
const char *plugin_path_of(const struct dbprof_plugin *plugin);

#endif
