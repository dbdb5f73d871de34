/* module-sources.h: the sources of a module that is loaded, as files for the one who traces. What a compiler has made
 * may be deleted soon, so they are copied while they are there: the module is loaded, and its program waits. */
#ifndef DBPROF_TRACE_INJECT_MODULE_SOURCES_H
#define DBPROF_TRACE_INJECT_MODULE_SOURCES_H

#include <stddef.h>

/* The name of a copy: that of the module's file without its ending, "-", the number of the copy (three digits, from 0)
 * and this ending. The file has the name of the source, as the line table has it, a NUL, and the text. */
#define MODULE_SOURCE_SUFFIX ".source"

/* Copies those files that the module's line tables name and that count as sources (record/code/source-file.h). `stem`:
 * the path of the module's file without its ending. What goes wrong, and what is beyond 32 MiB in a process, is left
 * out. One call at a time. errno may change. */
void module_sources_keep(const char *stem, const void *cubin, size_t size);

#endif
