/* fatbin.h: finds PTX in what nvcc puts into a shared object: in section .nv_fatbin, containers that hold machine code
 * and PTX for one architecture or several. With -lineinfo each names the file it is from. The format is not documented;
 * this is what CUDA 13.0 writes, checked by tests/unit/record/fatbin.c against nvcc's own output. */
#ifndef DBPROF_RECORD_CODE_FATBIN_H
#define DBPROF_RECORD_CODE_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

/* One PTX text, inside of the file's bytes; nothing here ends with a NUL. */
struct fatbin_ptx {
	const char *source; /* the file it was compiled from, as nvcc was given it */
	size_t source_size;
	int arch; /* 90 for compute_90 */
	const char *text;
	size_t size;
};

/* A walk over the texts. Zeroed but for file and size: the whole shared object. */
struct fatbin {
	const char *file;
	size_t size;
	size_t at, end;     /* the entry to look at next, and the end of its container; 0 at first */
	size_t section_end; /* of .nv_fatbin */
};

/* The next text that is not compressed; false when there is none left, or where the file is no such file or damaged. */
bool fatbin_next(struct fatbin *walk, struct fatbin_ptx *out);

/* A copy of the text with a NUL, for free(), in which the line table names files without their folders, which are of no
 * use on another machine. */
char *fatbin_text(const struct fatbin_ptx *ptx);

#endif
