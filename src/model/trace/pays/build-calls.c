/* build-calls.c: the calls of a process in a stretch, each with the work that it asked for, in the order in which they
 * began. */
#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "model/trace/calls.h"
#include "model/trace/pays/building.h"
#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/numbering.h"
#include "analyze/sort.h"

/* The thread of work whose call is not known. */
#define NO_THREAD UINT32_MAX

/* What lies between two pieces is a latency up to here, and else the host's doing (ns). */
enum { HOST_IDLE = 20000 };

/* A call while the list is made. */
struct raw_call {
	int64_t start, end, correlation;
	int64_t stream;        /* that a wait without a call waits for; -1 */
	uint32_t thread;       /* place in trace.threads, or NO_THREAD */
	uint32_t first, count; /* pieces */
	uint32_t token;
	uint8_t kind; /* enum replay_kind */
	uint8_t call; /* enum pays_host_kind */
};

struct raw_calls {
	struct building *building;
	struct raw_call *item;
	size_t n, room;
};

static struct raw_call *raw_add(struct raw_calls *calls, int64_t start, int64_t end, uint32_t thread, int kind)
{
	xgrow(&calls->item, calls->n, &calls->room, sizeof(*calls->item));
	calls->item[calls->n] =
		(struct raw_call){.start = start, .end = end, .stream = -1, .thread = thread, .kind = (uint8_t)kind};
	return &calls->item[calls->n++];
}

/* ---- launches ---- */

/* A piece of work and its call, for qsort(). */
struct asked_piece {
	int64_t called, start;
	uint32_t thread, work;
};

static int by_asker(const void *left, const void *right)
{
	const struct asked_piece *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->called != b->called)
		return int64_order(a->called, b->called);
	if (a->start != b->start)
		return int64_order(a->start, b->start);
	return (a->work > b->work) - (a->work < b->work);
}

/* Sorts building->piece by call. */
static struct asked_piece *sort_pieces(struct building *building)
{
	const struct trace *trace = building->trace;
	struct asked_piece *asked = xcalloc(building->npieces + 1, sizeof(*asked));

	for (size_t i = 0; i < building->npieces; i++) {
		uint32_t work = building->piece[i].work;
		bool known = call_known(trace, work);

		asked[i] = (struct asked_piece){.start = within_limit(trace->start[work]),
			.called = within_limit(known ? trace->called[work] : trace->start[work]),
			.thread = known ? trace->thread[work] - 1 : NO_THREAD,
			.work = work};
	}
	if (building->npieces > 1)
		sort_runs(asked, building->npieces, sizeof(*asked), by_asker);
	for (size_t i = 0; i < building->npieces; i++)
		building->piece[i].work = asked[i].work;
	return asked;
}

/* The call of a thread that began then, among those from *at on; NULL if there is none. */
static const struct pays_host_call *host_call_at(
	const struct pays_host *host, size_t *at, uint32_t thread, int64_t start)
{
	if (thread == NO_THREAD)
		return NULL;
	while (*at < host->ncalls && (host->call[*at].thread < thread ||
					     (host->call[*at].thread == thread && host->call[*at].start < start)))
		++*at;
	if (*at < host->ncalls && host->call[*at].thread == thread && host->call[*at].start == start)
		return &host->call[*at];
	return NULL;
}

