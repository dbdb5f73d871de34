/* fits.h: whether a variant runs on a device. */
#ifndef DBPROF_RECORD_WORKER_FITS_H
#define DBPROF_RECORD_WORKER_FITS_H

#include "variant.h"

/* Why the variant cannot run on this device in this case, in words for a person; NULL if it can. The text is good until
 * the next call in the same thread. What the variant's file is built for comes before its own unsupported(). */
const char *fits_not(const struct family *family, const struct variant *variant, const struct cudaDeviceProp *device,
	const struct size_case *size);

#endif
