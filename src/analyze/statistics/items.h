/* items.h: how long items that go through a pipeline take, and how evenly they leave it. */
#ifndef DBPROF_ANALYZE_STATISTICS_ITEMS_H
#define DBPROF_ANALYZE_STATISTICS_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

/* An item, such as a frame of a camera. Times are ns after its launch began, none earlier than the one before it. */
struct item_times {
	size_t launch;               /* which one it is of: any number, the same for all its items */
	double arrived, taken, done; /* it could be taken; it had a buffer; its result was there */
	double work;                 /* that it took on the GPU, or NaN */
	bool held_back;              /* no buffer was free when its turn came */
};

/* What becomes of items once their pipeline is filled. Times in ns; NaN where there are too few items. */
struct items_summary {
	size_t n, launches; /* items that count, and the launches that they are of */
	size_t held_back;   /* of them */
	/* From arrival to result. */
	double mean, median, p95, p99, least, most;
	/* The 99th percentile of the packet delay variation: latency less the least latency (RFC 5481, "Packet Delay
	 * Variation Applicability Statement", where it is PDV). */
	double jitter;
	double interval;                         /* median time from one result to the next of a launch */
	double interval_deviation;               /* standard deviation of these */
	double wait_median, wait_p99, wait_most; /* from arrival until it was taken */
	double work_median;
	size_t under_way; /* taken and not done at the same time, at most; the filling too */
};

/* Results a second, from the first of a launch to its last: the median of all launches; NaN where none has two. Items
 * of a source that keeps a rate come with one period less than there are items, so that they over the time of a launch
 * would be more than arrive. */
double items_rate(const struct item_times *items, size_t n);

/* How many items of a launch find the pipeline empty, or only wait for one that did: one more than are ever under way
 * at the same time. */
size_t items_filling(const struct item_times *items, size_t n);

/* Of `n` items, launch by launch and in each by arrival. The first `filling` of each launch, which find the pipeline
 * empty, do not count. */
void items_summarize(const struct item_times *items, size_t n, size_t filling, struct items_summary *out);

#endif
