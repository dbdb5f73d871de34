/* build.c: all that a process did in a stretch, for the replay: its calls, its work, its streams. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/communicates.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/calls.h"
#include "model/trace/pays/parts.h"
#include "model/trace/pays/building.h"
#include "store/copies.h"
#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"
#include "analyze/sort.h"

/* ---- threads, devices, streams ---- */

/* Sorts a list of numbers, few of which are distinct, and takes out what is there twice. */
static size_t unique_numbers(int64_t *number, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t here = number[i];
		size_t at = int64_first_from(number, kept, sizeof(*number), 0, here);

		if (at < kept && number[at] == here)
			continue;
		memmove(number + at + 1, number + at, (kept - at) * sizeof(*number));
		number[at] = here;
		kept++;
	}
	return kept;
}

static void find_devices(struct building *building)
{
	const struct trace *trace = building->trace;
	int64_t *gpu = xcalloc(building->npieces + 1, sizeof(*gpu));
	size_t n;

	for (size_t i = 0; i < building->npieces; i++)
		gpu[i] = work_lane(trace, building->piece[i].work)->device;
	n = unique_numbers(gpu, building->npieces);
	building->out->device = xcalloc(n + 1, sizeof(int));
	for (size_t d = 0; d < n; d++)
		building->out->device[d] = (int)gpu[d];
	building->out->program.ndevices = (int)n;
	free(gpu);
}

static int device_place(const struct building *building, int device)
{
	for (int d = 0; d < building->out->program.ndevices; d++) {
		if (building->out->device[d] == device)
			return d;
	}
	return 0;
}

/* Streams of all devices, one device after the other; each device's by id. */
static void find_streams(struct building *building)
{
	const struct trace *trace = building->trace;
	struct replay_stream *streams = xcalloc(building->npieces + 1, sizeof(*streams));
	int64_t *id = xcalloc(building->npieces + 1, sizeof(*id));
	size_t n = 0;

	building->first_stream = xcalloc((size_t)building->out->program.ndevices + 1, sizeof(size_t));
	for (int d = 0; d < building->out->program.ndevices; d++) {
		size_t count = 0;
		enum pays_stream *kinds;

		for (size_t i = 0; i < building->npieces; i++) {
			const struct work_lane *lane = work_lane(trace, building->piece[i].work);

			if (lane->device == building->out->device[d])
				id[n + count++] = lane->stream;
		}
		count = unique_numbers(id + n, count);
		kinds = pays_stream_kinds(building->model, building->process, building->out->device[d], id + n, count);
		for (size_t s = 0; s < count; s++)
			streams[n + s] = (struct replay_stream){kinds[s], d};
		free(kinds);
		n += count;
		building->first_stream[d + 1] = n;
	}
	building->stream_id = id;
	building->out->program.stream = streams;
	building->out->program.nstreams = n;
}

/* The stream of an id on a device of the program; -1 if there is none. */
static int32_t stream_of_device(const struct building *building, int64_t id, int device)
{
	size_t first = building->first_stream[device], n = building->first_stream[device + 1] - first;
	size_t place = int64_first_from(building->stream_id + first, n, sizeof(*building->stream_id), 0, id);

	return place < n && building->stream_id[first + place] == id ? (int32_t)(first + place) : -1;
}

int32_t building_stream(const struct building *building, int64_t id, int device)
{
	int32_t stream = device < building->out->program.ndevices ? stream_of_device(building, id, device) : -1;

	for (int d = building->out->program.ndevices; stream < 0 && d-- > 0;)
		stream = stream_of_device(building, id, d);
	return stream;
}

/* ---- engines and rates ---- */

static void find_engines(struct building *building)
{
	struct rows gpus = rows_all(&building->model->table[TABLE_GPU]);
	bool *shared = xcalloc((size_t)building->out->program.ndevices + 1, sizeof(*shared));
	int column = gpu_number_column(&gpus);

	for (size_t i = 0; i < gpus.count; i++) {
		for (int d = 0; d < building->out->program.ndevices; d++) {
			if (row_int(&gpus, i, column) == building->out->device[d])
				shared[d] = row_int(&gpus, i, GPU_asyncEngines) == 1;
		}
	}
	building->out->program.shared_copies = shared;
}

/* ---- pieces of work ---- */

static uint64_t building_hash(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * 0x9E3779B97F4A7C15U;
	return hash ^ hash >> 29;
}

