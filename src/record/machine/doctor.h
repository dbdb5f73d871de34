/* doctor.h: what the parts of `dbprof doctor` share. Its public face is record_doctor() in record.h. */
#ifndef DBPROF_RECORD_MACHINE_DOCTOR_H
#define DBPROF_RECORD_MACHINE_DOCTOR_H

#include "record/record.h"

struct nvml;

/* How a trial of what a pass needs went. */
enum trial_end {
	TRIAL_WORKS,
	TRIAL_REFUSED,   /* not here: no permission, not supported, another tool holds it */
	TRIAL_BROKEN,    /* it should work and does not */
	TRIAL_NO_DEVICE, /* no NVIDIA GPU in this machine */
};

struct trial {
	enum trial_end end;
	struct error text; /* what was found, or what is wrong and what to do */
};

struct doctor {
	int device;
	enum device_state state;
	struct error why; /* for DEVICE_BROKEN */
	struct trial trials[PASSES_NUMBER];
	doctor_item *item;
	void *user;
};

/* Tells one fact; `advice` may be NULL. */
void doctor_tell(
	const struct doctor *d, const char *what, enum doctor_level level, const char *finding, const char *advice);

/* ---- doctor-passes.c ---- */

/* Tries what each pass needs, each in a process of its own. Call it before the first CUDA call of this process, because
 * CUDA does not survive fork(). */
void doctor_try(struct doctor *d);
/* Tells what the trials found, pass by pass, and whether other programs can be traced. */
void doctor_passes(struct doctor *d);

/* ---- doctor-trials.c: run in a child, before its first CUDA call ---- */

void trial_kernel(int device, struct trial *out);   /* verify, time, phases: a kernel runs */
void trial_activity(int device, struct trial *out); /* trace: its record arrives */
void trial_pm(int device, struct trial *out);       /* pm: samples arrive */
void trial_counters(int device, struct trial *out); /* counters: it is counted */
void trial_stalls(int device, struct trial *out);   /* stalls: it is sampled */

/* ---- doctor-child.c ---- */

/* Runs `trial` in a child process and takes its result. The child may crash or hang without harm: then, or without a
 * result after `timeout_ms`, it is TRIAL_BROKEN. What the child prints is lost. */
void trial_in_child(void (*trial)(int device, struct trial *out), int device, int timeout_ms, struct trial *out);

/* ---- doctor-machine.c ---- */

/* Tells whether the device files of the driver can be opened. Without a GPU it tells nothing. */
void doctor_device_files(const struct doctor *d);
/* MIG, virtual GPU, persistence mode. `nvml` is open on the device. */
void doctor_modes(const struct doctor *d, const struct nvml *nvml);
/* Variables of the environment that change what is measured; other profilers; room for recordings. */
void doctor_surroundings(const struct doctor *d);

#endif
