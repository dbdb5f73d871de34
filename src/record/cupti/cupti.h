/* cupti.h: CUPTI, loaded at run time, and only in the process that traces. */
#ifndef DBPROF_RECORD_CUPTI_CUPTI_H
#define DBPROF_RECORD_CUPTI_CUPTI_H

#include <cupti.h>
#include <limits.h>

#include "util/error.h"

/* clang-format off */
/* The functions that dbprof calls. Each becomes a member of struct cupti. */
#define CUPTI_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiGetVersion) \
	FUNCTION(cuptiGetResultString) \
	FUNCTION(cuptiGetTimestamp) \
	FUNCTION(cuptiGetCallbackName) \
	FUNCTION(cuptiSetThreadIdType) \
	FUNCTION(cuptiActivityRegisterCallbacks) \
	FUNCTION(cuptiActivityEnable) \
	FUNCTION(cuptiActivityDisable) \
	FUNCTION(cuptiActivityFlushAll) \
	FUNCTION(cuptiActivityGetNextRecord) \
	FUNCTION(cuptiActivityGetNumDroppedRecords)
/* clang-format on */

struct cupti {
	void *handle;
	char path[PATH_MAX];
	uint32_t version;                          /* as CUPTI_API_VERSION */
#define CUPTI_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	CUPTI_FUNCTIONS(CUPTI_MEMBER)
#undef CUPTI_MEMBER
	/* Not in every version, and then NULL. */
	CUptiResult (*cuptiActivityEnableDriverApi)(CUpti_CallbackId id, uint8_t enable);
	CUptiResult (*cuptiActivityRegisterTimestampCallback)(CUpti_TimestampCallbackFunc clock);
	CUptiResult (*cuptiFinalize)(void);
	CUptiResult (*cuptiActivitySetAttribute)(CUpti_ActivityAttribute which, size_t *size, void *value);
};

/* Loads libcupti. If DBPROF_CUPTI_PATH is set, only that is tried; else one that the process has loaded, the place
 * where it was when dbprof was built, the toolkit that CUDA_HOME names, /usr/local/cuda, and the loader's own search. A
 * CUPTI that is older than the headers with which dbprof was built does not count: its records are laid out
 * differently. -1 with all that was tried in `err`. */
int cupti_open(struct cupti *cupti, struct error *err);

/* Whether a file is a CUPTI by its name: "libcupti.so.12", or "libcupti-1a2b3c4d.so.12" as a Python package calls its
 * own copy. */
bool cupti_is_file(const char *path);

/* For a process in which CUPTI was never started. */
void cupti_close(struct cupti *cupti);

/* Sets "what: error: advice" for a CUPTI error. Returns -1. */
int cupti_error(const struct cupti *cupti, struct error *err, CUptiResult code, const char *what);

/* What a person can do about a CUPTI error, or NULL. */
const char *cupti_advice(CUptiResult code);

#endif