static bool is_pageable_copy(const struct trace *trace, size_t work)
{
	const struct work_copy *copy = work_copy(trace, work);
	uint8_t cls = work_lane(trace, work)->cls;
	char memory[64];

	if (!copy || (cls != WORK_H2D && cls != WORK_D2H))
		return false;
	memory_words(copy_memory_kind(copy->kind, copy->source, copy->target), memory, sizeof(memory));
	return strcmp(memory, "pageable") == 0;
}

static bool is_collective(const struct trace *trace, size_t work)
{
	const char *name = work_copy(trace, work) ? NULL : texts_text(trace->texts, trace->what[work]);

	return kernel_communicates(name);
}

/* Kinds of kernels by name; the last number is for all that come late. */
static uint16_t kernel_kind(struct building *building, size_t work)
{
	uint32_t what = work_copy(building->trace, work) ? 0 : building->trace->what[work];

	if (is_collective(building->trace, work))
		return REPLAY_COLLECTIVE;
	for (uint16_t k = 0; k < building->nkinds; k++) {
		if (building->kind[k] == what)
			return k;
	}
	if (building->nkinds < REPLAY_COLLECTIVE) {
		building->kind[building->nkinds] = what;
		return building->nkinds++;
	}
	return 63;
}

static bool is_migration(const struct trace *trace, size_t work)
{
	int kind = work_copy_kind(trace, work);

	return kind == MIGRATION_IN || kind == MIGRATION_OUT;
}

static struct replay_piece make_replay_piece(struct building *building, size_t i)
{
	const struct trace *trace = building->trace;
	uint32_t work = building->piece[i].work;
	const struct work_lane *lane = work_lane(trace, work);
	int64_t start = within_limit(trace->start[work]), end = within_limit(trace->end[work]);

	return (struct replay_piece){
		.start = start,
		.end = end < start ? start : end,
		.pinned = (double)(end - start),
		.stream = building_stream(building, lane->stream, device_place(building, lane->device)),
		.kind = kernel_kind(building, work),
		.cls = lane->cls,
		.pageable = is_pageable_copy(trace, work),
		.managed = is_migration(trace, work),
		.apart = work_copy_kind(trace, work) == COPY_PEER,
	};
}

/* Copies of a direction, by size. */
struct sized_copy {
	int64_t bytes;
	double time;
	int64_t group; /* device and direction */
};

static int building_by_size(const void *left, const void *right)
{
	const struct sized_copy *a = left, *b = right;

	if (a->group != b->group)
		return int64_order(a->group, b->group);
	return int64_order(a->bytes, b->bytes);
}

/* Copies of one device and direction whose sizes lie close together are alike: their sizes differ from round to round,
 * but no gap of this factor is between two of them. */
enum { SIZE_GAP = 3 };

static int64_t copy_group(const struct building *building, size_t work)
{
	const struct work_lane *lane = work_lane(building->trace, work);

	return lane->device * INT64_C(16) + lane->cls;
}

static int building_by_size_class(const void *left, const void *right)
{
	const struct building_size *a = left, *b = right;

	if (a->group != b->group)
		return int64_order(a->group, b->group);
	return int64_order(a->bytes, b->bytes);
}

static void find_sizes(struct building *building)
{
	const struct trace *trace = building->trace;

	building->size = xcalloc(building->npieces + 1, sizeof(*building->size));
	for (size_t i = 0; i < building->npieces; i++) {
		const struct work_copy *copy = work_copy(trace, building->piece[i].work);

		if (copy)
			building->size[building->nsizes++] =
				(struct building_size){copy_group(building, building->piece[i].work), copy->bytes, 0};
	}
	if (building->nsizes > 1)
		sort_runs(building->size, building->nsizes, sizeof(*building->size), building_by_size_class);
	for (size_t i = 1; i < building->nsizes; i++) {
		const struct building_size *before = &building->size[i - 1];
		struct building_size *here = &building->size[i];
		bool alike = here->group == before->group && here->bytes / SIZE_GAP <= before->bytes;

		here->number = before->number + (alike ? 0 : 1);
	}
}

static uint32_t size_class(const struct building *building, size_t work)
{
	struct building_size key = {copy_group(building, work), work_copy(building->trace, work)->bytes, 0};
	const struct building_size *found =
		bsearch(&key, building->size, building->nsizes, sizeof(key), building_by_size_class);

	return found ? found->number + 1 : 0;
}

