/* arch.c: see arch.h. */
#include "record/code/arch.h"

#include <stdio.h>
#include <string.h>

#include "built-for.h"

bool arch_runs(const char *targets, int capability)
{
	return built_for(targets, capability).arch > 0;
}

bool arch_notice(const char *targets, int capability, char *out, size_t size)
{
	const struct built_code code = built_for(targets, capability);

	out[0] = '\0';
	if (code.arch == 0 || code.machine)
		return false;
	snprintf(out, size,
		"this build of dbprof (%s) has no machine code for compute capability %d.%d: the driver compiles the "
		"kernels from PTX of %d.%d; configure with --with-cuda-arch=%d to measure what nvcc makes for this GPU",
		targets, capability / 10, capability % 10, code.arch / 10, code.arch % 10, capability);
	return true;
}

const struct embedded_file *arch_ptx(const struct embedded_file *files, int nfiles, const char *name, int capability)
{
	const struct embedded_file *best = NULL;
	int best_arch = 0;

	for (int i = 0; i < nfiles; i++) {
		const int arch = built_target(files[i].arch, capability).arch;

		if (arch > best_arch && strcmp(files[i].name, name) == 0) {
			best = &files[i];
			best_arch = arch;
		}
	}
	return best;
}
