/* pays-reasons.c: why a copy did not overlap with the kernel beside which it could have run. */
#include "analyze/pays.h"

#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "analyze/sort.h"
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

/* The host waited for the GPU. */
struct reason_wait {
	int64_t start, end;
	uint32_t thread;
};

/* Stream `to` was told at `waited` to wait for an event that was recorded in stream `from` at `recorded`. */
struct reason_join {
	int64_t recorded, waited;
	int32_t from, to;
};

/* What the reasons are taken from. Arrays by piece: the kernels before and after it on its device, REPLAY_NONE for
 * none, and how much work was in the device's legacy default stream up to it. */
struct reasoning {
	const struct replay_program *program;
	uint32_t *before, *after, *defaults;
	struct reason_wait *wait; /* by thread, start */
	struct reason_join *join; /* by waited */
	size_t nwaits, njoins;
};

/* A copy and a kernel, in the order in which the host asked for them. */
struct pair {
	const struct reasoning *reasoning;
	uint32_t first, second;
	const struct replay_piece *a, *b; /* these */
};

static const struct replay_call *call_of_piece(const struct pair *pair, const struct replay_piece *piece)
{
	return &pair->reasoning->program->call[piece->call];
}

/* When the host asked for it; its start if that is not known. */
static int64_t piece_issue(const struct pair *pair, const struct replay_piece *piece)
{
	const struct replay_call *call = call_of_piece(pair, piece);

	return call->known ? call->start : piece->start;
}

/* Work of the default stream waits for all blocking streams, and they wait for it, also if it stands between. */
static bool default_between(const struct pair *pair)
{
	const struct reasoning *reasoning = pair->reasoning;
	enum pays_stream a = reasoning->program->stream[pair->a->stream].kind,
			 b = reasoning->program->stream[pair->b->stream].kind;

	if (a == PAYS_STREAM_NON_BLOCKING || b == PAYS_STREAM_NON_BLOCKING)
		return false;
	return a == PAYS_STREAM_LEGACY || b == PAYS_STREAM_LEGACY ||
	       reasoning->defaults[pair->second] > reasoning->defaults[pair->first];
}

