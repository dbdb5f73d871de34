/* compare-parallel.h: compares a long output with its reference in several threads. */
#ifndef DBPROF_KERNELS_COMPARE_PARALLEL_H
#define DBPROF_KERNELS_COMPARE_PARALLEL_H

#include <pthread.h>
#include <unistd.h>

#include "compare.h"

enum { COMPARE_THREADS = 8 };                /* at most */
static const size_t COMPARE_GRAIN = 1 << 20; /* elements that are worth one */

/* Compares the `n` elements from `first` on, in order; *out is for compare_next(), its indexes count from `first`. */
typedef void compare_part(const void *user, size_t first, size_t n, struct check_result *out);

struct compare_job {
	compare_part *compare;
	const void *user;
	size_t first, n;
	struct check_result result;
	pthread_t thread;
	bool started;
};

static inline void *compare_run(void *user)
{
	struct compare_job *job = (struct compare_job *)user;

	compare_begin(&job->result);
	job->compare(job->user, job->first, job->n, &job->result);
	return NULL;
}

/* Adds the result of the elements that follow those of *out. */
static inline void compare_join(struct check_result *out, const struct check_result *part)
{
	if (out->wrong == 0 && part->wrong > 0) {
		out->first_wrong = out->elements + part->first_wrong;
		out->got = part->got;
		out->want = part->want;
	}
	if (part->max_error > out->max_error)
		out->max_error = part->max_error;
	out->elements += part->elements;
	out->wrong += part->wrong;
}

/* Compares `n` elements in `most` threads at most (1 to COMPARE_THREADS), in parts that begin at multiples of `step`;
 * the result does not depend on how many parts there are. A part for which no thread can be had is compared here. */
static inline void compare_in_threads(
	int most, size_t n, size_t step, compare_part *compare, const void *user, struct check_result *out)
{
	struct compare_job jobs[COMPARE_THREADS];
	size_t length = n / (size_t)most + 1, first = 0;
	int njobs = 0;

	if (length < COMPARE_GRAIN)
		length = COMPARE_GRAIN;
	length = (length + step - 1) / step * step;
	for (; first < n; first += length, njobs++) {
		struct compare_job *job = &jobs[njobs];

		job->compare = compare;
		job->user = user;
		job->first = first;
		job->n = n - first < length ? n - first : length;
		job->started = first + length < n && pthread_create(&job->thread, NULL, compare_run, job) == 0;
		if (!job->started)
			compare_run(job);
	}
	compare_begin(out);
	for (int i = 0; i < njobs; i++) {
		if (jobs[i].started)
			pthread_join(jobs[i].thread, NULL);
		compare_join(out, &jobs[i].result);
	}
}

/* The same in as many threads as there are processors. */
static inline void compare_parallel(
	size_t n, size_t step, compare_part *compare, const void *user, struct check_result *out)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const int most = processors < 1 ? 1 : processors > COMPARE_THREADS ? (int)COMPARE_THREADS : (int)processors;

	compare_in_threads(most, n, step, compare, user, out);
}

#endif
