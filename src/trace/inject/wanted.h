/* wanted.h: machine code for the one who traces: modules that hold a wanted kernel are written into a folder. Only
 * where the environment asks for it. What goes wrong leaves a module out, and nothing else. */
#ifndef DBPROF_TRACE_INJECT_WANTED_H
#define DBPROF_TRACE_INJECT_WANTED_H

#include <stddef.h>
#include <stdint.h>

/* Environment variable, beside INJECT_CODE (inject.h): the folder that has the list, and in which modules become files.
 */
#define WANTED_FOLDER "DBPROF_TRACE_CUBINS"

/* The list's name. A line is a kernel: the hash of its code (16 hexadecimal digits; 0: whatever it is), a blank, and
 * its mangled name. The n-th line is bit n of a file's name, from 0; so there are at most WANTED_MOST lines. */
#define WANTED_LIST "wanted"
enum { WANTED_MOST = 64 };

/* The name of a module's file: 16 hexadecimal digits, the bits of the wanted kernels in it; "-"; 16 more that tell
 * modules apart; and this ending. */
#define WANTED_SUFFIX ".cubin"

/* Reads the list of kernels. To be called once, before the other functions. */
void wanted_read(void);

/* The bits of the wanted kernels that this one is; 0: none. `hash`: of its code, as DBPROF_CODE has it. */
uint64_t wanted_bits(const char *symbol, uint64_t hash);

/* Writes a module that holds the kernels of `bits`, and before it its sources (module-sources.h). Each kernel is
 * written once in a process; so one call at a time. Modules that are too large are left out. errno may change. */
void wanted_keep(uint64_t bits, uint64_t hash, const void *cubin, size_t size);

#endif
