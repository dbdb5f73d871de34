/* embedded.h: kernel sources and their PTX, put into the executable by the build (build-aux/embed). */
#ifndef DBPROF_RECORD_CODE_EMBEDDED_H
#define DBPROF_RECORD_CODE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
	const char *name; /* name of the source, "sgemm.cu"; its PTX has the same name */
	const char *arch; /* "compute_90" for PTX; "" for the source itself */
	const char *text; /* NUL-terminated */
	size_t size;      /* without the NUL */
};

extern const struct embedded_file embedded_files[];
extern const int embedded_files_count;

#endif
