/* version.h: version numbers as text. */
#ifndef DBPROF_RECORD_MACHINE_VERSION_H
#define DBPROF_RECORD_MACHINE_VERSION_H

#include <stddef.h>

/* CUDA's 13000 gives "13.0". */
void version_of_cuda(int number, char *out, size_t size);

/* The first word of a text that begins with a digit and has a dot: the driver's version in /proc/driver/nvidia/version.
 * -1 if there is none that fits. */
int version_in_text(const char *text, char *out, size_t size);

#endif
