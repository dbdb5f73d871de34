/* arch.h: which compute architectures the executable has code for. */
#ifndef DBPROF_RECORD_CODE_ARCH_H
#define DBPROF_RECORD_CODE_ARCH_H

#include <stdbool.h>

#include "record/code/embedded.h"

/* "compute_90" gives 90; -1 for anything that has no plain number there ("", "compute_90a"). */
int arch_number(const char *arch);

/* Whether a device of compute capability `capability` (90 for 9.0) can run code that was built for the architectures of
 * `files`. Machine code runs on devices of the same major version that are not older. PTX of the newest architecture
 * runs on that one and on everything newer. */
bool arch_runs(const struct embedded_file *files, int nfiles, int capability);

/* The PTX of source `name` that fits the device best: the newest that is not above `capability`. NULL if there is none.
 */
const struct embedded_file *arch_ptx(const struct embedded_file *files, int nfiles, const char *name, int capability);

/* Lists the architectures of `files`, each once: "compute_80 compute_90". */
void arch_list(const struct embedded_file *files, int nfiles, char *out, size_t size);

#endif
