/* work.c: reads the device work of a recording: kernels, copies, memsets, and graphs traced as a whole. */
#include "model/trace/work.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/number.h"

static enum work_class class_of_copy(int kind)
{
	static const enum work_class classes[] = {
		[COPY_IN] = WORK_H2D, [COPY_OUT] = WORK_D2H, [COPY_ELSEWHERE] = WORK_OTHER};

	return classes[copy_way(kind)];
}

/* What reading the rows of work needs. */
struct reading {
	struct trace *trace;
	struct store *store;
	size_t room;
	enum { KINDS = 32 } kinds;
	int8_t copy_kind[KINDS], memory_kind[KINDS]; /* the schema's numbers of the file's */
	int device[GPUS_MOST];                       /* with work, the latest first */
	int ndevices;
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

static int8_t memory_kind(const struct reading *reading, const struct cursor *row, int column)
{
	int64_t id = cursor_int(row, column);

	if (cursor_null(row, column))
		return -1;
	if (id >= 0 && id < KINDS)
		return reading->memory_kind[id];
	return kind_number(reading->store, "ENUM_CUDA_MEM_KIND", id);
}

/* 0, unknown, for what nobody knows. */
static int8_t copy_kind(const struct reading *reading, const struct cursor *row, int column)
{
	int64_t id = cursor_int(row, column);
	int8_t kind;

	if (id >= 0 && id < KINDS)
		kind = reading->copy_kind[id];
	else
		kind = kind_number(reading->store, "ENUM_CUDA_MEMCPY_OPER", id);
	if (kind < 0)
		kind = 0;
	return kind;
}

static void trace_work_read_kernel(struct reading *reading, const struct cursor *row, struct activity *work)
{
	work->bytes = -1;
	work->cls = WORK_KERNEL;
	work->name = trace_name(reading->trace, row, KERNEL_shortName, NULL);
	if (!work->name)
		work->name = trace_name(reading->trace, row, KERNEL_demangledName, "kernel");
}

/* Never -1: that means work without bytes. */
static int64_t bytes_of(const struct cursor *row, int column)
{
	int64_t bytes = cursor_int(row, column);

	return bytes < 0 ? 0 : bytes;
}

static void trace_work_read_copy(struct reading *reading, const struct cursor *row, struct activity *work)
{
	work->bytes = bytes_of(row, MEMCPY_bytes);
	work->copy_kind = copy_kind(reading, row, MEMCPY_copyKind);
	work->src_kind = memory_kind(reading, row, MEMCPY_srcKind);
	work->dst_kind = memory_kind(reading, row, MEMCPY_dstKind);
	work->cls = class_of_copy(work->copy_kind);
}

static void trace_work_read_memset(struct reading *reading, const struct cursor *row, struct activity *work)
{
	work->bytes = bytes_of(row, MEMSET_bytes);
	work->dst_kind = memory_kind(reading, row, MEMSET_memKind);
}

/* A graph as a whole. Its kernels and copies cannot be told apart: the GPU is busy, and no more is known. */
static void read_graph(struct reading *reading, const struct cursor *row, struct activity *work)
{
	char text[64];

	snprintf(text, sizeof(text), "CUDA graph %lld", (long long)cursor_int(row, GRAPHTRACE_graphId));
	work->bytes = -1;
	work->name = trace_text(reading->trace, text);
	reading->trace->graphs++;
}

/* Columns that every table of device work has, then those of one. */
enum { IN_START, IN_END, IN_DEVICE, IN_STREAM, IN_PROCESS, IN_CORRELATION, COMMON, MOST_COLUMNS = 10 };

/* The tables of device work and how a row of each is read. */
static const struct reader {
	enum table_id table;
	void (*read)(struct reading *reading, const struct cursor *row, struct activity *work);
	size_t ncolumns;
	int columns[MOST_COLUMNS];
} readers[] = {
	{TABLE_KERNEL, trace_work_read_kernel, 8,
		{KERNEL_start, KERNEL_end, KERNEL_deviceId, KERNEL_streamId, KERNEL_globalPid, KERNEL_correlationId,
			KERNEL_shortName, KERNEL_demangledName}},
	{TABLE_MEMCPY, trace_work_read_copy, 10,
		{MEMCPY_start, MEMCPY_end, MEMCPY_deviceId, MEMCPY_streamId, MEMCPY_globalPid, MEMCPY_correlationId,
			MEMCPY_bytes, MEMCPY_copyKind, MEMCPY_srcKind, MEMCPY_dstKind}},
	{TABLE_MEMSET, trace_work_read_memset, 8,
		{MEMSET_start, MEMSET_end, MEMSET_deviceId, MEMSET_streamId, MEMSET_globalPid, MEMSET_correlationId,
			MEMSET_bytes, MEMSET_memKind}},
	{TABLE_GRAPHTRACE, read_graph, 7,
		{GRAPHTRACE_start, GRAPHTRACE_end, GRAPHTRACE_deviceId, GRAPHTRACE_streamId, GRAPHTRACE_globalPid,
			GRAPHTRACE_correlationId, GRAPHTRACE_graphId}},
};

/* The columns that all tables have. */
static void read_common(
	struct reading *reading, const struct reader *reader, const struct cursor *row, struct activity *work)
{
	const int *in = reader->columns;
	int64_t process = cursor_int(row, in[IN_PROCESS]);

