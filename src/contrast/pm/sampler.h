/*
 * sampler.h: PM samples of the GPU while a step of a program runs, inside that program. Nothing is serialised: the
 * program waits where sampling is set up, before a step, and for its own work where a step that is sampled ends.
 *
 * Each group of the plan, a metric set, gets a step of its own, with steps in between that are left out: setting up
 * lets the GPU slow down. Without a range a run has one step, which begins with a launch and has no end before the
 * run's or the limit.
 */
#ifndef DBPROF_CONTRAST_PM_SAMPLER_H
#define DBPROF_CONTRAST_PM_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "contrast/count/launch-key.h"
#include "record/cupti/cupti.h"

/* Finds what of CUPTI is needed, once counting_prepare() has the plan; does nothing if that wants no curves. `at_exit`
 * is to call sampler_leave(NULL): it is registered when sampling begins that has no other end. -1 with `err`. */
int sampler_prepare(const struct cupti *cupti, void (*at_exit)(void), struct error *err);

/* ---- without the gate: whether something is to be done ---- */

/* A step begins or ends: its number in the process, from 0, and its mark. Steps may begin before CUDA does. */
bool sampler_wants_begin(uint64_t number, int64_t mark);
bool sampler_wants_end(int64_t mark);

/* The step that is sampled has ended, and could not be waited for. */
void sampler_step_lost(void);

/* Launches matter at all; this one does: `key` is NULL of a graph. Called for each launch, since they tell which GPU
 * the process uses. */
bool sampler_follows_launches(void);
bool sampler_wants_launch(const struct launch_key *key);

/* The plan needs calls of the driver that wait for work; one has come back after which something is to be done. */
bool sampler_follows_waits(void);
bool sampler_wants_wait(void);

/* ---- with the gate shut: no other thread is in a launch. `capturing`: a stream is being captured ---- */

void sampler_step_begins(uint64_t number, int64_t mark, bool capturing);
void sampler_step_ends(bool capturing);
void sampler_launch(CUcontext context, bool capturing);
void sampler_waited(bool capturing);

/* The context goes; NULL: the program ends. */
void sampler_leave(CUcontext context);

/* In a child of fork(). */
void sampler_forget(void);

#endif
