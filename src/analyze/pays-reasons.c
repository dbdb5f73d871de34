/* pays-reasons.c: why a copy did not overlap with the kernel beside which it could have run. */
#include "analyze/pays.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/number.h"

/* How many waits or events before a piece of work are looked at: the last ones decide, and a thread that polls must not
 * make the search quadratic. */
enum { LOOK_BACK = 64 };

static const char *const names[PAYS_REASONS] = {
	[PAYS_MANAGED] = "managed",
	[PAYS_PAGEABLE] = "pageable",
	[PAYS_DEFAULT_STREAM] = "default-stream",
	[PAYS_SYNCHRONOUS] = "synchronous",
	[PAYS_SAME_STREAM] = "same-stream",
	[PAYS_DEPENDENCY] = "dependency",
	[PAYS_HOST] = "host",
	[PAYS_ALONE] = "alone",
	[PAYS_NONE] = "none",
};

const char *pays_reason_name(enum pays_reason reason)
{
	return names[reason];
}

enum pays_reason pays_first_reason(unsigned reasons)
{
	for (int r = 0; r < PAYS_REASONS; r++)
		if (reasons & 1U << r)
			return (enum pays_reason)r;
	return PAYS_NONE;
}

/* A copy and a kernel, in the order in which the host asked for them. */
struct pair {
	const struct pays_lane *lane;
	size_t first, second;     /* items */
	const uint32_t *defaults; /* work in the legacy default stream before each item */
};

static enum pays_stream stream_of(const struct pair *pair, size_t i)
{
	return pair->lane->stream[pair->lane->item[i].stream];
}

/* Work of the default stream waits for all blocking streams, and they wait for it, also if it stands between. */
static bool default_between(const struct pair *pair)
{
	enum pays_stream a = stream_of(pair, pair->first), b = stream_of(pair, pair->second);

	if (a == PAYS_STREAM_NON_BLOCKING || b == PAYS_STREAM_NON_BLOCKING)
		return false;
	return a == PAYS_STREAM_LEGACY || b == PAYS_STREAM_LEGACY ||
	       pair->defaults[pair->second] > pair->defaults[pair->first];
}

/* The host waited for the first before it asked for the second. */
static bool host_waited(const struct pair *pair)
{
	const struct pays_item *first = &pair->lane->item[pair->first], *second = &pair->lane->item[pair->second];
	size_t n = FIRST_FROM(pair->lane->wait, pair->lane->nwaits, start, second->issue);

	for (size_t i = n; i > 0 && n - i < LOOK_BACK; i--) {
		const struct pays_wait *wait = &pair->lane->wait[i - 1];

		if (wait->start < first->issue)
			break;
		if ((wait->thread < 0 || wait->thread == second->thread) && wait->end >= first->end)
			return true;
	}
	return false;
}

static bool event_between(const struct pair *pair)
{
	const struct pays_item *first = &pair->lane->item[pair->first], *second = &pair->lane->item[pair->second];
	size_t n = FIRST_FROM(pair->lane->join, pair->lane->njoins, waited, second->issue);

	for (size_t i = n; i > 0 && n - i < LOOK_BACK; i--) {
		const struct pays_join *join = &pair->lane->join[i - 1];

		if (join->waited < first->issue)
			break;
		if (join->from == first->stream && join->to == second->stream && join->recorded >= first->issue)
			return true;
	}
	return false;
}

static unsigned pair_reasons(const struct pair *pair, const struct pays_item *copy)
{
	const struct pays_item *first = &pair->lane->item[pair->first], *second = &pair->lane->item[pair->second];
	unsigned reasons = 0;

	if (copy->managed)
		return 1U << PAYS_MANAGED;
	if (copy->pageable)
		reasons |= 1U << PAYS_PAGEABLE;
	if (default_between(pair))
		reasons |= 1U << PAYS_DEFAULT_STREAM;
	if (copy->blocking || host_waited(pair))
		reasons |= 1U << PAYS_SYNCHRONOUS;
	if (first->stream == second->stream && !(reasons & 1U << PAYS_DEFAULT_STREAM))
		reasons |= 1U << PAYS_SAME_STREAM;
	if (first->stream != second->stream && event_between(pair))
		reasons |= 1U << PAYS_DEPENDENCY;
	if (!reasons)
		reasons = second->known && second->issue >= first->end ? 1U << PAYS_HOST : 1U << PAYS_NONE;
	return reasons;
}

