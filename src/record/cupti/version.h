/* version.h: versions of CUDA and of the driver, as text. */
#ifndef DBPROF_RECORD_CUPTI_VERSION_H
#define DBPROF_RECORD_CUPTI_VERSION_H

#include <stddef.h>

enum { VERSION_TEXT = 64 }; /* bytes that hold any of them */

/* CUDA's 13000 gives "13.0". */
void version_of_cuda(int number, char *out, size_t size);

/* The NVIDIA driver's, "580.159.04". -1 if there is none. Calls no CUDA. */
int driver_version(char *out, size_t size);

/* The first word of a text that begins with a digit and has a dot, as in /proc/driver/nvidia/version. -1 if there is
 * none, or no room for it. */
int version_in_text(const char *text, char *out, size_t size);

#endif
