/* codes.h: the machine code of the kernels of a run, as DBPROF_CODE tells it. */
#ifndef DBPROF_CONTRAST_KERNEL_CODES_H
#define DBPROF_CONTRAST_KERNEL_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "util/error.h"

struct texts;

/* What is known of the machine code behind a name: DBPROF_MATCH.codes. */
enum codes_known {
	CODES_NONE = 0,
	CODES_ONE = 1,     /* it was the same wherever it was seen */
	CODES_SEVERAL = 2, /* other code came under the same name: it was compiled or chosen anew */
};

/* A kernel of a process. */
struct code {
	int64_t process;
	uint32_t name; /* number of its mangled name's text (store/texts.h) */
	uint64_t hash;
	enum codes_known known;
};

/* Begins as {0}; codes_free() ends it. */
struct codes {
	struct code *code; /* by process and name */
	size_t n, room;
};

/* Reads the table. A recording without it is no error: nothing is known then. */
int codes_read(struct codes *codes, struct store *store, struct texts *texts, struct error *err);

/* The code of a kernel. Its `known` is CODES_NONE if nothing is known. */
struct code codes_find(const struct codes *codes, int64_t process, uint32_t name);

/* What is known of two together: where a part is unknown, the whole is, unless it is known to change. */
enum codes_known codes_together(enum codes_known a, enum codes_known b);

void codes_free(struct codes *codes);

#endif
