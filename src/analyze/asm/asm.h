/*
 * asm.h: what a kernel's machine code does in a round: how tiles come to shared memory, how many are under way, what a
 * round waits for. docs/machine-code.md says what is read from which instruction.
 *
 * A round is the work on one tile. A statement that is not certain is unknown: a wrong one is worse than none.
 */
#ifndef DBPROF_ANALYZE_ASM_H
#define DBPROF_ANALYZE_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer kernels are not kept whole, and so not read. */
enum { ASM_INSTRUCTIONS_MOST = 16384 };

/* An instruction, as nvdisasm prints it. All is borrowed. */
struct asm_instruction {
	uint64_t offset;   /* bytes from the kernel's begin */
	const char *text;  /* "@!P0 BRA `(.L_x_1)": without offset and semicolon; NULL: unknown */
	const char *label; /* what jumps call this place, ".L_x_1"; NULL: nothing jumps here */
	uint64_t samples;  /* warps that a sampler found here; 0 everywhere: unknown */
};

/* How tiles come from global to shared memory. */
enum asm_way {
	ASM_WAY_NONE,      /* no tile does: loads go to registers only */
	ASM_WAY_REGISTERS, /* LDG, then STS */
	ASM_WAY_LDGSTS,    /* cp.async */
	ASM_WAY_UBLKCP,    /* cp.async.bulk */
	ASM_WAY_UTMALDG,   /* cp.async.bulk.tensor */
	ASM_WAYS
};
const char *asm_way_name(enum asm_way way); /* "none", "registers", "ldgsts" ... */

enum asm_shape {
	ASM_SHAPE_NONE,     /* no rounds */
	ASM_SHAPE_ROUNDS,   /* a loop */
	ASM_SHAPE_UNROLLED, /* rounds that follow each other without a loop */
};

/* How a statement came about. */
enum asm_how {
	ASM_UNKNOWN,
	ASM_SEEN,     /* an instruction says it */
	ASM_INFERRED, /* it follows from several instructions and from how such loops are written */
};

struct asm_fact {
	int64_t value; /* 0 if unknown */
	enum asm_how how;
};

/* Instructions of a round, each counted once, whether its predicate holds or not. */
struct asm_counts {
	double loads;        /* from global memory to registers */
	double stores;       /* to global memory */
	double copies;       /* from global to shared memory */
	double shared_loads; /* also of matrices */
	double shared_stores;
	double fma;
	double mma;
	double others;
};

/* What a kernel does. All counts are of a round. */
struct asm_kernel {
	enum asm_shape shape;
	enum asm_how shape_how;
	size_t first, last; /* of the loop: its first instruction, and the last in the order of offsets; if it is one */
	enum asm_way way;
	enum asm_how way_how;
	struct asm_fact ahead;     /* tiles of later rounds that are under way while a round computes */
	struct asm_fact buffers;   /* in shared memory, for one operand */
	struct asm_fact prologue;  /* tiles that are asked for before the first round */
	struct asm_fact depth;     /* groups of LDGSTS that may be under way when a wait ends */
	struct asm_fact groups;    /* of LDGSTS */
	struct asm_fact bytes;     /* of one copy: of a thread for registers and LDGSTS, of all of it for the others */
	struct asm_fact copies;    /* instructions that bring tiles */
	struct asm_fact barriers;  /* of the block */
	struct asm_fact mbarriers; /* that a thread waits for */
	struct asm_fact unrolled;  /* rounds in a turn of the loop */
	struct asm_counts counts;
	bool waits_vary;     /* which of several waits for LDGSTS a round meets is chosen as the kernel runs */
	bool is_specialised; /* some warps copy, others compute: the loop is that of those that copy */
};

/* Reads the `n` instructions of a kernel, in the order of their offsets. Any text is allowed. */
void asm_read(const struct asm_instruction *list, size_t n, struct asm_kernel *out);

#endif
