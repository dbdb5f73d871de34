/* fits.c: see fits.h. */
#include "record/worker/fits.h"

#include <stdio.h>

#include "record/code/arch.h"
#include "record/worker/registry.h"

enum { REASON = 256 };

/* A file that names its targets has no code for other devices. */
static const char *fits_file_not(
	const struct family *family, const struct variant *variant, const struct cudaDeviceProp *device)
{
	static _Thread_local char reason[REASON];
	const char *file = variant->file ? variant->file : family->file;
	const char *source = registry_source(family, file);
	char targets[ARCH_OWN];

	if (!source || !arch_of_source(source, targets) || arch_runs(targets, device->major * 10 + device->minor))
		return NULL;
	snprintf(reason, sizeof(reason), "%s is built for %s alone, and this GPU has compute capability %d.%d", file,
		targets, device->major, device->minor);
	return reason;
}

const char *fits_not(const struct family *family, const struct variant *variant, const struct cudaDeviceProp *device,
	const struct size_case *size)
{
	const char *reason = fits_file_not(family, variant, device);

	return reason || !variant->unsupported ? reason : variant->unsupported(device, size);
}

/* So it is with CUPTI 13.0 and driver 580: the copies of a batch leave no record. */
const char *fits_trace_not(const struct variant *variant)
{
	return variant->batches_copies ? "CUPTI records no batched copies" : NULL;
}
