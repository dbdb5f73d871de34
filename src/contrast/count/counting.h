/* counting.h: which launches are counted inside a program, and the counting itself. inject.c calls it with the gate
 * shut: no other thread is in a launch. */
#ifndef DBPROF_CONTRAST_COUNT_COUNTING_H
#define DBPROF_CONTRAST_COUNT_COUNTING_H

#include <stdbool.h>

#include "contrast/count/launch-key.h"
#include "contrast/count/plan.h"
#include "record/cupti/cupti.h"

/* Takes the plan, which stays, and finds what of CUPTI is needed. -1 with `err`. */
int counting_prepare(const char *folder, const struct cupti *cupti, struct error *err);

/* The plan that was taken. */
const struct count_plan *counting_plan(void);

/* True if this is the only process that counts or samples; from then on it is to its end. */
bool counting_take_turn(void);

/* Waits for the work of the current context; what the driver says. The GPU of the current context is *device. */
CUresult counting_synchronize(void);
CUresult counting_device(CUdevice *device);

/* Whether the process's device is the GPU with that UUID. False as well if the driver does not tell. */
bool counting_is_gpu(CUdevice device, const char *uuid);

/* -1 with `err` if the plan is for another chip than that of the program's GPU, or without a `chip` (NULL, with `err`):
 * an image for another chip would count anything. */
int counting_check_chip(const char *chip, struct error *err);

/* Whether the plan asks what can be counted, and nothing else; and the answer, in the context that is current. */
bool counting_is_question(void);
void counting_answer(void);

/* No kernel. */
#define COUNTING_NONE SIZE_MAX

/* The kernel of the plan that a launch is of, or COUNTING_NONE, also where the launch is captured: it runs when its
 * graph does. *number is which of its launches it is, from 0. Needs no gate. */
size_t counting_kernel_of(const struct launch_key *key, uint64_t *number);

/* The same of a launch of a graph; `key` NULL: nothing more is known of it. All calls that launch graphs are numbered
 * together. *number is which of the launches in the plan it is. */
size_t counting_graph_of(const struct launch_key *key, uint64_t *number);

/* Whether this launch may be counted, as far as can be told without the gate. */
bool counting_wants(size_t kernel, uint64_t number);

/* Right before the launch: waits for the work that is under way and starts a pass. False if the launch is not counted.
 */
bool counting_begin(size_t kernel, uint64_t number, const struct launch_key *key, CUcontext context);

/* Right behind a launch for which counting_begin() returned true: waits for it. `launched`: it worked. */
void counting_end(bool launched);

/* Notes that a launch was not counted, once for each text, which must be a constant. Needs no gate. */
void counting_miss(size_t kernel, const char *why);

/* The context goes: NULL: the program ends. */
void counting_leave(CUcontext context);

/* Notes that nothing can be counted here. Needs no gate. */
void counting_refuse(const struct error *why);

/* In a child of fork(). */
void counting_forget(void);

#endif
