/* load.h: the shared objects that plugin_load() has loaded (record.h). */
#ifndef DBPROF_RECORD_PLUGIN_LOAD_H
#define DBPROF_RECORD_PLUGIN_LOAD_H

#include "plugin.h"

/* The absolute paths of the objects that were loaded, in order. Workers load them again. */
int plugin_count(void);
const char *plugin_path(int i);

/* The path of the loaded object that exports `plugin`. */
const char *plugin_path_of(const struct dbprof_plugin *plugin);

#endif
