/* activity-worker.c: CUPTI's activity records in one of dbprof's own workers, which traces families. */
#include "record/cupti/activity-private.h"

struct activity *activity_start(struct spool *spool, int device, struct error *err)
{
	return activity_begin(&(struct activity){.groups = ACTIVITY_WORK | ACTIVITY_HOST | ACTIVITY_RANGES,
				      .spool = spool,
				      .device = device,
				      .name_kernel = kernel_names_get,
				      .forget_kernels = kernel_names_free},
		err);
}

struct activity *activity_start_work(void (*take)(void *user, enum table_id table, const struct value *row), void *user,
	int device, struct error *err)
{
	return activity_begin(&(struct activity){.groups = ACTIVITY_WORK,
				      .take = take,
				      .user = user,
				      .device = device,
				      .name_kernel = kernel_names_get,
				      .forget_kernels = kernel_names_free},
		err);
}
