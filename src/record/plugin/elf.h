/* elf.h: whether a file is a shared object for this processor. */
#ifndef DBPROF_RECORD_PLUGIN_ELF_H
#define DBPROF_RECORD_PLUGIN_ELF_H

#include "util/error.h"

/* Looks at the file's head only, and says in plain words what is wrong, which the loader would not. 0, or -1. */
int plugin_elf_check(const char *path, struct error *err);

#endif
