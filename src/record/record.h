/*
 * record.h: the GPU side. Runs the passes, each in a process of its own, and leaves one recording.
 *
 * Nothing here prints or exits, except when memory is short: progress goes through callbacks, errors through struct
 * error.
 */
#ifndef DBPROF_RECORD_RECORD_H
#define DBPROF_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/cupti/present.h"
#include "util/error.h"

enum pass { PASS_VERIFY, PASS_TIME, PASS_TRACE, PASS_PM, PASS_COUNTERS, PASS_STALLS, PASS_PHASES, PASSES_NUMBER };

/* "verify", "time", "trace", "pm", "counters", "stalls", "phases". */
const char *pass_name(enum pass pass);

/* What to record. Strings are borrowed while record_run() runs. */
struct record_options {
	const char *const *selection; /* "family" or "family/variant"; none means everything */
	int nselection;
	bool built_in;               /* without a selection: record dbprof's own families even if others are loaded */
	const char *const *settings; /* "name=value": overrides a parameter in every case of the selected families */
	int nsettings;
	unsigned passes;     /* bit (1u << PASS_...) */
	bool sweep;          /* also verify and time the points of the families' sweeps */
	bool once;           /* verify only, each variant once in the small cases: docs/hazards.md */
	int runs;            /* processes that time each family, one after another; at least 1 */
	int run;             /* workers only: the number of this one, from 0 */
	uint64_t seed;       /* of the random inputs */
	int device;          /* CUDA device number */
	const char *command; /* the command line, for the recording */
	const char *program; /* path of this executable, which starts workers ("/proc/self/exe") */
	const char *output;  /* the recording to write */
	const char *skip; /* workers only: "family/variant/case,...", or NULL: these came out wrong, so they are neither
			     timed nor traced */
};

/* What record_run() tells its caller while it works. Any member may be NULL. */
struct record_progress {
	void *user;
	/* A pass over a family begins (step `done` of `total`). */
	void (*begin)(void *user, const char *family, const char *pass, int done, int total);
	/* Within the pass, item `done` of `total` begins: a case, by its label. */
	void (*step)(void *user, const char *label, int done, int total);
	/* The pass ended: status "done", "skipped" or "failed", with the reason or NULL. */
	void (*end)(void *user, const char *family, const char *pass, const char *status, const char *reason,
		double seconds);
	/* A remark that is not a failure, for example that dbprof runs under Nsight Systems. */
	void (*note)(void *user, const char *text);
	/* Called often: returns true to stop now (Ctrl-C). Then record_run() ends its workers and returns -1
	 * "interrupted"; or 1 with a recording of what there is, if points of sweeps have been measured. */
	bool (*interrupted)(void *user);
};

/* Records. Returns 0 with a recording at options->output. Returns 1 if there is a recording, but a pass failed, or a
 * variant that is not meant to be wrong came out wrong (err names the first wrong element). Returns -1 if there is no
 * recording: then an older file at `output` stays as it was. */
int record_run(const struct record_options *options, const struct record_progress *progress, struct error *err);

/* Checks whether selection and settings fit the families; does not touch the GPU. 0, or -1 with a message for exit 2.
 */
int record_check(const struct record_options *options, struct error *err);

/* ---- the device, for `list`, `doctor` and the fallback of --all ---- */

enum device_state {
	DEVICE_NONE, /* no NVIDIA device in this machine */
	DEVICE_OK,
	DEVICE_BROKEN, /* there is one, but it cannot be used: err says why and what to do */
};

/* Looks for a device without creating a CUDA context. `err` is filled for DEVICE_BROKEN. */
enum device_state device_probe(int device, struct error *err);

enum doctor_level {
	DOCTOR_BROKEN,  /* it should work and does not */
	DOCTOR_MISSING, /* it is not there; dbprof does without it, and says what is lacking */
	DOCTOR_HINT,    /* it works, but worse than it could */
	DOCTOR_OK,
};

/* Calls `item` for each fact of the machine that recording depends on (driver, device, CUPTI, NVML, permissions,
 * surroundings). Then calls it for each pass and for tracing, with whether they can be done here. `advice` says what to
 * do, or is NULL. Each pass is tried in a child process, so this process must not have called CUDA before. With a GPU
 * it takes seconds. */
typedef void doctor_item(
	void *user, const char *what, enum doctor_level level, const char *finding, const char *advice);
void record_doctor(int device, doctor_item *item, void *user);

/* What `dbprof trace` loads into a program; in $(pkglibdir). record_doctor() looks for it. */
#define INJECTION_LIBRARY "libdbprof-inject.so"

struct machine;

enum { RECORD_CHIP_SIZE = 64 };

/* Measures what the GPU with that UUID can do ("": the first one) by small kernels, in a process of its own, since it
 * needs CUDA: this process must not have called it before. Nothing else may run on the GPU meanwhile; it takes a
 * second. -1 with `err`. Also tells the chip and what CUPTI can count on it, for free(); *availability is NULL if CUPTI
 * does not say. */
int record_machine(
	const char *gpu, struct machine *out, char chip[RECORD_CHIP_SIZE], uint8_t **availability, struct error *err);

/* ---- families: dbprof's own, then those of shared objects (`--load`), in the order of loading ---- */

struct family; /* kernels/variant.h */

/* Loads the shared object at `path` and adds its families, for the life of this process. With `trial`, a child process
 * loads and checks it first: if the object crashes, exits or hangs when it is loaded, it does so there. 0, or -1 with
 * the reason in one line that begins with the path; then nothing was added. */
int plugin_load(const char *path, bool trial, struct error *err);

/* Why a variant cannot run on this device in its headline case. NULL if it can, and where there is no device.
 * The text is good until the next call in the same thread. */
const char *record_unsupported(const char *family, const char *variant, int device);

/* ---- the worker: the other side of the re-execution ---- */

/* True if an injection library of Nsight Systems is in this process's environment. */
bool record_under_nsys(void);

/* Runs one pass over one family and writes its rows to the spool. `dbprof worker` calls it; record_run() starts that
 * with the options as arguments. Status and reason go into a small file beside the spool, from which record_run()
 * writes the row of the pass. Returns 0 if the pass is done or skipped; 1 if results are wrong or it failed, as that
 * file says; -1 with `err` if even that file could not be written. */
int record_worker(const struct record_options *options, const char *family, enum pass pass, const char *spool_path,
	struct error *err);

/* Whether CUPTI hangs in this worker. Then the worker must leave by _exit(), because CUPTI's own exit handler would
 * hang too. */
bool record_worker_hangs(void);

#endif
