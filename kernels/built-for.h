/* built-for.h: which code of a build a GPU runs. */
#ifndef DBPROF_KERNELS_BUILT_FOR_H
#define DBPROF_KERNELS_BUILT_FOR_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct built_code {
	int arch; /* the architecture that it was compiled for, 80 for sm_80 and compute_80; 0: the GPU runs none of it
		   */
	bool machine; /* machine code; else PTX, which the driver compiles */
};

/* `target` is "sm_90a" or "compute_80", up to a separator; `capability` that of the GPU, 90 for 9.0. Machine code runs
 * on the same major version from its minor one on, PTX on everything from its version on. Code for one GPU's own
 * features ("a") runs on that alone, code for those of a family ("f") within the major version. */
static inline struct built_code built_target(const char *target, int capability)
{
	const bool machine = strncmp(target, "sm_", 3) == 0;
	const char *digits = strpbrk(target, "0123456789");
	char *end = NULL;
	struct built_code code = {digits ? (int)strtol(digits, &end, 10) : 0, machine};
	const bool same_major = code.arch / 10 == capability / 10;

	if (!end || code.arch > capability || ((machine || *end == 'f') && !same_major) ||
		(*end == 'a' && code.arch != capability))
		code.arch = 0;
	return code;
}

/* What the GPU runs of a build for `targets`, with ' ' or '+' between them: machine code if there is any, the newest of
 * its kind. */
static inline struct built_code built_for(const char *targets, int capability)
{
	struct built_code best = {0, false};

	for (const char *at = targets; *at != '\0'; at += strspn(at, " +")) {
		const struct built_code code = built_target(at, capability);

		if (code.arch > 0 &&
			(code.machine > best.machine || (code.machine == best.machine && code.arch > best.arch)))
			best = code;
		at += strcspn(at, " +");
	}
	return best;
}

#endif
