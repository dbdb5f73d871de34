/*
 * pc-session.h: PC sampling in one CUDA context, by CUPTI's own names and places. It is also compiled into a library
 * that lives in other programs: it never exits, never prints and never allocates by util/alloc.h.
 */
#ifndef DBPROF_RECORD_CUPTI_PC_PC_SESSION_H
#define DBPROF_RECORD_CUPTI_PC_PC_SESSION_H

#include <cupti_pcsampling.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/cupti/cupti.h"

/* clang-format off */
#define PC_SESSION_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiPCSamplingEnable) \
	FUNCTION(cuptiPCSamplingDisable) \
	FUNCTION(cuptiPCSamplingGetNumStallReasons) \
	FUNCTION(cuptiPCSamplingGetStallReasons) \
	FUNCTION(cuptiPCSamplingSetConfigurationAttribute) \
	FUNCTION(cuptiPCSamplingStart) \
	FUNCTION(cuptiPCSamplingStop) \
	FUNCTION(cuptiPCSamplingGetData)
/* clang-format on */

enum { PC_REASON_SIZE = 64 };

/* A sample of each SM every 2^8 = 256 cycles, for kernels of a millisecond or two at most. */
enum { PC_PERIOD = 8 };

/* A reason why a warp does not go on. CUPTI counts each one twice. */
struct pc_reason {
	char name[PC_REASON_SIZE]; /* "barrier": CUPTI's name without prefix and suffix */
	int not_issued; /* 0: all samples; 1: those of them in a cycle in which the scheduler issued nothing */
	uint32_t index; /* CUPTI's */
};

/* pc_session_prepare() sets it up. */
struct pc_session {
	const struct cupti *cupti;                      /* borrowed */
#define PC_SESSION_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	PC_SESSION_FUNCTIONS(PC_SESSION_MEMBER)
#undef PC_SESSION_MEMBER
	CUcontext context; /* NULL: it is closed */
	struct pc_reason *reasons;
	size_t nreasons;
	CUpti_PCSamplingData configured, data; /* one buffer is for CUPTI itself, one takes the data */
	/* Of the last pc_session_stop(): */
	uint64_t total, dropped,
		foreign; /* samples: all; those that the hardware lost; those in kernels that are not the program's */
	bool full;       /* a hardware buffer ran over */
};

/* Samples of one reason at one instruction of a function. Names are CUPTI's: the function's may go with its module. */
typedef void pc_taker(void *user, const CUpti_PCSamplingPCData *at, const struct pc_reason *reason, uint32_t samples);

/* Finds the functions. -1 with `err` if this CUPTI lacks one. */
int pc_session_prepare(struct pc_session *pc, const struct cupti *cupti, struct error *err);

/* Gets ready in a context: a sample of each SM every 2^period cycles. The context must be idle. -1 with `err`; then it
 * is closed. */
int pc_session_open(struct pc_session *pc, CUcontext context, unsigned period, struct error *err);

/* Frees what the session owns. One that is closed may be closed again, and opened. */
void pc_session_close(struct pc_session *pc);

/* Sample what runs between the two calls, one kernel at a time. The device must be idle at both. pc_session_stop()
 * hands each number that is not 0 to `take`. -1 with `err`. */
int pc_session_start(struct pc_session *pc, struct error *err);
int pc_session_stop(struct pc_session *pc, pc_taker *take, void *user, struct error *err);

#endif
