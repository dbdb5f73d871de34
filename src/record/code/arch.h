/* arch.h: which compute architectures the executable has code for. */
#ifndef DBPROF_RECORD_CODE_ARCH_H
#define DBPROF_RECORD_CODE_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "record/code/embedded.h"

/* Whether a device of compute capability `capability` (90 for 9.0) runs code of a build for `targets`, such as
 * CUDA_TARGETS. */
bool arch_runs(const char *targets, int capability);

enum { ARCH_NOTICE = 512, ARCH_OWN = 128 };

/* The targets that a source file names in its first line, `// arch: 90a`: "sm_90a" in `targets` (ARCH_OWN bytes). It is
 * built for these alone. False, and "", where it names none, or more than there is room for. */
bool arch_of_source(const char *text, char *targets);

/* What to tell somebody whose device runs code that the driver compiles, since the build has no machine code for it:
 * one sentence in `out`. False, and "", where it has. */
bool arch_notice(const char *targets, int capability, char *out, size_t size);

/* PTX of source `name` that is nearest to the device: the newest that it could run. NULL if there is none. */
const struct embedded_file *arch_ptx(const struct embedded_file *files, int nfiles, const char *name, int capability);

#endif
