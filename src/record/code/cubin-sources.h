/* cubin-sources.h: which source files the line tables of a cubin name. Nothing is read outside of its bytes, whatever
 * it says. Works in somebody else's program: allocates nothing. */
#ifndef DBPROF_RECORD_CODE_CUBIN_SOURCES_H
#define DBPROF_RECORD_CODE_CUBIN_SOURCES_H

#include <stddef.h>

/* No more files of a cubin are told. */
enum { CUBIN_SOURCES_MOST = 256 };

/* Gets a file: its name, and the folder that it is in, "" if the table has none. Both point into the cubin. */
typedef void cubin_source_taker(void *user, const char *folder, const char *name);

/* Calls `take` for each file that the line tables (DWARF 2 to 4, as nvcc and Triton write them) name, in their order;
 * never if it has none, or is damaged. */
void cubin_sources(const void *cubin, size_t size, cubin_source_taker *take, void *user);

#endif