/* The median rate of pinned copies of half to double the size; NaN if there are none. */
static double pinned_rate(const struct sized_copy *copies, size_t n, int64_t group, int64_t bytes)
{
	double rate[64];
	size_t count = 0;

	for (size_t i = 0; i < n && count < 64; i++) {
		if (copies[i].group == group && copies[i].bytes >= bytes / 2 && copies[i].bytes / 2 <= bytes &&
			copies[i].time > 0)
			rate[count++] = (double)copies[i].bytes / copies[i].time;
	}
	if (count == 0)
		return NAN;
	for (size_t i = 1; i < count; i++) {
		for (size_t k = i; k > 0 && rate[k - 1] > rate[k]; k--) {
			double swap = rate[k];

			rate[k] = rate[k - 1];
			rate[k - 1] = swap;
		}
	}
	return rate[count / 2];
}

/* What pageable copies would take from pinned memory. */
static void find_pinned(struct building *building, struct replay_piece *pieces)
{
	struct sized_copy *copies = xcalloc(building->npieces + 1, sizeof(*copies));
	size_t n = 0;

	for (size_t i = 0; i < building->npieces; i++) {
		const struct work_copy *copy = work_copy(building->trace, building->piece[i].work);

		if (copy && (pieces[i].cls == WORK_H2D || pieces[i].cls == WORK_D2H) && !pieces[i].pageable &&
			copy->bytes > 0)
			copies[n++] = (struct sized_copy){copy->bytes, (double)(pieces[i].end - pieces[i].start),
				copy_group(building, building->piece[i].work)};
	}
	if (n > 1)
		sort_runs(copies, n, sizeof(*copies), building_by_size);
	for (size_t i = 0; i < building->npieces && n > 0; i++) {
		uint32_t work = building->piece[i].work;
		double rate;

		if (!pieces[i].pageable)
			continue;
		rate = pinned_rate(copies, n, copy_group(building, work), work_copy(building->trace, work)->bytes);
		pieces[i].pinned_known = !isnan(rate);
		if (pieces[i].pinned_known)
			pieces[i].pinned =
				fmin(pieces[i].pinned, (double)work_copy(building->trace, work)->bytes / rate);
	}
	free(copies);
}

/* ---- tokens ---- */

static uint64_t hash_text_without_digits(const char *text)
{
	uint64_t hash = 7;

	for (; text && *text; text++) {
		if (!isdigit((unsigned char)*text))
			hash = building_hash(hash, (unsigned char)*text);
	}
	return hash;
}

uint32_t building_mark_token(const struct building *building, const struct range *range)
{
	uint64_t hash = building_hash(99, hash_text_without_digits(trace_range_text(building->trace, range)));

	return (uint32_t)(building_hash(hash, range->domain) >> 16);
}

uint32_t building_work_token(const struct building *building, size_t work, size_t count)
{
	const struct trace *trace = building->trace;
	const struct work_lane *lane = work_lane(trace, work);
	uint64_t hash = building_hash(building_hash(1, lane->cls), (uint64_t)lane->device);

	hash = building_hash(hash, count);
	if (work_copy(trace, work)) {
		hash = building_hash(hash, size_class(building, work));
		hash = building_hash(hash, (uint64_t)work_copy_kind(trace, work));
		hash = building_hash(hash, is_pageable_copy(trace, work));
	} else {
		hash = building_hash(hash, trace->what[work]);
	}
	return (uint32_t)(hash >> 16);
}

uint32_t building_wait_token(int kind)
{
	return (uint32_t)(building_hash(building_hash(5, 1), (uint64_t)kind) >> 16);
}

/* ---- all of it ---- */

static void add_migration(struct building *building, size_t work)
{
	struct pays_program *out = building->out;

	xgrow(&out->migration, out->nmigrations, &building->migrations_room, sizeof(*out->migration));
	out->migration[out->nmigrations++] = (struct pays_migration){(uint32_t)work, REPLAY_NONE};
}

/* Nobody asks for a migration: where calls are known, it has no place among them. */
static void find_pieces(struct building *building, const struct pays_source *source)
{
	building->piece = xcalloc(source->nwork + 1, sizeof(*building->piece));
	for (size_t i = 0; i < source->nwork; i++) {
		if (!building->no_calls && is_migration(building->trace, source->work[i]))
			add_migration(building, source->work[i]);
		else
			building->piece[building->npieces++] = (struct building_piece){.work = source->work[i]};
	}
}

