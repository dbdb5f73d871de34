/* parts.c: see parts.h. */
#include "analyze/cause/parts.h"

static const char *const cause_names[CAUSES] = {
	[CAUSE_COPIES_BESIDE_KERNELS] = "copies-beside-kernels",
	[CAUSE_COPIES_BOTH_WAYS] = "copies-both-ways",
	[CAUSE_PAGEABLE] = "pageable",
	[CAUSE_COPY_COUNT] = "copy-count",
	[CAUSE_COPY_RATE] = "copy-rate",
	[CAUSE_KERNEL_TIME] = "kernel-time",
	[CAUSE_DEVICE_WORK] = "device-work",
	[CAUSE_GPUS_IN_TURN] = "gpus-in-turn",
	[CAUSE_HOST_LATE] = "host-late",
	[CAUSE_SPILLS] = "spills",
	[CAUSE_BARRIER] = "barrier-wait",
	[CAUSE_MEMORY] = "memory-latency-hidden",
	[CAUSE_QUEUE] = "shared-memory-queue",
	[CAUSE_INSTRUCTIONS] = "instructions",
	[CAUSE_ISSUE] = "issue-wait",
	[CAUSE_OTHER_WAITS] = "other-waits",
	[CAUSE_OCCUPANCY] = "occupancy",
	[CAUSE_WAVES] = "waves",
	[CAUSE_OTHER_KERNELS] = "other-kernels",
	[CAUSE_SMALLER_PARTS] = "smaller-parts",
	[CAUSE_UNEXPLAINED] = "unexplained",
};

const char *cause_id_name(enum cause_id id)
{
	return cause_names[id];
}

struct part_ns difference_of(double single, double dbl, const struct ratio *ratio)
{
	double sum = single + dbl, value = single - dbl;
	double low = sum * (ratio->low - 1) / (ratio->low + 1), high = sum * (ratio->high - 1) / (ratio->high + 1);

	/* The ratio's own value may be of fewer blocks than the medians. */
	return (struct part_ns){value, low > value ? value : low, high < value ? value : high};
}
