/* pc-sampling.h: at which instructions the warps of kernels stand, and why they do not go on. */
#ifndef DBPROF_RECORD_CUPTI_PC_PC_SAMPLING_H
#define DBPROF_RECORD_CUPTI_PC_PC_SAMPLING_H

#include "record/cupti/pc/pc-session.h"

/* clang-format off */
#define PC_SAMPLING_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiSubscribe) \
	FUNCTION(cuptiUnsubscribe) \
	FUNCTION(cuptiEnableCallback) \
	FUNCTION(cuptiGetCubinCrc) \
	FUNCTION(cuptiGetSassToSourceCorrelation)
/* clang-format on */

/* Machine code that the driver loaded. */
struct cubin {
	uint64_t crc;
	void *bytes; /* owned */
	size_t size;
};

/* Samples at one instruction for one reason. */
struct pc_count {
	const char *function; /* mangled name; CUPTI's */
	uint64_t cubin;       /* struct cubin.crc */
	uint64_t offset;      /* place of the instruction, in bytes from the beginning of the function */
	const char *reason;   /* of a struct pc_reason */
	/* [0]: all; [1]: those of them that were taken in a cycle in which the scheduler issued no instruction. [0]
	 * alone adds up to the total; tests/gpu/stalls.test checks that. */
	uint64_t samples[2];
};

/* PC sampling in the current CUDA context: one in a process. */
struct pc_sampling {
	const struct cupti *cupti;                       /* borrowed */
#define PC_SAMPLING_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	PC_SAMPLING_FUNCTIONS(PC_SAMPLING_MEMBER)
#undef PC_SAMPLING_MEMBER
	struct pc_session session;
	CUpti_SubscriberHandle subscriber;
	struct cubin *cubins;
	size_t ncubins;
	/* Of the last pc_sampling_stop(): */
	struct pc_count *counts; /* sorted by function, offset and reason, each once */
	size_t ncounts, room;
};

/* Finds the functions and begins to keep the code that the driver loads. Call it before the first CUDA call. `cupti` is
 * borrowed. */
int pc_sampling_open(struct pc_sampling *pc, const struct cupti *cupti, struct error *err);
void pc_sampling_close(struct pc_sampling *pc);

/* Gets ready in the current CUDA context: a sample of each SM every 2^period cycles. -1 if CUPTI refuses. */
int pc_sampling_enable(struct pc_sampling *pc, unsigned period, struct error *err);

/* Sample what runs between the two calls, one kernel at a time. The device must be idle at both. */
int pc_sampling_start(struct pc_sampling *pc, struct error *err);
int pc_sampling_stop(struct pc_sampling *pc, struct error *err);

/* The source line at which the warps were stalled: the file's base name, which the caller frees, and *line. For the
 * reason "barrier" it is the line of the barrier, which stands a little before the instruction of the sample. NULL if
 * it is not known. */
char *pc_sampling_source(const struct pc_sampling *pc, const struct pc_count *count, int *line);

#endif
