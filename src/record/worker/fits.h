/* fits.h: whether a variant runs on a device, and whether it can be traced there. */
#ifndef DBPROF_RECORD_WORKER_FITS_H
#define DBPROF_RECORD_WORKER_FITS_H

#include "variant.h"

/* Why the variant cannot run on this device in this case, in words for a person; NULL if it can. The text is good until
 * the next call in the same thread. What the variant's file is built for comes before its own unsupported(). */
const char *fits_not(const struct family *family, const struct variant *variant, const struct cudaDeviceProp *device,
	const struct size_case *size);

/* Why the variant is not traced, in words for a person: its records would tell of less than it does. NULL if it is. */
const char *fits_trace_not(const struct variant *variant);

#endif
