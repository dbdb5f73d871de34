/* tally.h: counts the recorded device work that belongs to a stretch of time on the host, by correlation id. */
#ifndef DBPROF_RECORD_CUPTI_TALLY_H
#define DBPROF_RECORD_CUPTI_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counted { COUNTED_KERNELS, COUNTED_COPIES, COUNTED_MEMSETS, COUNTED_NUMBER };

/* "kernels", "copies", "memsets": DBPROF_COUNT.what */
const char *counted_name(enum counted what);

struct tally_call {
	uint32_t correlation;
	int64_t start; /* ns */
};

struct tally_work {
	uint32_t correlation;
	enum counted what;
	int64_t n;
};

/* Zeroed at first. */
struct tally {
	struct tally_call *calls;
	size_t ncalls, calls_room;
	struct tally_work *work;
	size_t nwork, work_room;
	bool short_of_memory; /* some work was not noted: the counts are too low */
};

/* Note an API call, and device work that the call with that correlation id started. In any order. */
void tally_call(struct tally *tally, uint32_t correlation, int64_t start);
void tally_work(struct tally *tally, uint32_t correlation, enum counted what, int64_t n);

/* Adds to counts[] the work whose call began in [begin, end]. Call tally_sort() after the last note. */
void tally_sort(struct tally *tally);
void tally_count(const struct tally *tally, int64_t begin, int64_t end, int64_t counts[COUNTED_NUMBER]);

/* Forgets everything; frees. */
void tally_clear(struct tally *tally);

#endif
