/* work.c: reads the device work of a recording: kernels, copies, memsets, and graphs traced as a whole. */
#include "model/trace/work.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/trace/work-parts.h"
#include "store/copies.h"
#include "store/event.h"
#include "store/scan.h"
#include "util/alloc.h"

static enum work_class class_of_copy(int kind)
{
	static const enum work_class classes[] = {
		[COPY_IN] = WORK_H2D, [COPY_OUT] = WORK_D2H, [COPY_ELSEWHERE] = WORK_OTHER};

	return classes[copy_way(kind)];
}

/* Kinds of memory and of copies with smaller numbers are looked up once. */
enum { KINDS = 32 };

/* What reading the rows of work needs. */
struct reading {
	struct trace *trace;
	struct store *store;
	struct table_parts parts;
	const struct reader *reader;
	size_t first;                                /* part of the table that is read */
	uint32_t nameless;                           /* the name of a kernel without one */
	pthread_mutex_t lock;                        /* of the store's labels */
	int8_t copy_kind[KINDS], memory_kind[KINDS]; /* the schema's numbers of the file's */
};

static int8_t kind_number(struct store *store, const char *enum_table, int64_t id)
{
	int64_t number = store_enum_number(store, enum_table, id);

	if (!schema_enum_label(enum_table, number))
		return -1;
	return (int8_t)number;
}

static void read_kinds(struct reading *reading)
{
	for (int i = 0; i < KINDS; i++) {
		reading->copy_kind[i] = kind_number(reading->store, "ENUM_CUDA_MEMCPY_OPER", i);
		reading->memory_kind[i] = kind_number(reading->store, "ENUM_CUDA_MEM_KIND", i);
	}
}

/* Of a number that is not among the usual ones. */
static int8_t unusual_kind(struct reading *reading, const char *enum_table, int64_t id)
{
	int8_t kind;

	pthread_mutex_lock(&reading->lock);
	kind = kind_number(reading->store, enum_table, id);
	pthread_mutex_unlock(&reading->lock);
	return kind;
}

static int8_t memory_kind(struct reading *reading, const struct scan_rows *rows, size_t row, size_t column)
{
	int64_t id = rows->value[column][row];

	if (scan_null(rows, row, column))
		return -1;
	if (id >= 0 && id < KINDS)
		return reading->memory_kind[id];
	return unusual_kind(reading, "ENUM_CUDA_MEM_KIND", id);
}

/* 0, unknown, for what nobody knows. */
static int8_t copy_kind(struct reading *reading, int64_t id)
{
	int8_t kind;

	if (id >= 0 && id < KINDS)
		kind = reading->copy_kind[id];
	else
		kind = unusual_kind(reading, "ENUM_CUDA_MEMCPY_OPER", id);
	if (kind < 0)
		kind = 0;
	return kind;
}

/* Columns that every table of device work has, then those of one. */
enum { IN_START, IN_END, IN_DEVICE, IN_STREAM, IN_PROCESS, IN_CORRELATION, COMMON };

/* What a row is: `what` as in struct trace, but a copy counts within its part. */
struct row_kind {
	uint32_t what;
	uint8_t cls; /* enum work_class */
};

static struct row_kind read_kernel(
	struct reading *reading, struct table_part *part, const struct scan_rows *rows, size_t row)
{
	uint32_t name = (uint32_t)rows->value[COMMON][row];

	(void)part;
	if (!name)
		name = (uint32_t)rows->value[COMMON + 1][row];
	return (struct row_kind){name ? name : reading->nameless, WORK_KERNEL};
}

static uint32_t add_part_copy(struct table_part *part, const struct work_copy *copy)
{
	xgrow(&part->copy, part->ncopies, &part->copy_room, sizeof(*part->copy));
	part->copy[part->ncopies] = *copy;
	return (uint32_t)part->ncopies++ | WHAT_COPY;
}

/* Never below 0: that means work without bytes. */
static int64_t bytes_in(const struct scan_rows *rows, size_t row)
{
	int64_t bytes = rows->value[COMMON][row];

	return bytes < 0 ? 0 : bytes;
}

