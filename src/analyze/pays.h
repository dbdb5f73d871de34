/*
 * pays.h: where double buffering would pay in a program that was traced: why its copies do not overlap with its
 * kernels, and how long its work would take in two streams with two buffers. The model is explained in docs/pays.md.
 */
#ifndef DBPROF_ANALYZE_PAYS_H
#define DBPROF_ANALYZE_PAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/interval.h"
#include "analyze/overlap.h"

/* Why a copy did not overlap with the kernel that it could have run beside. The report tells them in this order. */
enum pays_reason {
	PAYS_MANAGED,        /* the driver moves managed memory when it is touched: nobody asked for the copy */
	PAYS_PAGEABLE,       /* the host's side is pageable memory */
	PAYS_DEFAULT_STREAM, /* the legacy default stream keeps the two apart */
	PAYS_SYNCHRONOUS,    /* the host waited between the two, or in the copy itself */
	PAYS_SAME_STREAM,    /* both are in one stream */
	PAYS_DEPENDENCY,     /* one stream waits for an event of the other */
	PAYS_HOST,           /* the host asked for the second when the first had ended */
	PAYS_ALONE,          /* there is no such kernel */
	PAYS_NONE,           /* none of these: the engines were busy, or the kernel was shorter */
	PAYS_REASONS
};
const char *pays_reason_name(enum pays_reason reason); /* "managed" ... */

/* The first reason of a set of bits (1 << reason); PAYS_NONE for the empty set. */
enum pays_reason pays_first_reason(unsigned reasons);

enum pays_stream {
	PAYS_STREAM_BLOCKING,     /* waits for the legacy default stream; also where nothing is known of a stream */
	PAYS_STREAM_NON_BLOCKING, /* does not */
	PAYS_STREAM_LEGACY        /* is the legacy default stream */
};

/* The shares that are left of the rates of copies in and out while the other direction runs as well. */
struct pays_duplex {
	double in, out;
};

struct replay_program;

/* When kernels run on a GPU, whoever asked for them. Borrowed. */
struct pays_computing {
	const struct interval *time; /* a result of intervals_union() */
	size_t n;
};

/* Whether kernels run in all of [start, end); so if that is empty. */
bool pays_covered(const struct pays_computing *computing, int64_t start, int64_t end);

/* reasons[p]: the reasons (bits) why copy p of the program did not overlap; 0 for a copy that kernels cover, and for
 * other work. Has room for all pieces. `computing` is by device of the program. */
void pays_reasons(const struct replay_program *program, const struct pays_computing *computing, uint16_t *reasons);

/* Finds what is left of the rates of copies on a device of the program: of copies of the same direction and size those
 * are slower beside which the other direction runs for more of their time. NaN where they do not tell it well enough
 * (analyze/thresholds.h). `size` is by piece, in bytes. */
struct pays_duplex pays_duplex_rates(const struct replay_program *program, const int64_t *size, int device);

/* An H100's, of large copies; it stands in where a recording has no copies in both directions at once. */
#define PAYS_DUPLEX_RATE 0.9

#endif