/* The first wait of a thread, or of a later one, that begins at `time` or later. */
static size_t first_wait_from(const struct reasoning *reasoning, uint32_t thread, int64_t time)
{
	size_t low = 0, high = reasoning->nwaits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct reason_wait *wait = &reasoning->wait[middle];

		if (wait->thread < thread || (wait->thread == thread && wait->start < time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The host waited for the first before it asked for the second. */
static bool host_waited(const struct pair *pair)
{
	const struct reasoning *reasoning = pair->reasoning;
	uint32_t thread = call_of_piece(pair, pair->b)->thread;
	int64_t asked = piece_issue(pair, pair->a);
	size_t n = first_wait_from(reasoning, thread, piece_issue(pair, pair->b));

	for (size_t i = n; i > 0 && n - i < LOOK_BACK; i--) {
		const struct reason_wait *wait = &reasoning->wait[i - 1];

		if (wait->thread != thread || wait->start < asked)
			break;
		if (wait->end >= pair->a->end)
			return true;
	}
	return false;
}

static bool event_between(const struct pair *pair)
{
	const struct reasoning *reasoning = pair->reasoning;
	int64_t asked = piece_issue(pair, pair->a);
	size_t n = FIRST_FROM(reasoning->join, reasoning->njoins, waited, piece_issue(pair, pair->b));

	for (size_t i = n; i > 0 && n - i < LOOK_BACK; i--) {
		const struct reason_join *join = &reasoning->join[i - 1];

		if (join->waited < asked)
			break;
		if (join->from == pair->a->stream && join->to == pair->b->stream && join->recorded >= asked)
			return true;
	}
	return false;
}

/* The host asked for the second when the first had ended. */
static bool host_was_late(const struct pair *pair)
{
	return call_of_piece(pair, pair->b)->known && piece_issue(pair, pair->b) >= pair->a->end;
}

static unsigned pair_reasons(const struct pair *pair, const struct replay_piece *copy)
{
	bool one_stream = pair->a->stream == pair->b->stream;
	unsigned reasons = 0;

	if (copy->managed)
		return 1U << PAYS_MANAGED;
	if (copy->pageable)
		reasons |= 1U << PAYS_PAGEABLE;
	if (default_between(pair))
		reasons |= 1U << PAYS_DEFAULT_STREAM;
	if (call_of_piece(pair, copy)->blocking || host_waited(pair))
		reasons |= 1U << PAYS_SYNCHRONOUS;
	if (one_stream && !(reasons & 1U << PAYS_DEFAULT_STREAM))
		reasons |= 1U << PAYS_SAME_STREAM;
	if (!one_stream && event_between(pair))
		reasons |= 1U << PAYS_DEPENDENCY;
	if (!reasons)
		reasons = host_was_late(pair) ? 1U << PAYS_HOST : 1U << PAYS_NONE;
	return reasons;
}

/* Data comes in while the kernel before computes, and goes out while the next one does. */
static unsigned copy_reasons(const struct reasoning *reasoning, uint32_t copy)
{
	const struct replay_piece *piece = reasoning->program->piece;
	uint32_t kernel = piece[copy].cls == WORK_H2D ? reasoning->before[copy] : reasoning->after[copy];
	struct pair pair = {.reasoning = reasoning, .first = copy, .second = kernel};

	if (kernel == REPLAY_NONE)
		return 1U << PAYS_ALONE;
	if (kernel < copy) {
		pair.first = kernel;
		pair.second = copy;
	}
	pair.a = &piece[pair.first];
	pair.b = &piece[pair.second];
	return pair_reasons(&pair, &piece[copy]);
}

/* ---- what the reasons are taken from ---- */

/* Pieces stand in the order in which they were asked for. */
static void find_around(struct reasoning *reasoning)
{
	const struct replay_program *program = reasoning->program;
	size_t n = program->npieces, ndevices = (size_t)program->ndevices;
	uint32_t *before = xcalloc(3 * (ndevices + 1), sizeof(*before)), *after = before + ndevices,
		 *defaults = after + ndevices;

	for (size_t d = 0; d < 2 * ndevices; d++)
		before[d] = REPLAY_NONE;
	reasoning->before = xcalloc(n + 1, sizeof(uint32_t));
	reasoning->after = xcalloc(n + 1, sizeof(uint32_t));
	reasoning->defaults = xcalloc(n + 1, sizeof(uint32_t));
	for (size_t i = 0; i < n; i++) {
		const struct replay_stream *stream = &program->stream[program->piece[i].stream];

		reasoning->before[i] = before[stream->device];
		reasoning->defaults[i] = defaults[stream->device] += stream->kind == PAYS_STREAM_LEGACY;
		if (program->piece[i].cls == WORK_KERNEL)
			before[stream->device] = (uint32_t)i;
	}
	for (size_t i = n; i-- > 0;) {
		int device = program->stream[program->piece[i].stream].device;

		reasoning->after[i] = after[device];
		if (program->piece[i].cls == WORK_KERNEL)
			after[device] = (uint32_t)i;
	}
	free(before);
}

static int reason_wait_order(const void *left, const void *right)
{
	const struct reason_wait *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

/* Whether the host waits in a call: also in that of a copy that is synchronous, or that stages pageable memory. */
static bool call_waits(const struct replay_program *program, const struct replay_call *call)
{
	if (call->kind == REPLAY_LAUNCH && call->known)
		return call->blocking || (call->count == 1 && program->piece[call->first].pageable);
	return call->kind == REPLAY_WAIT && !call->polls;
}

static void find_reason_waits(struct reasoning *reasoning)
{
	const struct replay_program *program = reasoning->program;
	size_t room = 0;

	for (size_t c = 0; c < program->ncalls; c++) {
		const struct replay_call *call = &program->call[c];

		if (!call_waits(program, call))
			continue;
		xgrow(&reasoning->wait, reasoning->nwaits, &room, sizeof(*reasoning->wait));
		reasoning->wait[reasoning->nwaits++] = (struct reason_wait){call->start, call->end, call->thread};
	}
	if (reasoning->nwaits > 1)
		sort_runs(reasoning->wait, reasoning->nwaits, sizeof(*reasoning->wait), reason_wait_order);
}

/* Calls stand by start. */
static void find_reason_joins(struct reasoning *reasoning)
{
	const struct replay_program *program = reasoning->program;
	size_t room = 0;

	for (size_t c = 0; c < program->ncalls; c++) {
		const struct replay_call *call = &program->call[c], *record;

		if (call->kind != REPLAY_JOIN || call->event == REPLAY_NONE)
			continue;
		record = &program->call[call->event];
		xgrow(&reasoning->join, reasoning->njoins, &room, sizeof(*reasoning->join));
		reasoning->join[reasoning->njoins++] =
			(struct reason_join){record->start, call->start, record->stream, call->stream};
	}
}

bool pays_covered(const struct pays_computing *computing, int64_t start, int64_t end)
{
	size_t begun = FIRST_FROM(computing->time, computing->n, start, start + 1);

	return end <= start || (begun > 0 && computing->time[begun - 1].end >= end);
}

void pays_reasons(const struct replay_program *program, const struct pays_computing *computing, uint16_t *reasons)
{
	struct reasoning reasoning = {.program = program};

	_Static_assert(PAYS_REASONS <= 16, "a copy's reasons are bits");
	find_around(&reasoning);
	find_reason_waits(&reasoning);
	find_reason_joins(&reasoning);
	for (uint32_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];
		bool copy = piece->cls == WORK_H2D || piece->cls == WORK_D2H;

		reasons[p] = 0;
		if (copy && !pays_covered(&computing[program->stream[piece->stream].device], piece->start, piece->end))
			reasons[p] = (uint16_t)copy_reasons(&reasoning, p);
	}
	free(reasoning.before);
	free(reasoning.after);
	free(reasoning.defaults);
	free(reasoning.wait);
	free(reasoning.join);
}