static struct row_kind read_copy(
	struct reading *reading, struct table_part *part, const struct scan_rows *rows, size_t row)
{
	struct work_copy copy = {
		.bytes = bytes_in(rows, row),
		.kind = copy_kind(reading, rows->value[COMMON + 1][row]),
		.source = memory_kind(reading, rows, row, COMMON + 2),
		.target = memory_kind(reading, rows, row, COMMON + 3),
	};

	return (struct row_kind){add_part_copy(part, &copy), (uint8_t)class_of_copy(copy.kind)};
}

static struct row_kind read_memset(
	struct reading *reading, struct table_part *part, const struct scan_rows *rows, size_t row)
{
	struct work_copy copy = {
		.bytes = bytes_in(rows, row),
		.kind = COPY_KIND_NONE,
		.source = -1,
		.target = memory_kind(reading, rows, row, COMMON + 1),
	};

	return (struct row_kind){add_part_copy(part, &copy), WORK_OTHER};
}

/* A graph as a whole. Its kernels and copies cannot be told apart: the GPU is busy, and no more is known. */
static struct row_kind read_graph(
	struct reading *reading, struct table_part *part, const struct scan_rows *rows, size_t row)
{
	char text[64];

	snprintf(text, sizeof(text), "CUDA graph %lld", (long long)rows->value[COMMON][row]);
	part->graphs++;
	return (struct row_kind){texts_number(reading->trace->texts, text), WORK_OTHER};
}

/* The tables of device work and how a row of each is read. */
static const struct reader {
	enum table_id table;
	struct row_kind (*read)(
		struct reading *reading, struct table_part *part, const struct scan_rows *rows, size_t row);
	size_t ncolumns;
	int columns[SCAN_COLUMNS];
} readers[] = {
	{TABLE_KERNEL, read_kernel, 8,
		{KERNEL_start, KERNEL_end, KERNEL_deviceId, KERNEL_streamId, KERNEL_globalPid, KERNEL_correlationId,
			KERNEL_shortName, KERNEL_demangledName}},
	{TABLE_MEMCPY, read_copy, 10,
		{MEMCPY_start, MEMCPY_end, MEMCPY_deviceId, MEMCPY_streamId, MEMCPY_globalPid, MEMCPY_correlationId,
			MEMCPY_bytes, MEMCPY_copyKind, MEMCPY_srcKind, MEMCPY_dstKind}},
	{TABLE_MEMSET, read_memset, 8,
		{MEMSET_start, MEMSET_end, MEMSET_deviceId, MEMSET_streamId, MEMSET_globalPid, MEMSET_correlationId,
			MEMSET_bytes, MEMSET_memKind}},
	{TABLE_GRAPHTRACE, read_graph, 7,
		{GRAPHTRACE_start, GRAPHTRACE_end, GRAPHTRACE_deviceId, GRAPHTRACE_streamId, GRAPHTRACE_globalPid,
			GRAPHTRACE_correlationId, GRAPHTRACE_graphId}},
};

static struct work_block *room_for_row(struct table_part *part, size_t number)
{
	struct work_block *block = part->nblocks ? &part->block[part->nblocks - 1] : NULL;

	if (block && block->n < BLOCK_ROWS)
		return block;
	xgrow(&part->block, part->nblocks, &part->block_room, sizeof(*part->block));
	block = &part->block[part->nblocks++];
	*block = (struct work_block){
		.part = (uint32_t)number,
		.low = INT64_MAX,
		.high = INT64_MIN,
		.start = xreallocarray(NULL, BLOCK_ROWS, sizeof(int64_t)),
		.end = xreallocarray(NULL, BLOCK_ROWS, sizeof(int64_t)),
		.correlation = xreallocarray(NULL, BLOCK_ROWS, sizeof(int64_t)),
		.lane = xreallocarray(NULL, BLOCK_ROWS, sizeof(uint32_t)),
		.what = xreallocarray(NULL, BLOCK_ROWS, sizeof(uint32_t)),
	};
	return block;
}

