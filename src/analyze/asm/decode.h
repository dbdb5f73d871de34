/* decode.h: one instruction of machine code, as far as loops over tiles need it. Within the room. */
#ifndef DBPROF_ANALYZE_ASM_DECODE_H
#define DBPROF_ANALYZE_ASM_DECODE_H

#include <stdbool.h>
#include <stddef.h>

enum asm_kind {
	ASM_OTHER,
	ASM_NEVER,   /* its predicate never holds, or it does nothing */
	ASM_LOAD,    /* global memory to registers */
	ASM_STORE,   /* registers to global memory */
	ASM_LDGSTS,  /* global to shared memory */
	ASM_UBLKCP,  /* the same, memory that lies together */
	ASM_UTMALDG, /* the same, a box of a tensor */
	ASM_COMMIT,  /* ends a group of LDGSTS */
	ASM_WAIT,    /* for groups of LDGSTS: at most `number` stay under way */
	ASM_SHARED_LOAD,
	ASM_SHARED_STORE,
	ASM_BARRIER,     /* of the block */
	ASM_CHECK,       /* of an mbarrier's phase */
	ASM_INIT,        /* of an mbarrier */
	ASM_ARRIVE,      /* at an mbarrier, by a thread */
	ASM_ARRIVE_COPY, /* at an mbarrier, when copies of LDGSTS end */
	ASM_FMA,
	ASM_MMA,        /* a product of matrices in registers */
	ASM_MMA_SHARED, /* a product of matrices in shared memory */
	ASM_MMA_WAIT,   /* until at most `number` of them are under way */
	ASM_MOVE,       /* a register's value goes to another, as it is or converted */
	ASM_BRANCH,
	ASM_END, /* of a thread, or return */
	ASM_KINDS
};

/* Registers of a thread; the last is RZ. */
enum { ASM_REGISTERS = 256, ASM_NO_REGISTER = -1 };

struct asm_op {
	enum asm_kind kind;
	bool is_conditional;  /* a branch or end that may not happen */
	bool is_election;     /* a branch by which one thread after the other does the same */
	int number;           /* see asm_kind; -1: unknown */
	int bytes;            /* that one thread moves: of loads, stores and LDGSTS */
	int to;               /* first register it writes, or ASM_NO_REGISTER */
	int to_registers;     /* that it writes */
	const char *name;     /* of the instruction, behind its predicate; in the text */
	const char *operands; /* behind it; in the text */
};

void asm_decode(const char *text, struct asm_op *out);

/* The next register that is read at *at or later, which moves behind it: a number, or ASM_NO_REGISTER at the end. */
int asm_next_register(const char **at);

/* Registers that hold what an instruction of so many bytes moves: 1 to 4. */
int asm_registers_of(int bytes);

#endif
