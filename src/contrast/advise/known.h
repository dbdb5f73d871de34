/* known.h: what is known of one kernel, as the model wants it. Private to this folder. */
#ifndef DBPROF_CONTRAST_ADVISE_KNOWN_H
#define DBPROF_CONTRAST_ADVISE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/advise/advise.h"
#include "contrast/found.h"

/* Code with its samples, and counters. Begins as {0}; known_release() ends it. Texts are borrowed from what was
 * measured.
 */
struct known_kernel {
	const struct coded_kernel *coded; /* NULL: its code is not known */
	struct asm_instruction *instructions;
	size_t ninstructions;
	struct advise_sample *samples;
	size_t nsamples;
	struct advise_counter *counters;
	size_t ncounters;
};

/* Gathers what is known of a case of the only side. */
void known_gather(const struct contrast_found *found, size_t place, struct known_kernel *out);
void known_release(struct known_kernel *known);

/* Whether its source is Python, as of a kernel that Triton has compiled. */
bool known_is_triton(const struct known_kernel *known);

/* The source line of the instruction that brings tiles in the loop `code` (or anywhere, if that is no loop): the file
 * as in DBPROF_SOURCE. False if it is not known. */
bool known_copy_line(const struct known_kernel *known, const struct asm_kernel *code, const char **file, int64_t *line);

#endif