/* The kernels before and after each item, in the order of issue; lane->n for none. */
struct around {
	uint32_t *before, *after, *defaults;
};

static void around_make(struct around *around, const struct pays_lane *lane)
{
	size_t n = lane->n;
	uint32_t kernel = (uint32_t)n, defaults = 0;

	around->before = xcalloc(n + 1, 3 * sizeof(*around->before));
	around->after = around->before + n + 1;
	around->defaults = around->after + n + 1;
	for (size_t i = 0; i < n; i++) {
		defaults += lane->stream[lane->item[i].stream] == PAYS_STREAM_LEGACY;
		around->before[i] = kernel;
		around->defaults[i] = defaults;
		if (lane->item[i].cls == WORK_KERNEL)
			kernel = (uint32_t)i;
	}
	kernel = (uint32_t)n;
	for (size_t i = n; i-- > 0;) {
		around->after[i] = kernel;
		if (lane->item[i].cls == WORK_KERNEL)
			kernel = (uint32_t)i;
	}
}

/* Data comes in while the kernel before computes, and goes out while the next one does. */
static unsigned copy_reasons(const struct pays_lane *lane, const struct around *around, size_t i)
{
	const struct pays_item *copy = &lane->item[i];
	size_t kernel = copy->cls == WORK_H2D ? around->before[i] : around->after[i];
	struct pair pair = {lane, i, kernel, around->defaults};

	if (kernel == lane->n)
		return 1U << PAYS_ALONE;
	if (kernel < i) {
		pair.first = kernel;
		pair.second = i;
	}
	return pair_reasons(&pair, copy);
}

/* The time of kernels is added up for so many at once: there are millions. */
enum { BLOCK = 64 };

/* Time of kernels before `time`; before[b] is that before the start of kernel b * BLOCK. */
static int64_t kernels_until(const struct pays_lane *lane, const int64_t *before, int64_t time)
{
	size_t begun = FIRST_FROM(lane->kernels, lane->nkernels, start, time);
	const struct interval *last;
	int64_t sum;

	if (begun == 0)
		return 0;
	last = &lane->kernels[begun - 1];
	sum = before[(begun - 1) / BLOCK] + (last->end < time ? last->end : time) - last->start;
	for (size_t k = (begun - 1) / BLOCK * BLOCK; k < begun - 1; k++)
		sum += lane->kernels[k].end - lane->kernels[k].start;
	return sum;
}

static void find_lost(const struct pays_lane *lane, int64_t *lost)
{
	int64_t *before = xcalloc(lane->nkernels / BLOCK + 1, sizeof(*before)), sum = 0;

	for (size_t k = 0; k < lane->nkernels; k++) {
		if (k % BLOCK == 0)
			before[k / BLOCK] = sum;
		sum += lane->kernels[k].end - lane->kernels[k].start;
	}
	for (size_t i = 0; i < lane->n; i++) {
		const struct pays_item *copy = &lane->item[i];

		lost[i] = 0;
		if (copy->cls == WORK_H2D || copy->cls == WORK_D2H)
			lost[i] = copy->end - copy->start - kernels_until(lane, before, copy->end) +
				  kernels_until(lane, before, copy->start);
	}
	free(before);
}

void pays_reasons(const struct pays_lane *lane, uint16_t *reasons, int64_t *lost)
{
	struct around around;

	_Static_assert(PAYS_REASONS <= 16, "a copy's reasons are bits");
	find_lost(lane, lost);
	around_make(&around, lane);
	for (size_t i = 0; i < lane->n; i++)
		reasons[i] = lost[i] > 0 ? (uint16_t)copy_reasons(lane, &around, i) : 0;
	free(around.before);
}
