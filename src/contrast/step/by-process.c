/* by-process.c: see by-process.h. */
#include "contrast/step/by-process.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/numbering.h"

struct steps_by_process steps_by_process(
	const void *steps, size_t n, int64_t (*process_of_step)(const void *steps, size_t i))
{
	struct steps_by_process out = {xcalloc(n + 1, sizeof(*out.step)), xcalloc(n + 2, sizeof(*out.first)), 0};
	struct numbering numbers = {0};
	size_t *next;

	for (size_t i = 0; i < n; i++)
		out.first[numbering_place(&numbers, process_of_step(steps, i)) + 1]++;
	out.n = numbers.n;
	for (size_t i = 0; i < out.n; i++)
		out.first[i + 1] += out.first[i];
	next = xmemdup(out.first, (out.n + 1) * sizeof(*next));
	for (size_t i = 0; i < n; i++)
		out.step[next[numbering_place(&numbers, process_of_step(steps, i))]++] = i;
	free(next);
	numbering_free(&numbers);
	return out;
}

void steps_by_process_free(struct steps_by_process *steps)
{
	free(steps->step);
	free(steps->first);
}
