/* disassemble.h: machine code of a module as text, by NVIDIA's nvdisasm. */
#ifndef DBPROF_CONTRAST_CODE_DISASSEMBLE_H
#define DBPROF_CONTRAST_CODE_DISASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/code/listing.h"
#include "util/error.h"

/* The path of nvdisasm, for free(): from PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda, or the one that comes with
 * Triton. NULL with `err`, which says how to get it, if there is none. */
char *disassembler_find(struct error *err);

struct disassembly {
	const char *disassembler; /* path */
	const char *folder;       /* for files that are in use meanwhile */
	bool (*interrupted)(void *user);
	void *user;
};

/* Disassembles a module and reads the kernels `symbols` of it into `out`, which has a {0} for each: those that are not
 * found stay so. -1 with `err` if nothing could be made. */
int disassemble(const struct disassembly *how, const char *cubin, const char *const *symbols, struct listing *out,
	size_t n, struct error *err);

#endif
