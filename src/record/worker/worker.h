/* worker.h: one pass over one family, in a process of its own. The passes share this. */
#ifndef DBPROF_RECORD_WORKER_WORKER_H
#define DBPROF_RECORD_WORKER_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "variant.h"
#include "record/record.h"
#include "store/store.h"

struct activity;
struct counters;
struct pm;
struct stalls;

struct worker {
	const struct record_options *options;
	const struct family *family;
	struct size_case *cases; /* with the settings applied */
	int ncases;
	const struct size_case *at; /* the case that was noted last */
	enum pass pass;
	struct spool *spool;
	FILE *result;
	struct cudaDeviceProp device;
	cudaStream_t stream;       /* non-blocking; every launch goes here */
	struct activity *activity; /* trace pass only */
	struct pm *pm;             /* pm pass only */
	struct counters *counters; /* counters pass only */
	struct stalls *stalls;     /* stalls pass only */
	int ids;                   /* the last one that worker_next_id() gave out */
	bool measured;             /* the session knows that the recording will hold something */
	struct error skipped;      /* why the pass cannot run; empty if it can */
	struct error problem;      /* the first thing that went wrong; empty if nothing did */
};

/* ENUM_DIAGNOSTIC_SEVERITY_LEVEL */
enum severity { SEVERITY_INFO = 1, SEVERITY_WARNING = 2, SEVERITY_ERROR = 3 };

/* Writes a row. An I/O error becomes a problem: the pass has failed. */
void worker_row(struct worker *w, enum table_id table, const struct value *row);

/* Tells the session that there is something to record. worker_write() does so for rows of measurements. */
void worker_measured(struct worker *w);

/* Notes what is done now, for the progress and in case this process dies. `size` is one of w->cases. `variant` may be
 * NULL. */
void worker_at(struct worker *w, const struct variant *variant, const struct size_case *size);

/* Hands the rows so far to the operating system, so that they stay if this process crashes. */
void worker_flush(struct worker *w);

/* Writes a diagnostic row. */
void worker_note(struct worker *w, enum severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Notes that something went wrong: the pass fails, and the first problem is its reason. Each problem is a diagnostic.
 */
void worker_problem(struct worker *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a CUDA error in a variant (NULL: in no variant) and case, with advice. Always returns -1. */
int worker_cuda_problem(
	struct worker *w, const struct variant *variant, const struct size_case *size, cudaError_t code);

/* Whether CUDA still works: false after an error that destroys the context. Clears any other error. */
bool worker_alive(const struct worker *w);

/* Sets up a case and what its wanted variants prepare, and checks first that it fits into the memory of GPU and host.
 * 0, or -1 with the problem noted. */
int worker_set_up(struct worker *w, const struct size_case *size, void **state);

/* 1 if the case does not fit into what is free of the GPU's memory, or of the host's, with the figures in `why`; 0 if
 * it fits; -1 with a problem noted. */
int worker_lacks_memory(struct worker *w, const struct size_case *size, struct error *why);

/* Whether a case is left out because this machine has no room for it, with the figures in `why`: a point of a sweep, or
 * one of the family's own cases behind the headline. Without room for the headline there is nothing to tell: that is a
 * problem, as worker_set_up() has it. */
bool worker_leaves_out(struct worker *w, const struct size_case *size, struct error *why);

/* Whether the options select the variant and the device can run it in this case. */
bool worker_wants(const struct worker *w, const struct variant *variant, const struct size_case *size);

/* Why the device cannot run the variant in this case; NULL if it can. */
const char *worker_unsupported(const struct worker *w, const struct variant *variant, const struct size_case *size);

/* A number for a row that other rows refer to. No other worker of the same pass gives out the same one. */
int64_t worker_next_id(struct worker *w);

/* A cell that is NULL where there is no number. */
struct value worker_real(double x);

#endif
