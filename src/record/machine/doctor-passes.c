/* doctor-passes.c: what each pass can do here, and the commands that trace a program. See doctor.h. */
#include "record/machine/doctor.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/file/datafile.h"

enum { TIMEOUT_MS = 30000 };

/* ---- trials ---- */

/* Passes that need nothing but a kernel share a trial. */
static void (*trial_of(enum pass pass))(int device, struct trial *out)
{
	switch (pass) {
	case PASS_TRACE:
		return trial_activity;
	case PASS_PM:
		return trial_pm;
	case PASS_COUNTERS:
		return trial_counters;
	case PASS_STALLS:
		return trial_stalls;
	default:
		return trial_kernel;
	}
}

static void try_pass(struct doctor *d, enum pass pass)
{
	struct trial *trial = &d->trials[pass];

	if (trial_of(pass) != trial_kernel && record_under_nsys()) {
		trial->end = TRIAL_REFUSED;
		error_set(&trial->text, "running under Nsight Systems, which records itself: run dbprof without nsys");
	} else {
		trial_in_child(trial_of(pass), d->device, TIMEOUT_MS, trial);
	}
}

void doctor_try(struct doctor *d)
{
	struct trial kernel;

	trial_in_child(trial_kernel, d->device, TIMEOUT_MS, &kernel);
	for (int pass = 0; pass < PASSES_NUMBER; pass++) {
		if (kernel.end != TRIAL_WORKS || trial_of((enum pass)pass) == trial_kernel)
			d->trials[pass] = kernel;
		else
			try_pass(d, (enum pass)pass);
	}
	/* Only the first pass tells the reason. */
	for (int pass = 1; kernel.end == TRIAL_BROKEN && pass < PASSES_NUMBER; pass++)
		error_set(&d->trials[pass].text, "no kernel runs: see pass %s", pass_name((enum pass)0));
}

/* ---- what was found ---- */

static void tell_pass(const struct doctor *d, enum pass pass)
{
	const struct trial *trial = &d->trials[pass];
	char what[32];

	snprintf(what, sizeof(what), "pass %s", pass_name(pass));
	switch (trial->end) {
	case TRIAL_WORKS:
		doctor_tell(d, what, DOCTOR_OK, trial->text.text, NULL);
		break;
	case TRIAL_NO_DEVICE:
		doctor_tell(d, what, DOCTOR_MISSING, "not here: it needs an NVIDIA GPU", NULL);
		break;
	case TRIAL_REFUSED:
		doctor_tell(d, what, DOCTOR_MISSING, "not here: recordings will lack it", trial->text.text);
		break;
	case TRIAL_BROKEN:
		doctor_tell(d, what, DOCTOR_BROKEN, "does not work", trial->text.text);
		break;
	}
}

/* Only one tool can be loaded into a CUDA program. */
static int check_injection(struct error *err)
{
	const char *other = getenv("CUDA_INJECTION64_PATH");

	if (!other || *other == '\0')
		return 0;
	return error_set(
		err, "another tool is loaded into CUDA programs (CUDA_INJECTION64_PATH is %.200s): unset it", other);
}

/* A library in another program traces it. This needs what the trace pass needs, and the library. */
static void tell_tracing(const struct doctor *d, const char *what)
{
	const struct trial *trial = &d->trials[PASS_TRACE];
	static const char not_here[] = "not here";
	struct error err = {0};
	char path[4096];

	if (trial->end == TRIAL_NO_DEVICE)
		doctor_tell(d, what, DOCTOR_MISSING, "not here: it needs an NVIDIA GPU", NULL);
	else if (check_injection(&err) < 0 || datafile_find_library(INJECTION_LIBRARY, path, sizeof(path), &err) < 0)
		doctor_tell(d, what, DOCTOR_MISSING, not_here, err.text);
	else if (trial->end != TRIAL_WORKS)
		doctor_tell(d, what, trial->end == TRIAL_BROKEN ? DOCTOR_BROKEN : DOCTOR_MISSING, not_here,
			trial->text.text);
	else
		doctor_tell(d, what, DOCTOR_OK, path, NULL);
}

/* The trace pass needs its NVTX ranges; `dbprof trace` does without them. */
static void leave_ranges(struct trial *trial)
{
	const char *tool = getenv("NVTX_INJECTION64_PATH");

	if (trial->end != TRIAL_WORKS || !tool || *tool == '\0')
		return;
	trial->end = TRIAL_REFUSED;
	error_set(&trial->text, "another tool takes the NVTX ranges (NVTX_INJECTION64_PATH is %.200s): unset it", tool);
}

void doctor_passes(struct doctor *d)
{
	static const char *const tracing[] = {"dbprof trace", "dbprof contrast", "dbprof advise"};

	for (size_t i = 0; i < sizeof(tracing) / sizeof(tracing[0]); i++)
		tell_tracing(d, tracing[i]);
	leave_ranges(&d->trials[PASS_TRACE]);
	for (int pass = 0; pass < PASSES_NUMBER; pass++)
		tell_pass(d, (enum pass)pass);
}
