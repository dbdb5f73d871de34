/* modules.h: which machine code a traced program loads. CUPTI tells of each module that is loaded; a hash of each of
 * its kernels goes into the spool. Only on request: there is one subscriber to CUPTI's callbacks in a process, and a
 * program may have its own. */
#ifndef DBPROF_TRACE_INJECT_MODULES_H
#define DBPROF_TRACE_INJECT_MODULES_H

#include <stdbool.h>

#include "record/cupti/activity.h"

/* Begins to listen. Does nothing where CUPTI refuses or is too old: then nothing is known of the code. */
void modules_listen(const struct cupti *cupti);

/* Whether somebody has asked for it: modules_listen() was called, and worked. */
bool modules_asked(void);

/* Writes what was loaded since the last time. For the thread that writes the spool. */
void modules_write(struct activity *a);

/* Stops listening. What is loaded from now on is not known; the spool says so. */
void modules_leave(void);

/* What the program's own cuptiSubscribe() is led to: it gets the place that we had. */
CUptiResult CUPTIAPI modules_subscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user);
CUptiResult CUPTIAPI modules_subscribe_v2(
	CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user, void *parameters);

/* In the child of a fork(): nothing is noted there. */
void modules_forget(void);

#endif