/* Whether the call of any work is known. */
static bool knows_calls(const struct pays_source *source)
{
	for (size_t i = 0; i < source->nwork; i++) {
		if (call_known(&source->model->trace, source->work[i]))
			return true;
	}
	return false;
}

/* The threads of the process stand together. */
static void find_threads(struct building *building)
{
	const struct trace *trace = building->trace;
	size_t end;

	building->end_thread = trace->nthreads;
	if (building->process == 0)
		return;
	end = int64_first_from(trace->threads, trace->nthreads, sizeof(*trace->threads), 0, building->process);
	building->first_thread = end;
	while (end < trace->nthreads && process_of(trace->threads[end]) == building->process)
		end++;
	building->end_thread = end;
}

static void make_pieces(struct building *building)
{
	struct replay_piece *pieces = xcalloc(building->npieces + 1, sizeof(*pieces));

	building->out->work = xcalloc(building->npieces + 1, sizeof(uint32_t));
	for (size_t i = 0; i < building->npieces; i++) {
		pieces[i] = make_replay_piece(building, i);
		pieces[i].call = building->piece[i].call;
		building->out->work[i] = building->piece[i].work;
	}
	find_pinned(building, pieces);
	building->out->program.piece = pieces;
	building->out->program.npieces = building->npieces;
}

/* Takes rates that are not known yet. */
static void take_rates(struct pays_duplex *rates, struct pays_duplex more)
{
	rates->in = isnan(rates->in) ? more.in : rates->in;
	rates->out = isnan(rates->out) ? more.out : rates->out;
}

/* The rates of copies in both directions at once, each from the first GPU that tells it. */
static void find_rate(struct pays_program *out, const struct trace *trace)
{
	int64_t *size = xcalloc(out->program.npieces + 1, sizeof(*size));

	for (size_t p = 0; p < out->program.npieces; p++) {
		const struct work_copy *copy = work_copy(trace, out->work[p]);

		size[p] = copy ? copy->bytes : -1;
	}
	out->program.rate = (struct pays_duplex){NAN, NAN};
	for (int d = 0; d < out->program.ndevices; d++)
		take_rates(&out->program.rate, pays_duplex_rates(&out->program, size, d));
	out->rate_measured = !isnan(out->program.rate.in) || !isnan(out->program.rate.out);
	take_rates(&out->program.rate, (struct pays_duplex){PAYS_DUPLEX_RATE, PAYS_DUPLEX_RATE});
	free(size);
}

static void find_reasons(struct pays_program *out, const struct pays_source *source)
{
	out->computing =
		pays_computing_make(source->kernels, &source->model->trace, out->device, (size_t)out->program.ndevices);
	out->reasons = xcalloc(out->program.npieces + 1, sizeof(*out->reasons));
	pays_reasons(&out->program, out->computing, out->reasons);
}

void pays_program_make(
	struct pays_program *out, const struct pays_source *source, int64_t process, struct pays_lacks *lacks)
{
	const struct model *model = source->model;
	struct building building = {.model = model,
		.trace = &model->trace,
		.host = source->host,
		.stretch = source->stretch,
		.process = process,
		.out = out,
		.lacks = lacks};

	*out = (struct pays_program){.process = process, .host = source->host, .stretch = source->stretch};
	building.no_calls = source->host->ncalls == 0 || model->trace.no_calls || !knows_calls(source);
	find_threads(&building);
	find_pieces(&building, source);
	find_devices(&building);
	find_streams(&building);
	find_engines(&building);
	find_sizes(&building);
	building_make_calls(&building);
	make_pieces(&building);
	free(building.piece);
	free(building.stream_id);
	free(building.first_stream);
	free(building.size);
	pays_find_migration_calls(out, &model->trace);
	find_rate(out, &model->trace);
	find_reasons(out, source);
}

void pays_program_free(struct pays_program *program)
{
	free((void *)program->program.call);
	free((void *)program->program.piece);
	free((void *)program->program.stream);
	free((void *)program->program.shared_copies);
	free(program->work);
	free(program->reasons);
	free(program->migration);
	free(program->computing);
	free(program->device);
	free(program->thread);
}