/* The first call of a thread, or of a later one, that began at `time` or later. */
static size_t first_host_call(const struct pays_host *host, size_t thread, int64_t time)
{
	size_t low = 0, high = host->ncalls;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pays_host_call *call = &host->call[middle];

		if (call->thread < thread || (call->thread == thread && call->start < time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_launches(struct raw_calls *calls)
{
	struct building *building = calls->building;
	struct asked_piece *asked = sort_pieces(building);
	size_t at = first_host_call(building->host, building->first_thread, INT64_MIN);

	for (size_t first = 0, end; first < building->npieces; first = end) {
		const struct pays_host_call *host =
			host_call_at(building->host, &at, asked[first].thread, asked[first].called);
		struct raw_call *call;

		for (end = first + 1; end < building->npieces && asked[end].thread == asked[first].thread &&
				      asked[end].called == asked[first].called && asked[first].thread != NO_THREAD;)
			end++;
		call = raw_add(calls, asked[first].called, host ? host->end : asked[first].called, asked[first].thread,
			REPLAY_LAUNCH);
		call->first = (uint32_t)first;
		call->count = (uint32_t)(end - first);
		call->token = building_work_token(building, asked[first].work, end - first);
	}
	free(asked);
}

/* ---- calls that ask for no work, and ranges ---- */

static enum replay_kind replay_kind_of(enum pays_host_kind kind)
{
	if (kind == PAYS_CALL_RECORD)
		return REPLAY_RECORD;
	return kind == PAYS_CALL_JOIN ? REPLAY_JOIN : REPLAY_WAIT;
}

static void add_calls_of_thread(struct raw_calls *calls, uint32_t thread)
{
	const struct building *building = calls->building;
	const struct pays_stretch *stretch = building->stretch;

	for (size_t i = first_host_call(building->host, thread, stretch->from); i < building->host->ncalls; i++) {
		const struct pays_host_call *host = &building->host->call[i];
		struct raw_call *call;

		if (host->thread != thread || host->start > stretch->to)
			break;
		if (host->kind == PAYS_CALL_OTHER)
			continue;
		call = raw_add(calls, host->start, host->end, host->thread, replay_kind_of(host->kind));
		call->correlation = host->correlation;
		call->call = host->kind;
		call->token = building_wait_token(host->kind);
	}
}

/* The first range of a thread, or of a later one, that begins at `time` or later. */
static size_t first_range_from(const struct trace *trace, uint32_t thread, int64_t time)
{
	size_t low = 0, high = trace->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct range *range = &trace->ranges[middle];

		if (range->thread < thread || (range->thread == thread && range->start < time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Ranges with work in them; not those that begin and end anywhere. */
static void add_marks_of_thread(struct raw_calls *calls, uint32_t thread)
{
	const struct building *building = calls->building;
	const struct pays_stretch *stretch = building->stretch;
	const struct trace *trace = building->trace;
	struct called_work work = {0, 0};

	for (size_t i = first_range_from(trace, thread, stretch->from); i < trace->nranges; i++) {
		const struct range *range = &trace->ranges[i];

		if (range->thread != thread || range->start > stretch->to)
			break;
		if (range->apart)
			continue;
		range_work(trace, range, &work);
		if (work.count > 0)
			raw_add(calls, range->start, range->start, thread, REPLAY_MARK)->token =
				building_mark_token(building, range);
	}
}

static void add_marks(struct raw_calls *calls)
{
	for (size_t t = calls->building->first_thread; t < calls->building->end_thread; t++)
		add_marks_of_thread(calls, (uint32_t)t);
}

/* ---- without calls ---- */

/* Waits of the host by time: those of the process, which name what they wait for. */
static void add_sync_rows(struct raw_calls *calls)
{
	const struct building *building = calls->building;
	const struct pays_host *host = building->host;
	size_t first = FIRST_FROM(host->sync, host->nsyncs, process, building->process);

	for (size_t i = first; i < host->nsyncs && host->sync[i].process == building->process; i++) {
		const struct pays_sync_row *row = &host->sync[i];
		struct raw_call *call;

		if (row->start < building->stretch->from || row->start > building->stretch->to ||
			row->end < row->start || (row->type == 2 && row->event > 0))
			continue;
		call = raw_add(calls, within_limit(row->start), within_limit(row->end), NO_THREAD, REPLAY_WAIT);
		call->call = row->type == 4 ? PAYS_CALL_DEVICE : PAYS_CALL_STREAM;
		call->stream = row->type == 4 || row->type == 1 ? -1 : row->stream;
		call->token = building_wait_token(row->type);
	}
}

static int raw_by_end(const void *left, const void *right)
{
	const struct raw_call *a = left, *b = right;
	int64_t time_a = a->kind == REPLAY_WAIT ? a->end : a->start,
		time_b = b->kind == REPLAY_WAIT ? b->end : b->start;

	if (time_a != time_b)
		return int64_order(time_a, time_b);
	return (a->kind == REPLAY_WAIT) != (b->kind == REPLAY_WAIT) ? (a->kind == REPLAY_WAIT ? -1 : 1)
								    : (a->first > b->first) - (a->first < b->first);
}

/* When the next wait behind a place begins; INT64_MAX if there is none. */
static int64_t next_wait(const struct raw_calls *calls, size_t *at, size_t i)
{
	if (*at <= i)
		*at = i + 1;
	while (*at < calls->n && calls->item[*at].kind != REPLAY_WAIT)
		++*at;
	return *at < calls->n ? calls->item[*at].start : INT64_MAX;
}

/* The host asks for work as early as it can: right behind the work or the wait before, but for the time in which the
 * GPU had nothing to do for longer than a latency. What runs before a wait is over was asked for before it. */
static void guess_issues(struct raw_calls *calls)
{
	const struct building *building = calls->building;
	int64_t now = INT64_MIN, busy = INT64_MAX;
	size_t at = 0;

	if (calls->n > 1)
		sort_runs(calls->item, calls->n, sizeof(*calls->item), raw_by_end);
	for (size_t i = 0; i < calls->n; i++) {
		struct raw_call *call = &calls->item[i];
		int64_t end, wait = next_wait(calls, &at, i), idle;

		if (call->kind == REPLAY_WAIT) {
			now = call->end > now ? call->end : now;
			continue;
		}
		idle = busy != INT64_MAX && call->start - busy > HOST_IDLE ? call->start - busy - HOST_IDLE : 0;
		end = within_limit(building->trace->end[building->piece[call->first].work]);
		now = now == INT64_MIN ? call->start : now + idle;
		now = now < call->start ? now : call->start;
		if (now > wait && (i == 0 || wait >= calls->item[i - 1].end))
			now = wait;
		busy = busy == INT64_MAX || end > busy ? end : busy;
		call->start = call->end = now;
	}
}

/* ---- what waits are for ---- */

/* The first row of the call in a table by process and correlation, with which its rows begin; NULL if there is none. */
static const void *row_of_call(
	const struct building *building, int64_t correlation, const void *rows, size_t n, size_t size)
{
	size_t low = 0, high = n;
	int64_t here[2] = {0};

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		memcpy(here, (const char *)rows + middle * size, sizeof(here));
		if (here[0] < building->process || (here[0] == building->process && here[1] < correlation))
			low = middle + 1;
		else
			high = middle;
	}
	if (correlation == 0 || low == n)
		return NULL;
	memcpy(here, (const char *)rows + low * size, sizeof(here));
	return here[0] == building->process && here[1] == correlation ? (const char *)rows + low * size : NULL;
}

static const struct pays_sync_row *sync_of_call(const struct building *building, int64_t correlation)
{
	const struct pays_host *host = building->host;

	return row_of_call(building, correlation, host->sync, host->nsyncs, sizeof(*host->sync));
}

static const struct pays_event_row *event_of_call(const struct building *building, int64_t correlation)
{
	const struct pays_host *host = building->host;

	return row_of_call(building, correlation, host->event, host->nevents, sizeof(*host->event));
}

/* The latest record of each event, by a number of it. */
struct record_map {
	struct record_slot {
		int64_t id;
		uint32_t call; /* plus one; 0: empty */
	} * slot;
	size_t slots;
};

static struct record_slot *record_slot(const struct record_map *map, int64_t id)
{
	size_t slot = (size_t)((uint64_t)id * 0x9E3779B97F4A7C15U >> 20) & (map->slots - 1);

	while (map->slot[slot].call && map->slot[slot].id != id)
		slot = (slot + 1) & (map->slots - 1);
	return &map->slot[slot];
}

static void record_map_make(struct record_map *map, size_t n)
{
	for (map->slots = 64; map->slots < 2 * n;)
		map->slots *= 2;
	map->slot = xcalloc(map->slots, sizeof(*map->slot));
}

static void record_map_put(const struct record_map *map, int64_t id, uint32_t call)
{
	*record_slot(map, id) = (struct record_slot){id, call + 1};
}

/* What is known of a thread while its calls are gone through. */
struct thread_state {
	uint32_t record; /* its latest record */
	int32_t stream;  /* of the work that it asked for last */
	int device;
};

struct resolving {
	struct building *building;
	const struct raw_call *raw;
	struct replay_call *call;
	size_t n;
	struct record_map by_event, by_sync;
	struct thread_state *thread;
};

static uint32_t record_of_row(const struct resolving *resolving, const struct pays_sync_row *row)
{
	const struct record_slot *slot;

	if (!row)
		return REPLAY_NONE;
	if (row->sync > 0) {
		slot = record_slot(&resolving->by_sync, row->sync);
		if (slot->call)
			return slot->call - 1;
	}
	if (row->event <= 0)
		return REPLAY_NONE;
	slot = record_slot(&resolving->by_event, row->event);
	return slot->call ? slot->call - 1 : REPLAY_NONE;
}

static void resolve_record(struct resolving *resolving, uint32_t c)
{
	struct replay_call *call = &resolving->call[c];
	struct thread_state *state = &resolving->thread[call->thread];
	const struct pays_event_row *row = event_of_call(resolving->building, resolving->raw[c].correlation);

	call->stream = row ? building_stream(resolving->building, row->stream, state->device) : state->stream;
	if (row && row->event > 0)
		record_map_put(&resolving->by_event, row->event, c);
	if (row && row->sync > 0)
		record_map_put(&resolving->by_sync, row->sync, c);
	state->record = c;
}

/* The stream of the next work that the thread asks for. */
static int32_t next_stream(const struct resolving *resolving, uint32_t c)
{
	for (uint32_t i = c + 1; i < resolving->n && i < c + 64; i++) {
		if (resolving->call[i].thread == resolving->call[c].thread && resolving->call[i].count)
			return building_stream(resolving->building,
				work_lane(resolving->building->trace,
					resolving->building->piece[resolving->call[i].first].work)
					->stream,
				resolving->thread[resolving->call[c].thread].device);
	}
	return -1;
}

static void resolve_join(struct resolving *resolving, uint32_t c)
{
	struct replay_call *call = &resolving->call[c];
	struct thread_state *state = &resolving->thread[call->thread];
	const struct pays_sync_row *row = sync_of_call(resolving->building, resolving->raw[c].correlation);

	call->stream = row && row->stream >= 0 ? building_stream(resolving->building, row->stream, state->device)
					       : next_stream(resolving, c);
	call->event = record_of_row(resolving, row);
	/* A wait for an event that was never recorded is none, if records say which event they are of. */
	if (call->event == REPLAY_NONE && (!row || row->event <= 0 || resolving->building->host->nevents == 0)) {
		call->event = state->record;
		resolving->building->lacks->joins++;
	}
}

static void resolve_wait(struct resolving *resolving, uint32_t c)
{
	struct replay_call *call = &resolving->call[c];
	const struct raw_call *raw = &resolving->raw[c];
	const struct pays_sync_row *row = sync_of_call(resolving->building, raw->correlation);
	int device = resolving->thread[call->thread].device;

	call->target = REPLAY_OBSERVED;
	call->drains = raw->call == PAYS_CALL_FREE;
	call->freeing = call->drains || raw->call == PAYS_CALL_MEMORY;
	if (raw->call == PAYS_CALL_DEVICE)
		call->target = REPLAY_DEVICE;
	if (raw->call == PAYS_CALL_STREAM && (raw->stream >= 0 || (row && row->stream >= 0))) {
		call->target = REPLAY_STREAM;
		call->stream =
			building_stream(resolving->building, raw->stream >= 0 ? raw->stream : row->stream, device);
	}
	if (raw->call == PAYS_CALL_EVENT) {
		call->event = record_of_row(resolving, row);
		if (call->event != REPLAY_NONE)
			call->target = REPLAY_EVENT;
	}
	if (call->target == REPLAY_OBSERVED && (raw->call == PAYS_CALL_STREAM || raw->call == PAYS_CALL_EVENT))
		resolving->building->lacks->waits++;
}

static void resolve_launch(struct resolving *resolving, uint32_t c)
{
	const struct trace *trace = resolving->building->trace;
	struct replay_call *call = &resolving->call[c];
	uint32_t work = resolving->building->piece[call->first].work;
	struct thread_state *state = &resolving->thread[call->thread];

	for (int d = 0; d < resolving->building->out->program.ndevices; d++) {
		if (resolving->building->out->device[d] == work_lane(trace, work)->device)
			state->device = d;
	}
	state->stream = building_stream(resolving->building, work_lane(trace, work)->stream, state->device);
	call->blocking = work_copy(trace, work) && work_copy(trace, work)->call && work_copy(trace, work)->blocking;
}

static void resolve_calls(struct resolving *resolving)
{
	size_t nthreads = resolving->building->out->program.nthreads, records = 0;

	for (size_t c = 0; c < resolving->n; c++)
		records += resolving->call[c].kind == REPLAY_RECORD;
	record_map_make(&resolving->by_event, records);
	record_map_make(&resolving->by_sync, records);
	resolving->thread = xcalloc(nthreads + 1, sizeof(*resolving->thread));
	for (size_t t = 0; t < nthreads; t++)
		resolving->thread[t] = (struct thread_state){REPLAY_NONE, -1, 0};
	for (uint32_t c = 0; c < resolving->n; c++) {
		if (resolving->call[c].kind == REPLAY_LAUNCH)
			resolve_launch(resolving, c);
		else if (resolving->call[c].kind == REPLAY_RECORD)
			resolve_record(resolving, c);
		else if (resolving->call[c].kind == REPLAY_JOIN)
			resolve_join(resolving, c);
		else if (resolving->call[c].kind == REPLAY_WAIT)
			resolve_wait(resolving, c);
	}
	free(resolving->by_event.slot);
	free(resolving->by_sync.slot);
	free(resolving->thread);
}

/* ---- the list ---- */

static int raw_by_start(const void *left, const void *right)
{
	const struct raw_call *a = left, *b = right;

	if (a->start != b->start)
		return int64_order(a->start, b->start);
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind == REPLAY_MARK ? -1 : b->kind == REPLAY_MARK ? 1 : a->kind < b->kind ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Numbers the threads of the calls in the order in which they first call, for numbering_free(). NO_THREAD is one. */
static struct numbering number_threads(struct pays_program *out, const struct raw_calls *raws)
{
	struct numbering number = {0};

	for (size_t i = 0; i < raws->n; i++)
		numbering_place(&number, raws->item[i].thread);
	out->program.nthreads = number.n;
	out->thread = xcalloc(number.n + 1, sizeof(*out->thread));
	for (size_t t = 0; t < number.n; t++)
		out->thread[t] = (uint32_t)number.id[t];
	return number;
}

/* Pieces in the order of the calls. */
static void order_pieces_by_call(struct building *building, struct replay_call *calls, size_t n)
{
	struct building_piece *sorted = xcalloc(building->npieces + 1, sizeof(*sorted));
	uint32_t next = 0;

	for (size_t c = 0; c < n; c++) {
		for (uint32_t p = 0; p < calls[c].count; p++)
			sorted[next + p] =
				(struct building_piece){building->piece[calls[c].first + p].work, (uint32_t)c};
		calls[c].first = next;
		next += calls[c].count;
	}
	free(building->piece);
	building->piece = sorted;
}

static struct replay_call *finish_calls(struct building *building, struct raw_calls *raws)
{
	struct replay_call *calls = xcalloc(raws->n + 1, sizeof(*calls));
	struct numbering number = number_threads(building->out, raws);
	int64_t *ends = xcalloc(building->out->program.nthreads + 1, sizeof(*ends));
	size_t n = 0;

	for (size_t t = 0; t < building->out->program.nthreads; t++)
		ends[t] = INT64_MIN;
	for (size_t i = 0; i < raws->n; i++) {
		const struct raw_call *raw = &raws->item[i];
		uint32_t thread = (uint32_t)numbering_place(&number, raw->thread);

		if (raw->kind == REPLAY_MARK && raw->start < ends[thread])
			continue;
		ends[thread] = raw->end;
		raws->item[n] = *raw;
		calls[n++] = (struct replay_call){.start = raw->start,
			.end = raw->end,
			.token = raw->token,
			.thread = thread,
			.event = REPLAY_NONE,
			.stream = -1,
			.first = raw->first,
			.count = raw->count,
			.kind = raw->kind,
			.polls = raw->call == PAYS_CALL_QUERY,
			.known = raw->thread != NO_THREAD && !building->no_calls};
	}
	free(ends);
	numbering_free(&number);
	building->out->program.ncalls = raws->n = n;
	return calls;
}

void building_make_calls(struct building *building)
{
	struct raw_calls raws = {.building = building};
	struct resolving resolving = {.building = building};

	add_launches(&raws);
	if (building->no_calls) {
		add_sync_rows(&raws);
		guess_issues(&raws);
		building->lacks->no_calls = true;
	} else {
		for (size_t t = building->first_thread; t < building->end_thread; t++)
			add_calls_of_thread(&raws, (uint32_t)t);
		add_marks(&raws);
		if (raws.n > 1)
			sort_runs(raws.item, raws.n, sizeof(*raws.item), raw_by_start);
	}
	raws.item = xreallocarray(raws.item, raws.n + 1, sizeof(*raws.item));
	resolving.call = finish_calls(building, &raws);
	resolving.n = raws.n;
	order_pieces_by_call(building, resolving.call, raws.n);
	resolving.raw = raws.item;
	resolve_calls(&resolving);
	building->out->program.call = resolving.call;
	free(raws.item);
}
