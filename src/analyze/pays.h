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

/* A piece of work of one process on one GPU. Small: a recording may have tens of millions. */
struct pays_item {
	int64_t start, end;
	int64_t issue; /* when the host asked for it; its start if that is not known */
	int32_t stream;
	uint32_t thread : 24; /* no process has more */
	uint32_t cls : 3;     /* enum work_class */
	bool known : 1;       /* the issue is */
	bool pageable : 1;    /* a copy whose host's side is pageable memory */
	bool blocking : 1;    /* a copy whose call returns when it is done */
	bool managed : 1;     /* a migration of managed memory */
};

/* The host waited for the GPU. */
struct pays_wait {
	int64_t start, end;
	int32_t thread; /* -1: it is not known which */
};

/* Stream `to` was told at `waited` to wait for an event that was recorded in stream `from` at `recorded`. */
struct pays_join {
	int64_t recorded, waited;
	int32_t from, to;
};

/* All work of one process on one GPU, and what is known about how the host asked for it. Borrowed. */
struct pays_lane {
	const struct pays_item *item; /* by issue, then start */
	size_t n;
	const enum pays_stream *stream; /* by pays_item.stream */
	const struct pays_wait *wait;   /* by start */
	size_t nwaits;
	const struct pays_join *join; /* by waited */
	size_t njoins;
	const struct interval *kernels; /* of the GPU, of all processes: a result of intervals_union() */
	size_t nkernels;
};

/* reasons[i]: the reasons (bits) why copy i did not overlap; 0 for a copy that kernels cover, and for other work.
 * lost[i]: the time in which no kernel ran beside copy i; 0 for other work. Both have room for lane->n. */
void pays_reasons(const struct pays_lane *lane, uint16_t *reasons, int64_t *lost);

/* The share that is left of a copy's rate while the other direction runs as well: time alone over time beside the other
 * direction, of copies of the same direction and size. Only where there are at least 8 of either kind; the mean by
 * time. `size[i]` is the number of bytes of item i. NaN if there are no such copies. */
double pays_duplex_rate(const struct pays_item *item, const int64_t *size, size_t n);

/* An H100's, of large copies; it stands in where a recording has no copies in both directions at once. */
#define PAYS_DUPLEX_RATE 0.9

#endif
