/* load.h: the shared objects that plugin_load() has loaded (record.h). */
#ifndef DBPROF_RECORD_PLUGIN_LOAD_H
#define DBPROF_RECORD_PLUGIN_LOAD_H

#include "plugin.h"

/* The objects that were loaded, by their absolute paths, in order: for workers, which load them again. */
int plugin_count(void);
const char *plugin_path(int i);

/* The path of the object that exports `plugin`, which is loaded. */
const char *plugin_path_of(const struct dbprof_plugin *plugin);

#endif
