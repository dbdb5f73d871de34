/* occupancy.c: how many blocks of a kernel fit on one SM at once, and what stops the next one. */
#include "analyze/occupancy.h"

#include <limits.h>
#include <stdbool.h>
#include <math.h>

enum { REGISTER_UNIT = 256, SYSTEM_SHARED_BYTES = 1024 };

static int64_t round_up(int64_t x, int64_t unit)
{
	return (x + unit - 1) / unit * unit;
}

static int clamp_to_int(int64_t x)
{
	return x > INT_MAX ? INT_MAX : (int)x;
}

/* Each of these parts of an SM has its own scheduler and registers. A warp's registers come from one of them. */
static int partitions(const struct sm_limits *sm)
{
	return sm->compute_major == 6 && sm->compute_minor == 0 ? 2 : 4;
}

static int by_registers(const struct sm_limits *sm, const struct kernel_resources *kernel, int warps)
{
	int64_t per_warp = round_up((int64_t)kernel->registers * sm->threads_per_warp, REGISTER_UNIT);
	int64_t per_partition;

	if (per_warp == 0)
		return INT_MAX;
	per_partition = sm->registers / partitions(sm) / per_warp;
	return clamp_to_int(per_partition * partitions(sm) / warps);
}

static int by_shared(const struct sm_limits *sm, const struct kernel_resources *kernel)
{
	bool since_ampere = sm->compute_major >= 8;
	int64_t used = kernel->shared_bytes + (since_ampere ? SYSTEM_SHARED_BYTES : 0);
	int64_t taken = round_up(used, since_ampere ? 128 : 256);

	return taken == 0 ? INT_MAX : clamp_to_int(sm->shared_bytes / taken);
}

void occupancy_compute(const struct sm_limits *sm, const struct kernel_resources *kernel, struct occupancy *out)
{
	int warps;

	*out = (struct occupancy){.share = NAN, .limiter = LIMIT_WARPS};
	if (kernel->threads <= 0 || sm->threads_per_warp <= 0 || sm->warps <= 0)
		return;
	warps = (int)(round_up(kernel->threads, sm->threads_per_warp) / sm->threads_per_warp);
	out->blocks_by[LIMIT_WARPS] = sm->warps / warps;
	out->blocks_by[LIMIT_BLOCKS] = sm->blocks;
	out->blocks_by[LIMIT_REGISTERS] = by_registers(sm, kernel, warps);
	out->blocks_by[LIMIT_SHARED] = by_shared(sm, kernel);
	for (enum occupancy_limiter i = LIMIT_BLOCKS; i <= LIMIT_SHARED; i++)
		if (out->blocks_by[i] < out->blocks_by[out->limiter])
			out->limiter = i;
	out->blocks = out->blocks_by[out->limiter];
	out->warps = out->blocks * warps;
	out->share = (double)out->warps / sm->warps;
}

const char *occupancy_limiter_name(enum occupancy_limiter limiter)
{
	static const char *const names[] = {
		[LIMIT_WARPS] = "warps",
		[LIMIT_BLOCKS] = "blocks",
		[LIMIT_REGISTERS] = "registers",
		[LIMIT_SHARED] = "shared memory",
	};

	return names[limiter];
}
