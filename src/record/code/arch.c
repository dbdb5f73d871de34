/* arch.c: see arch.h. */
#include "record/code/arch.h"

#include <stdio.h>
#include <string.h>

#include "built-for.h"

bool arch_runs(const char *targets, int capability)
{
	return built_for(targets, capability).arch > 0;
}

bool arch_of_source(const char *text, char *targets)
{
	static const char head[] = "// arch: ";
	const char *end = strchrnul(text, '\n'), *at = text;
	size_t used = 0;

	targets[0] = '\0';
	if (strncmp(text, head, strlen(head)) != 0)
		return false;
	at += strlen(head);
	for (at += strspn(at, " \t\r"); at < end; at += strspn(at, " \t\r")) {
		const size_t length = strcspn(at, " \t\r\n");
		const int n =
			snprintf(targets + used, ARCH_OWN - used, "%ssm_%.*s", used > 0 ? " " : "", (int)length, at);

		if (n < 0 || (size_t)n >= ARCH_OWN - used) {
			targets[0] = '\0';
			return false;
		}
		used += (size_t)n;
		at += length;
	}
	return used > 0;
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
