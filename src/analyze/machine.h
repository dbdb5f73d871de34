/* machine.h: what a GPU can do at best. Small kernels measure it before anything else is timed. There is no CUDA here,
 * because the prediction reads it too. */
#ifndef DBPROF_ANALYZE_MACHINE_H
#define DBPROF_ANALYZE_MACHINE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Filled by calibrate(); a member that could not be measured is NaN. All are doubles. */
struct machine {
	double sms;                  /* streaming multiprocessors */
	double clock_hz;             /* an SM's clock while the constants were measured */
	double dram_bytes_s;         /* device memory, read and written by a copy: both counted */
	double l2_bytes_s;           /* the same, of data that fits into the L2 cache */
	double dram_latency_s;       /* a load that only device memory can answer */
	double l2_latency_s;         /* a load that the L2 cache answers */
	double shared_latency;       /* a load from shared memory (cycles) */
	double shared_words;         /* bytes that an SM loads from shared memory in a cycle */
	double wide_slots;           /* time of the same unit for a warp's load of 16 bytes at one address (cycles) */
	double copy_slots;           /* its time for a warp's asynchronous copy of a line to shared memory (cycles) */
	double line_slots;           /* its time for each further line that a warp's copy touches (cycles) */
	double issue;                /* instructions of a warp that an SM issues in a cycle */
	double fma_lanes;            /* FMAs of an SM in a cycle */
	double fma_latency;          /* cycles */
	double barrier_alone;        /* a barrier of a block of one warp (cycles) */
	double barrier_per_warp;     /* what each further warp of the block adds to it (cycles) */
	double barrier_slots;        /* what a warp's arrival adds to a full SM busy with shared loads (cycles) */
	double launch_s;             /* from one kernel's end to the next one's, back to back in a stream */
	double in_bytes_s;           /* pinned host memory to device, alone */
	double out_bytes_s;          /* and back, alone */
	double both_bytes_s;         /* both at once, together */
	double pageable_in_bytes_s;  /* ordinary host memory to device */
	double pageable_out_bytes_s; /* and back */
	double copy_s;               /* what a copy costs beside the time for its bytes, back to back in a stream */
	double turn_s;               /* between a copy and the kernel or copy the other way behind it in its stream */
	double event_s;              /* what waiting for an event of another stream adds between two kernels */
	double enqueue_s;            /* the host's time for launching a kernel, or a copy */
	double order_s;              /* the host's time for recording an event, or making a stream wait for one */
};

/* A constant of the machine, as recorded and shown. */
struct machine_constant {
	const char *key; /* member of struct machine */
	const char *title, *unit;
	size_t offset; /* of the member */
};

/* One for each member, in their order; `machine_constants_count` of them. */
extern const struct machine_constant machine_constants[];
extern const int machine_constants_count;

/* The value of a constant; NaN if it could not be measured. */
double machine_value(const struct machine *m, const struct machine_constant *constant);

#ifdef __cplusplus
}
#endif

#endif
