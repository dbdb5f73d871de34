/* arch.h: which compute architectures the executable has code for. */
#ifndef DBPROF_RECORD_CODE_ARCH_H
#define DBPROF_RECORD_CODE_ARCH_H

#include <stdbool.h>

#include "record/code/embedded.h"

/* "compute_90" gives 90; -1 for anything that has no plain number there ("", "compute_90a"). */
int arch_number(const char *arch);

/* Whether a device of compute capability `capability` (90 for 9.0) can run code built for the architectures of `files`:
 * machine code runs on the same major version, not older; PTX of the newest one on everything from there on. */
bool arch_runs(const struct embedded_file *files, int nfiles, int capability);

/* PTX of source `name` that is nearest to the device: the newest not above `capability`. NULL if there is none. */
const struct embedded_file *arch_ptx(const struct embedded_file *files, int nfiles, const char *name, int capability);

/* Lists the architectures of `files`, each once: "compute_80 compute_90". */
void arch_list(const struct embedded_file *files, int nfiles, char *out, size_t size);

#endif
