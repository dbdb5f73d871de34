/* fatbin.h: finds PTX in a shared object that nvcc made. Its section .nv_fatbin has containers that hold machine code
 * and PTX for one architecture or several. With -lineinfo each of them names the file that it is made from. The format
 * is not documented. This is what CUDA 13.0 writes; tests/unit/record/fatbin.c compares it with nvcc's own output. */
#ifndef DBPROF_RECORD_CODE_FATBIN_H
#define DBPROF_RECORD_CODE_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

/* One PTX text. It points into the file's bytes; its strings do not end with a NUL. */
struct fatbin_ptx {
	const char *source; /* the file that it was compiled from, as nvcc was given it */
	size_t source_size;
	int arch; /* 90 for compute_90 */
	const char *text;
	size_t size;
};

/* A walk over the texts. Set file and size, the whole shared object, and zero the rest. */
struct fatbin {
	const char *file;
	size_t size;
	size_t at, end;     /* the entry to look at next, and the end of its container; 0 at first */
	size_t section_end; /* of .nv_fatbin */
};

/* The next text that is not compressed. False when there is none left, or if the file is damaged or of another kind. */
bool fatbin_next(struct fatbin *walk, struct fatbin_ptx *out);

/* A copy of the text with a NUL; the caller frees it. Its line table names files without their folders, which are of no
 * use on another machine. */
char *fatbin_text(const struct fatbin_ptx *ptx);

#endif
