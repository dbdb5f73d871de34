/* sample.c: which work is looked at for estimates: all of it, or windows of a large recording. */
#include <stdlib.h>

#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "util/alloc.h"

/* So much work is looked at as a whole. Of more, every pair has its share of so many pieces, in WINDOWS windows; at
 * least LEAST pieces. */
enum { WHOLE = 1 << 18, WINDOWS = 16, LEAST = 1 << 14 };

static size_t *count_lanes(const struct trace *trace)
{
	size_t *count = xcalloc(trace->nlanes + 1, sizeof(*count));

	for (size_t i = 0; i < trace->nwork; i++)
		count[trace->lane[i]]++;
	return count;
}

static bool pair_ends(const struct trace *trace, size_t lane)
{
	const struct work_lane *a = &trace->lanes[lane - 1], *b = &trace->lanes[lane];

	return lane == trace->nlanes || a->device != b->device || a->process != b->process;
}

static size_t pieces_to_take(const struct trace *trace, size_t count)
{
	size_t most = (size_t)((double)count * WHOLE / (double)trace->nwork);

	if (trace->nwork <= WHOLE)
		return count;
	most = (most < LEAST ? LEAST : most) / WINDOWS * WINDOWS;
	return most < count ? most : count;
}

/* Copies and kernels both: else there is nothing to overlap. */
static bool has_both(const struct trace *trace, const struct pays_pair *pair)
{
	bool copies = false, kernels = false;

	for (uint32_t l = pair->first_lane; l < pair->end_lane; l++) {
		uint8_t cls = trace->lanes[l].cls;

		copies = copies || cls == WORK_H2D || cls == WORK_D2H;
		kernels = kernels || cls == WORK_KERNEL;
	}
	return copies && kernels;
}

static void find_pairs(struct pays_sample *sample, const struct trace *trace)
{
	size_t *count = count_lanes(trace), next = 0;

	sample->pair = xcalloc(trace->nlanes + 1, sizeof(*sample->pair));
	for (uint32_t first = 0, end; first < trace->nlanes; first = end) {
		struct pays_pair pair = {.first_lane = first, .first = next};

		for (end = first; end == first || !pair_ends(trace, end); end++)
			pair.count += count[end];
		pair.end_lane = end;
		if (!has_both(trace, &pair))
			continue;
		pair.taken = pieces_to_take(trace, pair.count);
		next += pair.taken;
		sample->pair[sample->n++] = pair;
	}
	free(count);
	sample->item = xreallocarray(NULL, next + 1, sizeof(*sample->item));
}

/* Whether the k-th piece of the pair's work is in a window. */
static bool is_taken(const struct pays_pair *pair, size_t k)
{
	size_t window = k * WINDOWS / pair->count;

	if (pair->taken == pair->count)
		return true;
	/* The k-th piece is in this window or, where the division was rounded, in the next one. */
	window += window + 1 < WINDOWS && k >= (window + 1) * pair->count / WINDOWS;
	return k - window * pair->count / WINDOWS < pair->taken / WINDOWS;
}

void pays_sample_make(struct pays_sample *sample, const struct trace *trace)
{
	uint32_t *pair_of_lane;
	size_t *seen, *next;

	*sample = (struct pays_sample){0};
	find_pairs(sample, trace);
	pair_of_lane = xcalloc(trace->nlanes + 1, sizeof(*pair_of_lane));
	seen = xcalloc(sample->n + 1, 2 * sizeof(*seen));
	next = seen + sample->n + 1;
	for (size_t p = 0; p < sample->n; p++) {
		next[p] = sample->pair[p].first;
		for (uint32_t l = sample->pair[p].first_lane; l < sample->pair[p].end_lane; l++)
			pair_of_lane[l] = (uint32_t)p + 1;
	}
	for (size_t i = 0; i < trace->nwork; i++) {
		size_t p = pair_of_lane[trace->lane[i]];

		if (p && is_taken(&sample->pair[p - 1], seen[p - 1]++))
			sample->item[next[p - 1]++] = (uint32_t)i;
	}
	free(pair_of_lane);
	free(seen);
	pays_kernels_find(sample, trace);
}

void pays_sample_free(struct pays_sample *sample)
{
	for (size_t g = 0; g < sample->ngpus; g++)
		free(sample->kernels[g].item);
	free(sample->kernels);
	free(sample->pair);
	free(sample->item);
}

/* From the first call or start to the last end. */
static void window_extent(const struct trace *trace, const uint32_t *items, struct pays_window *window)
{
	window->from = INT64_MAX;
	window->to = INT64_MIN;
	for (size_t k = 0; k < window->count; k++) {
		uint32_t i = items[window->first + k];
		int64_t issue = pays_issue(trace, i), start = trace->start[i];

		window->from = start < window->from ? start : window->from;
		window->from = issue < window->from ? issue : window->from;
		window->to = trace->end[i] > window->to ? trace->end[i] : window->to;
	}
}

struct pays_window *pays_windows(
	const struct pays_sample *sample, const struct pays_pair *pair, const struct trace *trace, size_t *count)
{
	struct pays_window *windows = xcalloc(WINDOWS, sizeof(*windows));
	int64_t end = 0;

	*count = pair->taken == pair->count ? 1 : WINDOWS;
	windows[0] = (struct pays_window){.from = INT64_MIN, .to = INT64_MAX, .count = pair->taken};
	for (size_t w = 0; *count == WINDOWS && w < WINDOWS; w++) {
		windows[w].first = w * (pair->taken / WINDOWS);
		windows[w].count = pair->taken / WINDOWS;
		window_extent(trace, sample->item + pair->first, &windows[w]);
		if (w == 0)
			end = windows[w].from;
		windows[w].shift = end - windows[w].from;
		end += windows[w].to - windows[w].from;
	}
	return windows;
}