static void work_take_row(struct reading *reading, size_t number, const struct scan_rows *rows, size_t row)
{
	struct table_part *part = &reading->parts.part[number];
	struct work_block *block = room_for_row(part, number);
	struct row_kind kind = reading->reader->read(reading, part, rows, row);
	int64_t start = rows->value[IN_START][row];
	struct work_lane lane = {
		.process = rows->value[IN_PROCESS][row],
		.stream = (uint32_t)rows->value[IN_STREAM][row],
		.cls = kind.cls,
	};

	block->low = start < block->low ? start : block->low;
	block->high = start > block->high ? start : block->high;
	block->start[block->n] = start;
	block->end[block->n] = rows->value[IN_END][row];
	block->correlation[block->n] = rows->value[IN_CORRELATION][row];
	block->what[block->n] = kind.what;
	block->lane[block->n] = part_lane(&part->lanes, &reading->trace->devices, &lane, rows->value[IN_DEVICE][row]);
	block->n++;
}

static bool row_is_usable(const struct scan_rows *rows, size_t row)
{
	return !scan_null(rows, row, IN_START) && !scan_null(rows, row, IN_END) &&
	       times_usable(rows->value[IN_START][row], rows->value[IN_END][row]);
}

static void take_rows(void *user, size_t part, const struct scan_rows *rows)
{
	struct reading *reading = user;

	struct table_part *into = &reading->parts.part[reading->first + part];

	for (size_t i = 0; i < rows->n; i++) {
		if (!row_is_usable(rows, i))
			into->unusable++;
		else if (!device_is_possible(rows->value[IN_DEVICE][i]))
			into->nowhere++;
		else
			work_take_row(reading, reading->first + part, rows, i);
	}
}

static void begin_table(void *user, size_t nparts)
{
	struct reading *reading = user;
	struct table_parts *parts = &reading->parts;

	reading->first = parts->n;
	parts->part = xreallocarray(parts->part, parts->n + nparts + 1, sizeof(*parts->part));
	for (size_t i = 0; i < nparts; i++)
		parts->part[parts->n++] = (struct table_part){0};
}

static int work_read_tables(struct reading *reading, struct error *err)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		const struct scan scan = {
			.table = readers[i].table,
			.columns = readers[i].columns,
			.ncolumns = readers[i].ncolumns,
			.texts = reading->trace->texts,
			.begin = begin_table,
			.take = take_rows,
			.user = reading,
		};

		reading->reader = &readers[i];
		if (store_scan(reading->store, &scan, err) < 0)
			return -1;
	}
	return 0;
}

static void work_count_left_out(struct trace *trace, const struct table_parts *parts)
{
	for (size_t p = 0; p < parts->n; p++) {
		trace->unusable += parts->part[p].unusable;
		trace->nowhere += parts->part[p].nowhere;
		trace->graphs += parts->part[p].graphs;
	}
}

/* Columns are gone already where they were put in order. */
static void parts_free(struct table_parts *parts, bool ordered)
{
	for (size_t p = 0; p < parts->n; p++) {
		struct table_part *part = &parts->part[p];

		for (size_t b = 0; b < part->nblocks && !ordered; b++) {
			free(part->block[b].start);
			free(part->block[b].end);
			free(part->block[b].correlation);
			free(part->block[b].lane);
			free(part->block[b].what);
		}
		part_lanes_free(&part->lanes);
		free(part->block);
		free(part->copy);
	}
	free(parts->part);
}

int trace_work(struct trace *trace, struct store *store, struct error *err)
{
	struct reading reading = {.trace = trace,
		.store = store,
		.nameless = texts_number(trace->texts, "kernel"),
		.lock = PTHREAD_MUTEX_INITIALIZER};
	int result;

	if (devices_load(&trace->devices, store, err) < 0)
		return -1;
	read_kinds(&reading);
	result = work_read_tables(&reading, err);
	if (result == 0) {
		work_count_left_out(trace, &reading.parts);
		work_lanes_merge(trace, &reading.parts);
		result = work_order(trace, &reading.parts, err);
	}
	parts_free(&reading.parts, result == 0);
	return result;
}
