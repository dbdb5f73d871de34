/* elf.h: is a file a shared object for this processor? */
#ifndef DBPROF_RECORD_PLUGIN_ELF_H
#define DBPROF_RECORD_PLUGIN_ELF_H

#include "util/error.h"

/* Looks at the file's head only, to say in plain words what the loader would say in its own. 0, or -1. */
int plugin_elf_check(const char *path, struct error *err);

#endif
