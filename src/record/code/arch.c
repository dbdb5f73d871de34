/* arch.c: see arch.h. */
#include "record/code/arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int arch_number(const char *arch)
{
	static const char prefix[] = "compute_";
	char *end;
	long number;

	if (strncmp(arch, prefix, sizeof(prefix) - 1) != 0)
		return -1;
	arch += sizeof(prefix) - 1;
	number = strtol(arch, &end, 10);
	return end != arch && *end == '\0' && number > 0 && number < 10000 ? (int)number : -1;
}

bool arch_runs(const struct embedded_file *files, int nfiles, int capability)
{
	int newest = -1;

	for (int i = 0; i < nfiles; i++) {
		int number = arch_number(files[i].arch);

		if (number < 0)
			continue;
		if (number / 10 == capability / 10 && number <= capability)
			return true;
		if (number > newest)
			newest = number;
	}
	return newest >= 0 && newest <= capability;
}

const struct embedded_file *arch_ptx(const struct embedded_file *files, int nfiles, const char *name, int capability)
{
	const struct embedded_file *best = NULL;

	for (int i = 0; i < nfiles; i++) {
		int number = arch_number(files[i].arch);

		if (number < 0 || number > capability || strcmp(files[i].name, name) != 0)
			continue;
		if (!best || number > arch_number(best->arch))
			best = &files[i];
	}
	return best;
}

static bool arch_in_list(const char *list, const char *arch)
{
	size_t length = strlen(arch);

	for (const char *p = list; *p != '\0'; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == length && strncmp(p, arch, n) == 0)
			return true;
		p += n;
	}
	return false;
}

void arch_list(const struct embedded_file *files, int nfiles, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < nfiles; i++) {
		const char *arch = files[i].arch;

		if (arch[0] != '\0' && !arch_in_list(out, arch) && used + strlen(arch) + 2 <= size)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used == 0 ? "" : " ", arch);
	}
}