	*work = (struct activity){
		.start = cursor_int(row, in[IN_START]),
		.end = cursor_int(row, in[IN_END]),
		.device = device_of(&reading->trace->devices, process, cursor_int(row, in[IN_DEVICE])),
		.stream = (uint32_t)cursor_int(row, in[IN_STREAM]),
		.process = process,
		.correlation = cursor_int(row, in[IN_CORRELATION]),
		.copy_kind = COPY_KIND_NONE,
		.src_kind = -1,
		.dst_kind = -1,
		.cls = WORK_OTHER,
	};
}

static struct activity *work_add(struct reading *reading)
{
	struct trace *trace = reading->trace;

	xgrow(&trace->work, trace->nwork, &reading->room, sizeof(*trace->work));
	return &trace->work[trace->nwork++];
}

/* False if there are more devices than are read. */
static bool device_known(struct reading *reading, int device)
{
	int at = 0;

	while (at < reading->ndevices && reading->device[at] != device)
		at++;
	if (at == GPUS_MOST)
		return false;
	reading->ndevices += at == reading->ndevices;
	reading->device[at] = reading->device[0];
	reading->device[0] = device;
	return true;
}

static int work_read_rows(
	struct reading *reading, const struct reader *reader, struct cursor *cursor, struct error *err)
{
	struct trace *trace = reading->trace;
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		struct activity *work = work_add(reading);

		read_common(reading, reader, cursor, work);
		if (work->end < work->start || work->end <= 0 || !time_usable(work->start) || !time_usable(work->end)) {
			trace->nwork--;
			trace->unusable++;
		} else if (!device_known(reading, work->device)) {
			trace->nwork--;
			trace->beyond++;
		} else {
			reader->read(reading, cursor, work);
		}
	}
	return got;
}

static int load_tables(struct reading *reading, struct error *err)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		const struct reader *reader = &readers[i];
		struct cursor *cursor;
		int result;

		if (!store_has(reading->store, reader->table))
			continue;
		cursor = store_columns(reading->store, reader->table, reader->columns, reader->ncolumns, err);
		if (!cursor)
			return -1;
		result = work_read_rows(reading, reader, cursor, err);
		cursor_close(cursor);
		if (result < 0)
			return -1;
	}
	return 0;
}

/* Total order, so that the same rows give the same report whatever their order in the file. */
static int trace_by_start(const void *left, const void *right)
{
	const struct activity *a = left, *b = right;
	int order = int64_order(a->start, b->start);

	if (!order)
		order = int64_order(a->end, b->end);
	if (!order)
		order = int64_order(a->device, b->device);
	if (!order)
		order = int64_order(a->process, b->process);
	if (!order)
		order = int64_order(a->stream, b->stream);
	if (!order)
		order = int64_order(a->cls, b->cls);
	if (!order)
		order = int64_order(a->correlation, b->correlation);
	return order ? order : int64_order(a->bytes, b->bytes);
}

static void trace_sort_work(struct trace *trace)
{
	for (size_t i = 1; i < trace->nwork; i++) {
		if (trace_by_start(&trace->work[i - 1], &trace->work[i]) > 0) {
			qsort(trace->work, trace->nwork, sizeof(*trace->work), trace_by_start);
			return;
		}
	}
}

int trace_work(struct trace *trace, struct store *store, struct error *err)
{
	struct reading reading = {.trace = trace, .store = store};

	if (devices_load(&trace->devices, store, err) < 0)
		return -1;
	read_kinds(&reading);
	if (load_tables(&reading, err) < 0)
		return -1;
	trace_sort_work(trace);
	return 0;
}
