/* machine.c: the constants of a machine, with the names that a recording and a report give them. */
#include "analyze/machine.h"

#include <string.h>

#define CONSTANT(member, title, unit)                                                                                  \
	{                                                                                                              \
#member, title, unit, offsetof(struct machine, member)                                                 \
	}

const struct machine_constant machine_constants[] = {
	CONSTANT(sms, "SMs", ""),
	CONSTANT(clock_hz, "SM clock during calibration", "Hz"),
	CONSTANT(dram_bytes_s, "device memory, read and written", "B/s"),
	CONSTANT(l2_bytes_s, "L2 cache, read and written", "B/s"),
	CONSTANT(dram_latency_s, "load from device memory", "s"),
	CONSTANT(l2_latency_s, "load from the L2 cache", "s"),
	CONSTANT(shared_latency, "load from shared memory", "cycles"),
	CONSTANT(shared_words, "shared memory, per SM", "words/cycle"),
	CONSTANT(wide_slots, "16 bytes for a warp from shared memory, SM full", "cycles"),
	CONSTANT(copy_slots, "a warp's asynchronous copy beside shared loads, SM full", "cycles"),
	CONSTANT(line_slots, "each further line of such a copy", "cycles"),
	CONSTANT(issue, "issue, per SM", "warp instructions/cycle"),
	CONSTANT(fma_lanes, "FMA, per SM", "FMA/cycle"),
	CONSTANT(fma_latency, "FMA that waits for another", "cycles"),
	CONSTANT(barrier_alone, "barrier of a block of one warp", "cycles"),
	CONSTANT(barrier_per_warp, "barrier, each further warp", "cycles"),
	CONSTANT(barrier_slots, "a warp's barrier beside shared loads, SM full", "cycles"),
	CONSTANT(launch_s, "empty kernels back to back", "s"),
	CONSTANT(in_bytes_s, "pinned host to device", "B/s"),
	CONSTANT(out_bytes_s, "device to pinned host", "B/s"),
	CONSTANT(both_bytes_s, "both directions at once, together", "B/s"),
	CONSTANT(pageable_in_bytes_s, "pageable host to device", "B/s"),
	CONSTANT(pageable_out_bytes_s, "device to pageable host", "B/s"),
	CONSTANT(copy_s, "small copies back to back, each", "s"),
	CONSTANT(turn_s, "from a copy to a kernel or a copy the other way", "s"),
	CONSTANT(event_s, "event recorded in one stream, waited for in another", "s"),
	CONSTANT(enqueue_s, "host's time for a launch or copy", "s"),
	CONSTANT(order_s, "host's time for an event's record or wait", "s"),
};

const int machine_constants_count = (int)(sizeof(machine_constants) / sizeof(machine_constants[0]));

double machine_value(const struct machine *m, const struct machine_constant *constant)
{
	double value;

	memcpy(&value, (const char *)m + constant->offset, sizeof(value));
	return value;
}
